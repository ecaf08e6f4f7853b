<?php
/*
 * random.php - a contestant that follows the rules and otherwise takes and plays at random. It loses to any reasonable player:
 * make it a little better, again and again.
 */
declare(strict_types=1);

require_once __DIR__ . '/acm98.php';

final class RandomPlayer extends Acm98\Contestant
{
    public function startGame(): void
    {
    }

    public function startRound(): void
    {
    }

    public function takeCard(): int
    {
        return $this->game->pool[self::randomInt(count($this->game->pool))];
    }

    public function endTakes(): void
    {
    }

    public function playCard(): int
    {
        $legal = $this->legalCards();
        return $legal[self::randomInt(count($legal))];
    }

    public function endRound(): void
    {
    }
}

// Do not change this.
(new RandomPlayer())->run();
