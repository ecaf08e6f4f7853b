<?php
// Plays anything that the rules allow. Replace the two choices by your own.

declare(strict_types=1);

require __DIR__ . '/barracuda.php';

/** A card of the hand, or a challenge where one may be offered. */
function chooseCard(array $state, float $remaining): int
{
    if ($state['can_challenge'] && mt_rand(1, 20) === 1) {
        return Barracuda\CHALLENGE;
    }
    return $state['hand'][array_rand($state['hand'])];
}

/** Whether to accept the challenge that the other player has offered. */
function answerChallenge(array $state, float $remaining): bool
{
    return mt_rand(0, 1) === 1;
}

Barracuda\run('chooseCard', 'answerChallenge');
