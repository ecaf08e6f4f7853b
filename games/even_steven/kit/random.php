<?php
// random.php - plays any card of its hand, whether it covers or not. It loses most games that could be won, so improve it.
declare(strict_types=1);

require_once __DIR__ . '/steven.php';

$game = new Steven\Game();
while ($game->nextCard()) {
    $card = $game->hand[mt_rand(0, count($game->hand) - 1)];
    Steven\debug("$game->open is dealt, I play $card");
    $game->play($card);
}
