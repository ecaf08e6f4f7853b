/*
 * random.c - plays any card of its hand, whether it covers or not. It loses most games that could be won, so improve it.
 */
#include "steven.h"

int main(int argc, char **argv)
{
    Game game;

    StartGames(&game, argc, argv);
    while (NextCard(&game)) {
        Card card = game.hand[RandomInt(game.count)];

        Debug("%s is dealt, I play %s", game.open.name, card.name);
        PlayCard(&game, card);
    }
    return 0;
}
