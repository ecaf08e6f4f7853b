/*
 * shell.c - an empty player of Even Steven, for you to fill in.
 *
 * Team:
 * Strategy in one line:
 *
 * Read the first part of steven.h: it describes Game and Card, and the helper routines. This shell plays the first card of its
 * hand, whatever was dealt. Write ChooseCard, then try it:
 *
 *     printf '4 876390176\n4 653723903\n' | python3 kibitz.pyz dealer shell.c
 */
#include "steven.h"

/* Return the card of your hand that you play on game->open: one of game->hand[0 ... game->count - 1].
   If none of them covers it, the game is lost, but play one anyway. Not all games can be won. */
static Card ChooseCard(const Game *game)
{
    return game->hand[0];
}

int main(int argc, char **argv)
{
    Game game;

    StartGames(&game, argc, argv);
    while (NextCard(&game)) {
        Card card = ChooseCard(&game);

        Debug("game %d: %s is dealt, I play %s", game.number, game.open.name, card.name);
        PlayCard(&game, card);
    }
    return 0;
}
