<?php
/*
 * shell.php - an empty contestant for Hearts, for you to fill in.
 *
 * Team:
 * Strategy in one line:
 *
 * Read mactech98.php first: it says what the six routines get and return. This shell passes its first three cards and plays the
 * first card that is allowed, so it follows the rules from the start. Change one thing at a time, and play a few games after
 * every change.
 *
 * Your program stays alive for a whole match of many games, so variables of your own keep their values from one call to the next.
 * Every millisecond of processor time in your routines costs a point.
 */
declare(strict_types=1);

require_once __DIR__ . '/mactech98.php';

final class Shell implements Hearts\Player
{
    private int $me = 0; // our seat
    private bool $pointsPlayed = false; // a heart or the queen of spades was played on an earlier trick of this hand

    /** Called once, before anything else. A game is over after the hand in which somebody has $gameEndingScore points. */
    public function initTournament(int $numPlayers, int $gameEndingScore): void
    {
    }

    /**
     * Called before each game. The same number in $playerIDs is the same player throughout the tournament. Player i + 1 (modulo 4)
     * sits to the left of player i.
     */
    public function initGame(array $playerIDs, int $yourSeat): void
    {
        $this->me = $yourSeat;
    }

    /**
     * Called at the beginning of every hand. Return three different indices of $dealtHand (0 ... 12). With NO_PASS nothing is
     * passed, and what you return is ignored.
     */
    public function selectPass(array $dealtHand, int $direction): array
    {
        $this->pointsPlayed = false;
        return [0, 1, 2];
    }

    /**
     * Called 13 times a hand. Return the index of the card that you play. $yourHand has Card::none() where cards were played, and
     * the cards that were passed to you in the places of those that you passed. $cardsPlayed is indexed by seat, with Card::none()
     * where nobody has played yet: $cardsPlayed[$trickLeader] was led, unless you lead.
     */
    public function playTrick(int $trickNumber, int $trickLeader, array $yourHand, array $cardsPlayed): int
    {
        return Hearts\legalIndices($yourHand, $trickNumber, $cardsPlayed[$trickLeader], $this->pointsPlayed)[0];
    }

    /** Called after each trick: what everybody played, by seat, and who took it. */
    public function trickResults(array $lastTrick, int $trickWinner): void
    {
        foreach ($lastTrick as $card) {
            $this->pointsPlayed = $this->pointsPlayed || $card->isPoint();
        }
    }

    /** Called after each hand. A player who has shot the moon gets -26 points. */
    public function handResults(array $pointsThisHand, array $cumPoints): void
    {
        fwrite(STDERR, "my points: {$pointsThisHand[$this->me]}, now {$cumPoints[$this->me]} in all\n");
    }
}

// Do not change this.
Hearts\run(new Shell());
