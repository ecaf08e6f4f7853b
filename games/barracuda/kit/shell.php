<?php
// An empty player: your strategy goes here. As it stands it plays its highest card and rejects every challenge.

declare(strict_types=1);

require __DIR__ . '/barracuda.php';

function chooseCard(array $state, float $remaining): int
{
    return $state['hand'][0];
}

function answerChallenge(array $state, float $remaining): bool
{
    return false;
}

/** Such as ['type' => 'trick_won', 'by' => 1, 'card' => 13]; 'by' is $me when it was you. */
function hearResult(array $result, int $me): void
{
}

Barracuda\run('chooseCard', 'answerChallenge', 'hearResult');
