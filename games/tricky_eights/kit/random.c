/*
 * random.c - a contestant that follows the rules and otherwise takes and plays at random. It loses to any reasonable player:
 * make it a little better, again and again.
 */
#include "acm98.h"

void StartGame(void)
{
}

void StartRound(void)
{
}

Card TakeCard(void)
{
    return GAME.pool[RandomInt(GAME.poolCount)];
}

void EndTakes(void)
{
}

Card PlayCard(void)
{
    Card legal[13];
    int count = LegalCards(legal);

    return legal[RandomInt(count)];
}

void EndRound(void)
{
}
