<?php
/*
 * acm98.php - what your Tricky Eights contestant may use, and the part that talks to the server. Do not change it: the
 * contest puts its own copy beside your file.
 *
 * You write six methods (shell.php describes them):
 *
 *     startGame   startRound   takeCard   endTakes   playCard   endRound
 *
 * They belong to a class of your own that extends Acm98\Contestant. The last line of your file makes one and calls `run`,
 * which reads what the server says, keeps $this->game up to date, calls your methods and sends the cards they return.
 *
 * Two things to remember:
 *
 * - Print nothing to standard output: it belongs to the server. Debug with `$this->debug(...)`; only your team can read that
 *   afterwards. (`echo` and `print` write to standard output.)
 * - $this->game is for reading only. What you change in it is gone before your next method is called, and the server
 *   believes no one.
 */
declare(strict_types=1);

namespace Acm98;

/** One trick, finished or not. */
final class Trick
{
    public int $count = 0; // how many cards it has, 0 ... 4
    /** @var list<?int> */
    public array $card = [null, null, null, null]; // $card[$p]: what player p played, or null. The index is the player.
    public ?int $winner = null; // who wins it as it stands (null while it is empty)

    public function __construct(
        public int $leader, // who played the first card
        public int $points, // what it is worth as it stands: 1 (first and last trick 3) and 2 for each eight
    ) {
    }
}

/** Everything you know. */
final class Game
{
    // The game
    public ?int $me = null; // which player you are: NORTH ... WEST
    public int $round = 0; // number of the round, from 1
    public int $dealer; // dealer of this round: takes first, and leads the first trick
    public array $total = [0, 0, 0, 0]; // points of all finished rounds. In endRound this round is already in it.
    public array $points; // points made in this round so far

    // Your hand: the cards you hold now, in the order in which you got them. Cards you played are no longer in it.
    /** @var list<int> */
    public array $hand;

    // The takes
    /** @var list<int> */
    public array $pool; // the cards left in the pool: during takeCard, those you may choose from
    public array $take; // $take[$p]: what player p took so far, in that order

    // The play
    public int $trickNumber; // number of the current trick 1 ... 13; 0 during the takes, 14 in endRound
    public Trick $trick; // the current trick: in playCard the cards that were played before you
    /** @var list<Trick> */
    public array $past; // the finished tricks of this round

    // What you know of every card and every player: a card counter's table, kept for you
    public array $where; // HIDDEN, POOL, HELD, TABLE or PLAYED
    public array $owner; // who holds, played or took that card; null for a card that is HIDDEN or in the POOL
    public array $cardsLeft; // how many cards player p holds
    public array $isOut; // $isOut[$p][$suit]: player p has none left, because it did not follow

    public function __construct()
    {
        $this->newRound(0);
    }

    public function newRound(int $dealer): void
    {
        $this->dealer = $dealer;
        $this->points = [0, 0, 0, 0];
        $this->hand = $this->pool = $this->past = [];
        $this->take = [[], [], [], []];
        $this->trickNumber = 0;
        $this->trick = new Trick($dealer, 1);
        $this->where = array_fill(0, 52, Contestant::HIDDEN);
        $this->owner = array_fill(0, 52, null);
        $this->cardsLeft = [10, 10, 10, 10];
        $this->isOut = array_fill(0, 4, array_fill(0, 4, false));
    }

    public function __clone()
    {
        $this->trick = clone $this->trick;
        $this->past = array_map(fn (Trick $trick): Trick => clone $trick, $this->past);
    }
}

/** What your own class extends. */
abstract class Contestant
{
    // Players sit clockwise in this order. The player after $p is ($p + 1) % 4.
    public const NORTH = 0;
    public const EAST = 1;
    public const SOUTH = 2;
    public const WEST = 3;

    public const CLUBS = 0;
    public const DIAMONDS = 1;
    public const HEARTS = 2;
    public const SPADES = 3;

    // Faces are 2 ... 14. The cards between are simply 2 ... 10.
    public const JACK = 11;
    public const QUEEN = 12;
    public const KING = 13;
    public const ACE = 14;

    // Where a card is, as far as you can know: $this->game->where[$card].
    public const HIDDEN = 'hidden'; // dealt to one of the other players, you do not know to whom
    public const POOL = 'pool'; // face up in the pool, may still be taken
    public const HELD = 'held'; // in the hand of player owner[$card]: yours, or taken from the pool where everybody saw it
    public const TABLE = 'table'; // on the table, in the current trick
    public const PLAYED = 'played'; // went with an earlier trick

    /** Everything you know. */
    protected Game $game;

    // Your six methods. None may take more than 4 seconds.
    abstract public function startGame(): void;
    abstract public function startRound(): void;
    abstract public function takeCard(): int;
    abstract public function endTakes(): void;
    abstract public function playCard(): int;
    abstract public function endRound(): void;

    // --- Cards -------------------------------------------------------------------------------------------------------

    // A card is a number 0 ... 51, so that it can be the index of an array: first the clubs from 2 to ace (0 ... 12), then
    // the diamonds, the hearts and the spades. suit, face and card take it apart and put it together.

    /** CLUBS ... SPADES. */
    public static function suit(int $card): int
    {
        return intdiv($card, 13);
    }

    /** 2 ... ACE. */
    public static function face(int $card): int
    {
        return $card % 13 + 2;
    }

    /** card(self::HEARTS, 8) is the eight of hearts. */
    public static function card(int $suit, int $face): int
    {
        return $suit * 13 + $face - 2;
    }

    /** The name of a card as the server writes it, such as 'dk'. */
    public static function cardName(int $card): string
    {
        return $card < 0 || $card > 51 ? '??' : 'cdhs'[self::suit($card)] . '23456789tjqka'[$card % 13];
    }

    /** The inverse: cardFromName('dk'). null if it is not a card. */
    public static function cardFromName(string $name): ?int
    {
        if (preg_match('/^[cdhs][2-9tjqka]$/D', $name) !== 1) {
            return null;
        }
        return strpos('cdhs', $name[0]) * 13 + strpos('23456789tjqka', $name[1]);
    }

    public static function playerName(?int $player): string
    {
        return ['north', 'east', 'south', 'west'][$player ?? 4] ?? 'nobody';
    }

    public static function nextPlayer(int $player): int
    {
        return ($player + 1) % 4;
    }

    // --- Helper methods. None of them changes anything. ----------------------------------------------------------------

    /**
     * The cards you may play now: those of the suit led, if you have any, or else your whole hand. During the takes: the
     * pool.
     *
     * @return list<int>
     */
    public function legalCards(): array
    {
        return Library::choices($this->game);
    }

    /** Whether you may play (during the takes: take) this card now. */
    public function isLegal(int $card): bool
    {
        return in_array($card, $this->legalCards(), true);
    }

    /** Whether this card would be the winning one of the current trick if you played it now. */
    public function wouldWin(int $card): bool
    {
        return Library::beats($this->game->trick, $card);
    }

    /** How many cards of a suit you hold. */
    public function countSuit(int $suit): int
    {
        return count(array_filter($this->game->hand, fn (int $card): bool => self::suit($card) === $suit));
    }

    /**
     * How many cards that beat this one (same suit, higher) may still come from the other players: those that are not yours,
     * not played and not on the table. 0: nobody can beat it any more, if its suit is led.
     */
    public function countHigher(int $card): int
    {
        $count = 0;
        for ($other = $card + 1; self::suit($other) === self::suit($card); $other++) {
            $gone = in_array($this->game->where[$other], [self::PLAYED, self::TABLE], true);
            $count += $gone || $this->game->owner[$other] === $this->game->me ? 0 : 1;
        }
        return $count;
    }

    /** Whether you know where this card is: it was played, is face up, was taken by somebody, or is yours. */
    public function isSeen(int $card): bool
    {
        return $this->game->where[$card] !== self::HIDDEN;
    }

    /**
     * What trick 1 ... 13 with these cards (null for an empty place) is worth: 1, or 3 for the first and the last, and 2 for
     * each eight.
     */
    public static function trickPoints(int $number, array $cards): int
    {
        $eights = array_filter($cards, fn (?int $card): bool => $card !== null && self::face($card) === 8);
        return ($number === 1 || $number === 13 ? 3 : 1) + 2 * count($eights);
    }

    /**
     * A random number 0 ... $n - 1, evenly distributed. Different in every run, unless the environment variable ACM98_SEED
     * holds a number (to debug: the same number gives the same random numbers; it is not set in the contest).
     */
    public static function randomInt(int $n): int
    {
        return mt_rand(0, $n - 1);
    }

    /** Writes a line to standard error. */
    public static function debug(string $line): void
    {
        fwrite(STDERR, "$line\n");
    }

    /** Plays: call this once, as the last line of your file. It returns when the server has nothing more to say. */
    final public function run(): void
    {
        if (getenv('ACM98_SEED') !== false) {
            mt_srand((int) getenv('ACM98_SEED'));
        }
        $call = function (string $method, Game $truth): ?int {
            $this->game = clone $truth;
            return $this->$method();
        };
        (new Library($call))->run();
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// You need not read beyond this line.
// ---------------------------------------------------------------------------------------------------------------------

final class Ended extends \Exception
{
}

/**
 * Reads the commands, one word at a time:
 *
 *     starthand WHO ten-cards twelve-cards             a round begins
 *     take  (WHO CARD)x0..3 ME                         take a card from the pool      -> we answer with a card
 *     aftertake (WHO CARD)x4                           what everybody took
 *     play  (WHO CARD)x0..3 ME                         play a card                    -> we answer with a card
 *     result (WHO CARD)x4   or   resultoftrick ...     what everybody played
 *     endround              or   end A B C D           the round is over
 *
 * Any other word is ignored, and so are superfluous cards and numbers. The end of input ends the program. What aftertake and
 * result say is what counts; our own answer changes nothing by itself.
 *
 * None of your methods may take more than 4 seconds. When one has used 10 milliseconds or more of processor time, our next
 * answer says so, as in `dk cpu StartRound 31 TakeCard 512`.
 */
final class Library
{
    private const METHODS = ['startGame', 'startRound', 'takeCard', 'endTakes', 'playCard', 'endRound'];

    private Game $truth; // what the server told us; the contestant gets a copy before each of its methods is called
    private bool $takesEnded = false;
    private bool $roundEnded = true;
    private array $used = []; // milliseconds of processor time since our last answer
    private array $words = [];

    public function __construct(private \Closure $contestant)
    {
        $this->truth = new Game();
    }

    public function run(): void
    {
        $this->call('startGame');
        try {
            while (true) {
                $this->hear($this->readWord());
            }
        } catch (Ended) {
        }
    }

    /** @return list<int> */
    public static function choices(Game $game): array
    {
        if ($game->trickNumber === 0) {
            return $game->pool;
        }
        if ($game->trick->count === 0) {
            return $game->hand;
        }
        $led = Contestant::suit($game->trick->card[$game->trick->leader]);
        $following = array_filter($game->hand, fn (int $card): bool => Contestant::suit($card) === $led);
        return $following ? array_values($following) : $game->hand;
    }

    public static function beats(Trick $trick, int $card): bool
    {
        $best = $trick->winner === null ? null : $trick->card[$trick->winner];
        return $best === null || (Contestant::suit($card) === Contestant::suit($best) && $card > $best);
    }

    private function hear(string $command): void
    {
        match ($command) {
            'starthand' => $this->onStartHand(),
            'take' => $this->onTake(),
            'aftertake' => $this->onAfterTake(),
            'play' => $this->onPlay(),
            'result', 'resultoftrick' => $this->onResult(),
            'endround', 'end' => $this->onEndRound(),
            default => null,
        };
    }

    private function call(string $method): ?int
    {
        $started = self::clock();
        $card = ($this->contestant)($method, $this->truth);
        $this->used[$method] = ($this->used[$method] ?? 0) + self::clock() - $started;
        return $card;
    }

    /** Milliseconds of processor time. */
    private static function clock(): float
    {
        $it = getrusage();
        return ($it['ru_utime.tv_sec'] + $it['ru_stime.tv_sec']) * 1e3
            + ($it['ru_utime.tv_usec'] + $it['ru_stime.tv_usec']) / 1e3;
    }

    private function answer(string $method, int $card): void
    {
        $name = Contestant::cardName($card);
        if ($name === '??') {
            fwrite(STDERR, "acm98: $method returned $card: a card is a number 0 ... 51\n");
        } elseif (!in_array($card, self::choices($this->truth), true)) {
            $why = in_array($card, $this->truth->hand, true) ? 'does not follow suit' : 'is not in your hand';
            $why = $method === 'takeCard' ? 'is not in the pool' : $why;
            fwrite(STDERR, "acm98: $method returned $name, which $why\n");
        }
        $report = '';
        foreach (self::METHODS as $each) {
            $used = (int) ($this->used[$each] ?? 0);
            $report .= $used < 10 ? '' : ' ' . ucfirst($each) . " $used";
        }
        $this->used = [];
        fwrite(STDOUT, $name . ($report === '' ? '' : ' cpu') . "$report\n");
    }

    /** Words are separated by blanks and line ends. Lines may have any length. */
    private function readWord(): string
    {
        while ($this->words === []) {
            $line = fgets(STDIN);
            if ($line === false) {
                throw new Ended();
            }
            $this->words = array_reverse(preg_split('/\s+/', $line, -1, PREG_SPLIT_NO_EMPTY));
        }
        return array_pop($this->words);
    }

    private function readCard(): ?int
    {
        $word = $this->readWord();
        $card = Contestant::cardFromName($word);
        if ($card === null) {
            fwrite(STDERR, "acm98: \"$word\" is not a card\n");
        }
        return $card;
    }

    private function readPlayer(): ?int
    {
        $word = $this->readWord();
        $player = array_search($word, ['n', 'e', 's', 'w'], true);
        if ($player === false) {
            fwrite(STDERR, "acm98: \"$word\" is not a player\n");
            return null;
        }
        return $player;
    }

    /**
     * The players and cards of a question, up to our own place. Returns who was first. The commented game on paper shows our
     * answer behind it: that is then a word too many.
     */
    private function readOthers(callable $tell): int
    {
        $first = $player = $this->readPlayer();
        while ($player !== null && $player !== $this->truth->me) {
            $tell($player, $this->readCard());
            $player = $this->readPlayer();
        }
        return $first ?? $this->truth->me;
    }

    /** The four players and cards of a summary. Returns who was first. */
    private function readFour(callable $tell): int
    {
        $pairs = [];
        for ($i = 0; $i < 4; $i++) {
            $pairs[] = [$this->readPlayer(), $this->readCard()];
        }
        foreach ($pairs as [$player, $card]) {
            $tell($player, $card);
        }
        return $pairs[0][0] ?? $this->truth->dealer;
    }

    /** Somebody took a card from the pool. Hearing it twice (in a question, then in the summary) changes nothing. */
    private function tellTake(?int $player, ?int $card): void
    {
        $place = array_search($card, $this->truth->pool, true);
        if ($player === null || $place === false) {
            return;
        }
        array_splice($this->truth->pool, $place, 1);
        $this->truth->where[$card] = Contestant::HELD;
        $this->truth->owner[$card] = $player;
        $this->truth->take[$player][] = $card;
        $this->truth->cardsLeft[$player]++;
        if ($player === $this->truth->me) {
            $this->truth->hand[] = $card;
        }
    }

    /** Somebody played a card to the current trick. Hearing it twice changes nothing. */
    private function tellPlay(?int $player, ?int $card): void
    {
        $trick = $this->truth->trick;
        if ($player === null || $card === null || $trick->card[$player] !== null) {
            return;
        }
        if ($trick->count === 0) {
            $trick->leader = $player;
        }
        if (self::beats($trick, $card)) {
            $trick->winner = $player;
        }
        $trick->card[$player] = $card;
        $trick->count++;
        $trick->points += Contestant::face($card) === 8 ? 2 : 0;
        $led = Contestant::suit($trick->card[$trick->leader]);
        if (Contestant::suit($card) !== $led) {
            $this->truth->isOut[$player][$led] = true;
        }
        $this->truth->where[$card] = Contestant::TABLE;
        $this->truth->owner[$card] = $player;
        $this->truth->cardsLeft[$player]--;
        $this->truth->hand = array_values(array_diff($this->truth->hand, [$card]));
    }

    private function onStartHand(): void
    {
        $read = fn (int $count): array => array_values(array_filter(
            array_map(fn (): ?int => $this->readCard(), range(1, $count)),
            fn (?int $card): bool => $card !== null,
        ));
        $this->truth->round++;
        $this->truth->newRound(($this->truth->round - 1) % 4);
        $this->truth->me = $this->readPlayer();
        $this->truth->hand = $read(10);
        $this->truth->pool = $read(12);
        foreach ($this->truth->hand as $card) {
            $this->truth->where[$card] = Contestant::HELD;
            $this->truth->owner[$card] = $this->truth->me;
        }
        foreach ($this->truth->pool as $card) {
            $this->truth->where[$card] = Contestant::POOL;
        }
        $this->takesEnded = $this->roundEnded = false;
        $this->call('startRound');
    }

    private function onTake(): void
    {
        $this->truth->dealer = $this->readOthers($this->tellTake(...));
        $this->answer('takeCard', $this->call('takeCard'));
    }

    private function onAfterTake(): void
    {
        $this->truth->dealer = $this->readFour($this->tellTake(...));
        if ($this->truth->pool === []) {
            $this->endTakesOnce();
        }
    }

    private function endTakesOnce(): void
    {
        if ($this->takesEnded) {
            return;
        }
        $this->takesEnded = true;
        $this->truth->trickNumber = 1;
        $this->truth->trick = new Trick($this->truth->dealer, 3);
        $this->call('endTakes');
    }

    private function onPlay(): void
    {
        $this->endTakesOnce(); // for a person who types and left out an aftertake
        $this->truth->trick->leader = $this->readOthers($this->tellPlay(...));
        $this->answer('playCard', $this->call('playCard'));
    }

    private function onResult(): void
    {
        $this->readFour($this->tellPlay(...));
        $trick = $this->truth->trick;
        if ($trick->winner === null || $this->truth->trickNumber < 1 || $this->truth->trickNumber > 13) {
            return;
        }
        foreach ($trick->card as $card) {
            if ($card !== null) {
                $this->truth->where[$card] = Contestant::PLAYED;
            }
        }
        $this->truth->points[$trick->winner] += $trick->points;
        $this->truth->past[] = $trick;
        $this->truth->trickNumber++;
        $this->truth->trick = new Trick($trick->winner, Contestant::trickPoints($this->truth->trickNumber, []));
    }

    private function onEndRound(): void
    {
        if ($this->roundEnded) {
            return;
        }
        $this->roundEnded = true;
        foreach ($this->truth->points as $player => $points) {
            $this->truth->total[$player] += $points;
        }
        $this->call('endRound');
    }
}
