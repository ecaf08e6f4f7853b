<?php
/*
 * intensity_kit.php - what your Intensity player may use, and the part that reads the question. Do not change it: the contest
 * puts its own copy beside your file.
 *
 * You write a class with four methods (shell.php describes them):
 *
 *     playerName   chooseDiscards   chooseCard   runUnitTests
 *
 * The last line of your file hands it to Intensity\run, which reads the question, calls the method that is wanted, and prints
 * what it returns. Your program is started again for every question: nothing is left of the question before.
 *
 * Print nothing to standard output: it belongs to the answer. Debug with fwrite(STDERR, ...); only your team can read that
 * afterwards.
 */
declare(strict_types=1);

namespace Intensity;

const BUFFALO = 47; // cards are numbers, 10 ... 49

function isCalf(int $card): bool
{
    return $card >= 30 && $card <= 39;
}

/** What a card costs the player who wins its round. */
function penalty(int $card): int
{
    return $card === BUFFALO ? 7 : (int) isCalf($card);
}

/** Who wins a round of [position, card], given in the order of play. */
function winner(array $round): int
{
    $best = $round[0];
    foreach ($round as $play) {
        if (intdiv($play[1], 10) === intdiv($best[1], 10) && $play[1] > $best[1]) {
            $best = $play;
        }
    }
    return $best[0];
}

function inTurn(int $first, array $cards): array
{
    return array_map(fn ($turn, $card) => [($first + $turn) % 4, $card], array_keys($cards), $cards);
}

/** What you write. */
interface Player
{
    /** At most 32 characters. */
    public function playerName(): string;

    /** The three cards of your hand that go to the player on your left. */
    public function chooseDiscards(array $hand): array;

    /** The card that you play. */
    public function chooseCard(Question $question): int;

    /** What the contest runs when it checks your program. */
    public function runUnitTests(): void;
}

/** Everything you know when a card is due. Lists are in the order of play, hands and discards in increasing order. */
final class Question
{
    public int $position;    // your place at the table, 0 ... 3
    public array $hand;
    public array $table;     // the cards of this round so far; empty: you lead
    public array $played;    // the cards of all rounds before
    public array $discarded; // what you gave to the player on your left, ($position + 1) % 4
    public array $received;  // what you got from the player on your right

    public function __construct(
        int $position,
        array $hand,
        array $table = [],
        array $played = [],
        array $discarded = [],
        array $received = []
    ) {
        $this->position = $position;
        $this->hand = $hand;
        $this->table = $table;
        $this->played = $played;
        $this->discarded = $discarded;
        $this->received = $received;
    }

    /** Whether a calf was played in an earlier round, so that calves may be led. */
    public function calfPlayed(): bool
    {
        return array_filter($this->played, 'Intensity\isCalf') !== [];
    }

    /** The cards that you may play, in increasing order. */
    public function legal(): array
    {
        $calves = $this->calfPlayed();
        $allowed = fn (int $card): bool => $this->table === []
            ? $calves || !isCalf($card)
            : intdiv($card, 10) === intdiv($this->table[0], 10);
        return array_values(array_filter($this->hand, $allowed)) ?: $this->hand;
    }

    /** The rounds before this one, each a list of [position, card] in the order of play. */
    public function rounds(): array
    {
        $found = [];
        $leader = 0;
        foreach (array_chunk($this->played, 4) as $cards) {
            $found[] = $round = inTurn($leader, $cards);
            $leader = winner($round);
        }
        return $found;
    }

    /** The cards of this round so far, as [position, card]. */
    public function onTheTable(): array
    {
        return inTurn($this->position + 4 - count($this->table), $this->table);
    }
}

// Random numbers (random_int cannot be repeated; mt_rand and shuffle can) are different in every run, unless the environment
// variable INTENSITY_SEED holds a number.
if (is_numeric(getenv('INTENSITY_SEED'))) {
    mt_srand((int) getenv('INTENSITY_SEED'));
}

/** Answer the question on standard input. */
function run(Player $player): void
{
    $numbers = array_map('intval', preg_split('/\s+/', stream_get_contents(STDIN), -1, PREG_SPLIT_NO_EMPTY));
    switch (array_shift($numbers)) {
        case 0:
            echo $player->playerName(), "\n";
            break;
        case 1:
            echo implode(' ', $player->chooseDiscards($numbers)), "\n";
            break;
        case 2:
            [$held, $lying, $position] = array_splice($numbers, 0, 3);
            $groups = [];
            foreach ([$held, $lying, 4 * (10 - $held), 3, 3] as $size) {
                $groups[] = array_splice($numbers, 0, $size);
            }
            echo $player->chooseCard(new Question($position, ...$groups)), "\n";
            break;
        default:
            $player->runUnitTests();
    }
}
