/* Memoryless: wins a trick as cheaply as it can when it plays last or when the trick is worth something, and otherwise
 * throws its lowest card. */
#include "acm98.h"

void StartGame() {}
void StartRound() {}

Card TakeCard()
{
    Card best = GAME.pool[0];
    for (int i = 1; i < GAME.poolCount; i++)
        if (FACE(GAME.pool[i]) > FACE(best))
            best = GAME.pool[i];
    return best;
}

void EndTakes() {}

Card PlayCard()
{
    Card legal[13], lowest, cheapest = NO_CARD, highest;
    int count = LegalCards(legal);

    lowest = highest = legal[0];
    for (int i = 0; i < count; i++) {
        if (FACE(legal[i]) < FACE(lowest))
            lowest = legal[i];
        if (FACE(legal[i]) > FACE(highest))
            highest = legal[i];
        if (WouldWin(legal[i]) && (cheapest == NO_CARD || FACE(legal[i]) < FACE(cheapest)))
            cheapest = legal[i];
    }
    if (GAME.trick.count == 0)
        return FACE(highest) >= KING ? highest : lowest;
    if (GAME.trick.count == 3 && cheapest != NO_CARD)
        return cheapest;
    if (GAME.trick.points >= 3 && WouldWin(highest))
        return highest;
    return lowest;
}

void EndRound() {}
