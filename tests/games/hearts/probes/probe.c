/* Tells on standard error what each routine is called with, and plays the first card that is not gone, as told below. */
#include "mactech98.h"

#include <stdio.h>

#pragma enumsalwaysint on

static int answers[] = {5, 4, 0, 1, 2, 10, 3, 6, 12, 7, 8, 9, 11};
static int seat;

static void Show(const Card *cards, int count)
{
    int i;
    for (i = 0; i < count; i++) fprintf(stderr, " %d.%d", (int)cards[i].suit, (int)cards[i].spot);
    fprintf(stderr, "\n");
}

pascal void InitTournament(const UInt16 numPlayers, const UInt16 gameEndingScore)
{
    fprintf(stderr, "tournament %d %d\n", numPlayers, gameEndingScore);
}

pascal void InitGame(const Uint32 playerID[4], const UInt16 yourSeat)
{
    seat = yourSeat;
    fprintf(stderr, "game %u %u %u %u seat %d\n", playerID[0], playerID[1], playerID[2], playerID[3], seat);
}

pascal void SelectPass(const Card dealtHand[13], const Pass passDirection, UInt16 passedCards[3])
{
    fprintf(stderr, "pass %d:", (int)passDirection);
    Show(dealtHand, 13);
    passedCards[0] = 0;
    passedCards[1] = 1;
    passedCards[2] = 2;
    ((Card *)dealtHand)[5].suit = kNoSuit; /* harms nobody but ourselves */
}

pascal void PlayTrick(const UInt16 trickNumber, const UInt16 trickLeader, const Card yourHand[13],
    const Card cardsPlayed[4], UInt16 *yourPlay)
{
    fprintf(stderr, "play %d leader %d table", trickNumber, trickLeader);
    Show(cardsPlayed, 4);
    fprintf(stderr, "hand");
    Show(yourHand, 13);
    *yourPlay = (UInt16)answers[trickNumber];
}

pascal void TrickResults(const Card lastTrick[4], const UInt16 trickWinner)
{
    fprintf(stderr, "winner %d", trickWinner);
    Show(lastTrick, 4);
}

pascal void HandResults(const SInt16 pointsThisHand[4], const SInt32 cumPoints[4])
{
    fprintf(stderr, "points %d %d %d %d total %d %d %d %d mine %d\n", pointsThisHand[0], pointsThisHand[1],
        pointsThisHand[2], pointsThisHand[3], (int)cumPoints[0], (int)cumPoints[1], (int)cumPoints[2], (int)cumPoints[3],
        (int)pointsThisHand[seat]);
}
