<?php
/*
 * mactech98.php - talks to the referee of Hearts, so you do not have to. Do not change it: the contest runs your player with its
 * own copy.
 *
 * You write a class with the six routines of the Programmer's Challenge of 1998 (shell.php describes them):
 *
 *     initTournament   initGame   selectPass   playTrick   trickResults   handResults
 *
 * The last line of your file hands an object of it to Hearts\run. Arrays of four are indexed by seat. A hand is an array of 13
 * cards; where a card was played there is Card::none().
 *
 * Print nothing to standard output: it belongs to the referee. Debug with fwrite(STDERR, ...); only your team can read that
 * afterwards. Each millisecond of processor time that your routines use costs a point.
 */
declare(strict_types=1);

namespace Hearts;

const NO_SUIT = 0, SPADE = 1, HEART = 2, DIAMOND = 3, CLUB = 4;
const NO_SPOT = 0, JACK = 10, QUEEN = 11, KING = 12, ACE = 13; // spots are 1 (the two) ... 13 (the ace), as in 1998
const PASS_LEFT = 0, PASS_RIGHT = 1, PASS_ACROSS = 2, NO_PASS = 3;

const FACES = ['2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A'];

/** A card. There is one object for each, so that === compares cards. */
final class Card
{
    private static array $all = [];

    public int $suit;
    public int $spot;

    private function __construct(int $suit, int $spot)
    {
        $this->suit = $suit;
        $this->spot = $spot;
    }

    public static function of(int $suit, int $spot): self
    {
        return self::$all[14 * $suit + $spot] ??= new self($suit, $spot);
    }

    /** What stands where there is no card. */
    public static function none(): self
    {
        return self::of(NO_SUIT, NO_SPOT);
    }

    public static function named(string $name): self
    {
        return self::of(strpos(' SHDC', substr($name, -1)), array_search(substr($name, 0, -1), FACES, true) + 1);
    }

    public function isNone(): bool
    {
        return $this->suit === NO_SUIT;
    }

    /** Whether it costs points: a heart, or the queen of spades. */
    public function isPoint(): bool
    {
        return $this->suit === HEART || ($this->suit === SPADE && $this->spot === QUEEN);
    }

    public function __toString(): string
    {
        return $this->isNone() ? '--' : FACES[$this->spot - 1] . ' SHDC'[$this->suit];
    }
}

/** What you write. */
interface Player
{
    public function initTournament(int $numPlayers, int $gameEndingScore): void;

    public function initGame(array $playerIDs, int $yourSeat): void;

    /** Three different indices of the hand. */
    public function selectPass(array $dealtHand, int $direction): array;

    /** The index in your hand of the card that you play. */
    public function playTrick(int $trickNumber, int $trickLeader, array $yourHand, array $cardsPlayed): int;

    public function trickResults(array $lastTrick, int $trickWinner): void;

    public function handResults(array $pointsThisHand, array $cumPoints): void;
}

/**
 * The indices of the cards that may be played now. $led: the card that was led, Card::none() when you lead; $pointsPlayed: whether
 * a point card was played on an earlier trick of this hand.
 */
function legalIndices(array $hand, int $trickNumber, Card $led, bool $pointsPlayed): array
{
    $held = array_filter($hand, fn (Card $card): bool => !$card->isNone());
    $wanted = [];
    if (!$led->isNone()) {
        $wanted = array_filter($held, fn (Card $card): bool => $card->suit === $led->suit);
    } elseif ($trickNumber === 0) {
        $wanted = array_filter($held, fn (Card $card): bool => $card === Card::named('2C'));
    } elseif (!$pointsPlayed && array_filter($held, fn (Card $card): bool => !$card->isPoint())) {
        $wanted = array_filter($held, fn (Card $card): bool => $card->suit !== HEART);
    }
    return array_keys($wanted ?: $held);
}

// Random numbers (random_int cannot be repeated; mt_rand and shuffle can) are different in every run, unless the environment
// variable MACTECH98_SEED holds a number.
if (is_numeric(getenv('MACTECH98_SEED'))) {
    mt_srand((int) getenv('MACTECH98_SEED'));
}

/** Talks to the referee. */
final class Harness
{
    private Player $player;
    private array $dealt = []; // as it was dealt
    private array $hand = [];  // as it is now, with gaps
    private int $direction = NO_PASS;
    private int $seat = 0;
    private int $used = 0; // microseconds of your routines since our last answer

    public function __construct(Player $player)
    {
        $this->player = $player;
    }

    public function hear(string $kind, array $words): void
    {
        switch ($kind) {
            case 'hello':
                $this->answer('ready');
                break;
            case 'tournament':
                $this->call('initTournament', (int) $words[0], (int) $words[1]);
                break;
            case 'game':
                $this->seat = (int) $words[4];
                $this->call('initGame', array_map('intval', array_slice($words, 0, 4)), $this->seat);
                break;
            case 'hand':
                $this->deal($words[0], array_slice($words, 1));
                break;
            case 'pass':
                $this->answer(implode(' ', $this->call('selectPass', $this->dealt, $this->direction)));
                break;
            case 'received':
                foreach (array_chunk($words, 2) as [$index, $name]) {
                    $this->hand[(int) $index] = Card::named($name);
                }
                break;
            case 'play':
                $this->play((int) $words[0], (int) $words[1], array_slice($words, 2));
                break;
            case 'trick':
                $this->trick(array_map('Hearts\Card::named', array_slice($words, 0, 4)), (int) $words[4]);
                break;
            case 'score':
                $this->call('handResults', ...array_chunk(array_map('intval', $words), 4));
                break;
            case 'end':
                $this->answer('done');
                break;
        }
    }

    private function call(string $routine, ...$values)
    {
        $started = $this->now();
        $result = $this->player->$routine(...$values);
        $this->used += $this->now() - $started;
        return $result;
    }

    /** The processor time of this program, in microseconds. */
    private function now(): int
    {
        $usage = getrusage();
        return 1000000 * ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec'])
            + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec'];
    }

    private function answer(string $text): void
    {
        fwrite(STDOUT, $text . ' cpu ' . 1000 * $this->used . "\n");
        $this->used = 0;
    }

    private function deal(string $direction, array $names): void
    {
        $this->direction = array_search($direction, ['left', 'right', 'across', 'none'], true);
        $this->hand = $this->dealt = array_map('Hearts\Card::named', $names);
        if ($this->direction === NO_PASS) {
            $this->call('selectPass', $this->dealt, NO_PASS);
        }
    }

    private function play(int $number, int $leader, array $names): void
    {
        $played = array_fill(0, 4, Card::none());
        foreach ($names as $turn => $name) {
            $played[($leader + $turn) % 4] = Card::named($name);
        }
        $this->answer((string) $this->call('playTrick', $number, $leader, $this->hand, $played));
    }

    private function trick(array $cards, int $winner): void
    {
        foreach ($this->hand as $index => $card) {
            if ($card === $cards[$this->seat]) {
                $this->hand[$index] = Card::none();
            }
        }
        $this->call('trickResults', $cards, $winner);
    }
}

/** Play until there is nothing more to read. */
function run(Player $player): void
{
    $harness = new Harness($player);
    while (($line = fgets(STDIN)) !== false) {
        $words = preg_split('/\s+/', $line, -1, PREG_SPLIT_NO_EMPTY);
        if ($words) {
            $harness->hear($words[0], array_slice($words, 1));
        }
    }
}
