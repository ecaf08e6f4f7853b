/* Pseudo-random: takes the highest card of the pool and plays the highest one that it may. */
#include "acm98.h"

static Card highest(const Card *cards, int count)
{
    Card best = cards[0];
    for (int i = 1; i < count; i++)
        if (FACE(cards[i]) > FACE(best))
            best = cards[i];
    return best;
}

void StartGame() {}
void StartRound() {}
Card TakeCard() { return highest(GAME.pool, GAME.poolCount); }
void EndTakes() {}

Card PlayCard()
{
    Card legal[13];
    int count = LegalCards(legal);
    return highest(legal, count);
}

void EndRound() {}
