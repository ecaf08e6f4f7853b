<?php
/*
 * shell.php - an empty player of Even Steven, for you to fill in.
 *
 * Team:
 * Strategy in one line:
 *
 * Read steven.php: it describes Card and Game, and the helper routines. This shell plays the first card of its hand,
 * whatever was dealt. Write chooseCard, then try it:
 *
 *     printf '4 876390176\n4 653723903\n' | python3 kibitz.pyz dealer shell.php
 */
declare(strict_types=1);

require_once __DIR__ . '/steven.php';

use Steven\Card;
use Steven\Game;

/**
 * Return the card of your hand that you play on $game->open: one of $game->hand. If none of them covers it, the game is
 * lost; play one all the same. Not all games can be won.
 */
function chooseCard(Game $game): Card
{
    return $game->hand[0];
}

$game = new Game();
while ($game->nextCard()) {
    $card = chooseCard($game);
    Steven\debug("game $game->number: $game->open is dealt, I play $card");
    $game->play($card);
}
