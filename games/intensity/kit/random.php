<?php
/*
 * random.php - an Intensity player that follows the rules and otherwise plays at random. It loses to any reasonable player:
 * make it a little better, again and again.
 */
declare(strict_types=1);

require_once __DIR__ . '/intensity_kit.php';

use Intensity\Question;

final class RandomPlayer implements Intensity\Player
{
    public function playerName(): string
    {
        return 'Random in PHP';
    }

    public function chooseDiscards(array $hand): array
    {
        shuffle($hand);
        return array_slice($hand, 0, 3);
    }

    public function chooseCard(Question $question): int
    {
        $legal = $question->legal();
        return $legal[mt_rand(0, count($legal) - 1)];
    }

    public function runUnitTests(): void
    {
        echo "no tests\n";
    }
}

// Do not change this.
Intensity\run(new RandomPlayer());
