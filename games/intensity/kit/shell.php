<?php
/*
 * shell.php - an empty Intensity player, for you to fill in.
 *
 * Author:
 * Strategy in one line:
 *
 * Read intensity_kit.php first: it describes the question. This shell plays the first card that is allowed, so it follows the
 * rules from the start. Change one thing at a time, and play a few games after every change.
 */
declare(strict_types=1);

require_once __DIR__ . '/intensity_kit.php';

use Intensity\Question;

final class Shell implements Intensity\Player
{
    /** At most 32 characters. */
    public function playerName(): string
    {
        return 'COMP1511 student';
    }

    /** The three cards of your hand (ten numbers, in increasing order) that go to the player on your left. */
    public function chooseDiscards(array $hand): array
    {
        return array_slice($hand, 0, 3);
    }

    /** The card that you play: see Question in intensity_kit.php. */
    public function chooseCard(Question $question): int
    {
        return $question->legal()[0];
    }

    /** The contest runs this when it checks your program, and shows you what it prints. */
    public function runUnitTests(): void
    {
        $hand = [11, 15, 18, 23, 33, 34, 47, 48, 49];
        $sample = new Question(0, $hand, [24, 26], [16, 13, 19, 12], [37, 38, 39], [34, 47, 48]);
        if ($sample->legal() !== [23]) {
            throw new Exception('legal: ' . implode(' ', $sample->legal()));
        }
        if ($this->chooseCard($sample) !== 23) {
            throw new Exception('chooseCard: ' . $this->chooseCard($sample));
        }
        echo "all tests passed\n";
    }
}

// Do not change this.
Intensity\run(new Shell());
