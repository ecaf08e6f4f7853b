<?php
/*
 * steven.php - talks to the dealer of Even Steven for you. Do not change it: the portal has its own.
 *
 *     require_once __DIR__ . '/steven.php';
 *
 *     $game = new Steven\Game();
 *     while ($game->nextCard()) {
 *         $game->play($game->hand[0]);
 *     }
 *
 * nextCard reads until a card must be covered, and is false when all games are over. You then play a card of $game->hand.
 * All of this is optional: a program that reads and writes the lines of rules.md itself is just as good.
 */
declare(strict_types=1);

namespace Steven;

const VALUES = [
    '2' => 2, '3' => 3, '4' => 4, '5' => 5, '6' => 6, '7' => 7, '8' => 8, '9' => 9, '10' => 10,
    'J' => 11, 'Q' => 12, 'K' => 13, 'A' => 14,
];

/** A card. As a string it is its name. */
final class Card
{
    public int $value; // 2 ... 14: jack 11, queen 12, king 13, ace 14
    public string $suit; // 'c', 'd', 'h', 's': it has no effect on anything

    /** The name is as the dealer writes it, such as '10c'. */
    public function __construct(public string $name)
    {
        $this->value = VALUES[substr($name, 0, -1)];
        $this->suit = substr($name, -1);
    }

    /** Whether that is the name of a card. */
    public static function isName(string $word): bool
    {
        return preg_match('/^(10|[2-9JQKA])[cdhs]$/D', $word) === 1;
    }

    /** Whether this card may lie on that dealt card. */
    public function covers(Card $dealt): bool
    {
        return $this->value >= $dealt->value;
    }

    public function __toString(): string
    {
        return $this->name;
    }
}

/** What you know of the game in progress. */
final class Game
{
    public int $number = 0; // of this game: 1, 2, 3, ...
    public int $size = 0; // cards that you were dealt, and that you must cover
    /** @var list<Card> */
    public array $hand = []; // the cards that you still hold, in the order of the deal
    public ?Card $open = null; // the card that you must cover now
    /** @var list<Card> */
    public array $past = []; // all cards dealt so far, in order; the last is the open one
    /** @var list<Card> */
    public array $played = []; // what you played on them
    public int $won = 0; // games so far
    public int $lost = 0;

    /** Waits until a card must be covered: $this->open. False when all games are over: end your program then. */
    public function nextCard(): bool
    {
        while (($line = fgets(STDIN)) !== false) {
            $words = preg_split('/\s+/', $line, -1, PREG_SPLIT_NO_EMPTY);
            if ($words === []) {
                continue;
            }
            if ($words[0] === 'YOU') {
                $this->won += ($words[1] ?? '') === 'WIN' ? 1 : 0;
                $this->lost += ($words[1] ?? '') === 'LOSE' ? 1 : 0;
            } elseif (preg_match('/^[0-9]+$/D', $words[0]) === 1) {
                $this->deal($words);
            } elseif (Card::isName($words[0])) {
                $this->past[] = $this->open = new Card($words[0]);
                return true;
            }
        }
        return false;
    }

    /** Plays this card on the open one. */
    public function play(Card $card): void
    {
        $place = array_search($card, $this->hand);
        if ($place === false) {
            fwrite(STDERR, "steven: $card is not in your hand\n");
        } else {
            array_splice($this->hand, $place, 1);
        }
        $this->played[] = $card;
        fwrite(STDOUT, "$card\n");
    }

    /** @param list<string> $words */
    private function deal(array $words): void
    {
        $this->number++;
        $this->size = (int) $words[0];
        $names = array_filter(array_slice($words, 1), [Card::class, 'isName']);
        $this->hand = array_map(fn (string $name): Card => new Card($name), array_values($names));
        $this->past = $this->played = [];
    }
}

/**
 * Writes a line for debugging: the dealer prints it after a `*`. In the contest, where the program is started without an
 * argument, nothing is written.
 */
function debug(string $line): void
{
    if (count($_SERVER['argv']) > 1) {
        fwrite(STDOUT, "* $line\n");
    }
}

// For random numbers, mt_rand(0, $n - 1) works as always. To repeat a run exactly, set the environment variable
// STEVEN_SEED to a number.
if (getenv('STEVEN_SEED') !== false) {
    mt_srand((int) getenv('STEVEN_SEED'));
}
