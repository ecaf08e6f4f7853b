<?php
// probe.php - plays the commented game of 1998 as south did, and prints the game and the helpers' results. Then it scribbles.
declare(strict_types=1);

require_once __DIR__ . '/acm98.php';

final class Probe extends Acm98\Contestant
{
    private const PLACES = [self::HIDDEN, self::POOL, self::HELD, self::TABLE, self::PLAYED];
    private array $takes;
    private array $plays;

    private function say(mixed ...$words): void
    {
        $this->debug(implode(' ', array_map(fn ($word) => is_bool($word) ? (int) $word : $word, $words)));
    }

    private function burn(): void
    {
        $cpu = fn () => getrusage()['ru_utime.tv_sec'] * 1e6 + getrusage()['ru_utime.tv_usec'];
        $ending = $cpu() + 50e3;
        while (getenv('BURN') && $cpu() < $ending);
    }

    private function scribble(): void
    {
        foreach ([$this->game->trick, ...$this->game->past] as $trick) {
            $trick->card = [];
        }
        foreach (get_object_vars($this->game) as $name => $value) {
            if (is_array($value)) {
                $this->game->$name = [];
            }
        }
        $this->game->trickNumber = 99;
    }

    public function startGame(): void
    {
        $this->takes = array_map(self::cardFromName(...), explode(' ', 'h5 ck ha'));
        $this->plays = array_map(self::cardFromName(...), explode(' ', 'dk h9 ca h2 s8 sq h4 hj c7 st h5 ck ha'));
        $this->say('game', count($this->game->hand));
        $this->scribble();
    }

    public function startRound(): void
    {
        $this->burn();
        $it = $this->game;
        $this->say('round', $it->round, 'dealer', self::playerName($it->dealer), 'me', self::playerName($it->me), 'hand',
            count($it->hand), 'pool', count($it->pool), 'clubs', $this->countSuit(self::CLUBS));
        $this->scribble();
    }

    public function takeCard(): int
    {
        $this->scribble();
        return array_shift($this->takes);
    }

    public function endTakes(): void
    {
        $hk = self::card(self::HEARTS, self::KING);
        $it = $this->game;
        $this->say('takes over hand', count($it->hand), 'east', self::cardName($it->take[self::EAST][0]), 'where',
            array_search($it->where[$hk], self::PLACES), 'owner', self::playerName($it->owner[$hk]));
        $this->scribble();
    }

    public function playCard(): int
    {
        $this->burn();
        $card = array_shift($this->plays);
        $it = $this->game;
        $this->say('trick', $it->trickNumber, 'leader', self::playerName($it->trick->leader), 'lie', $it->trick->count, 'worth',
            $it->trick->points, 'legal', count($this->legalCards()), self::cardName($card), 'ok', $this->isLegal($card),
            'wins', $this->wouldWin($card), 'higher', $this->countHigher($card));
        $this->scribble();
        return $card;
    }

    public function endRound(): void
    {
        $it = $this->game;
        $this->say('end', ...$it->points, ...['total'], ...$it->total);
        $this->say('past', self::playerName($it->past[12]->winner), $it->past[12]->points, 'out',
            implode(array_map(intval(...), $it->isOut[self::SOUTH])), 'left', $it->cardsLeft[self::WEST], 'seen',
            $this->isSeen(self::cardFromName('d2')), 'next', self::playerName(self::nextPlayer(self::WEST)), 'worth',
            self::trickPoints(13, $it->past[4]->card));
    }
}

(new Probe())->run();
