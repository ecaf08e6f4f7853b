/*
 * ducks.c - a contestant for first-cup.sh: it passes its highest cards, leads and follows low, and throws away high cards
 * when it cannot follow. The rest is the starter kit's random player.
 */
#include "mactech98.h"

#include <stdlib.h>
#include <time.h>

static int pointsPlayed; /* a heart or the queen of spades was played on an earlier trick of this hand */

static int IsPoint(Card card)
{
    return card.suit == kHeart || (card.suit == kSpade && card.spot == kQueen);
}

pascal void InitTournament(const UInt16 numPlayers, const UInt16 gameEndingScore)
{
    (void)numPlayers;
    (void)gameEndingScore;
    srand((unsigned)time(NULL));
}

pascal void InitGame(const Uint32 playerID[4], const UInt16 yourSeat)
{
    srand((unsigned)rand() + playerID[yourSeat]); /* so that two of us do not play alike */
}

pascal void SelectPass(const Card dealtHand[13], const Pass passDirection, UInt16 passedCards[3])
{
    int i, j;
    pointsPlayed = 0;
    if (passDirection == kNoPass) return; /* called all the same: a good place to begin a hand */
    for (i = 0; i < 3; i++) {
        int best = -1;
        for (j = 0; j < 13; j++) {
            int taken = (i > 0 && passedCards[0] == j) || (i > 1 && passedCards[1] == j);
            if (!taken && (best < 0 || dealtHand[j].spot > dealtHand[best].spot)) best = j;
        }
        passedCards[i] = (UInt16)best;
    }
}

/* Whether the rules allow a card of the hand now. */
static int IsLegal(const Card hand[13], int index, int trickNumber, Card led)
{
    Card card = hand[index];
    int i, follows = 0, others = 0;
    if (card.suit == kNoSuit) return 0; /* played already */
    for (i = 0; i < 13; i++) {
        if (hand[i].suit == kNoSuit) continue;
        if (hand[i].suit == led.suit) follows = 1;
        if (!IsPoint(hand[i])) others = 1;
    }
    if (led.suit != kNoSuit) return card.suit == led.suit || !follows;
    if (trickNumber == 0) return card.suit == kClub && card.spot == k2;
    return card.suit != kHeart || pointsPlayed || !others;
}

pascal void PlayTrick(const UInt16 trickNumber, const UInt16 trickLeader, const Card yourHand[13],
    const Card cardsPlayed[4], UInt16 *yourPlay)
{
    UInt16 legal[13];
    Suit led;
    int i, low, count = 0;
    for (i = 0; i < 13; i++) {
        if (IsLegal(yourHand, i, trickNumber, cardsPlayed[trickLeader])) legal[count++] = (UInt16)i;
    }
    led = cardsPlayed[trickLeader].suit;
    low = led == kNoSuit || led == yourHand[legal[0]].suit;
    *yourPlay = legal[0];
    for (i = 1; i < count; i++) {
        if (low == (yourHand[legal[i]].spot < yourHand[*yourPlay].spot)) *yourPlay = legal[i];
    }
}

pascal void TrickResults(const Card lastTrick[4], const UInt16 trickWinner)
{
    int i;
    (void)trickWinner;
    for (i = 0; i < 4; i++) {
        if (IsPoint(lastTrick[i])) pointsPlayed = 1;
    }
}

pascal void HandResults(const SInt16 pointsThisHand[4], const SInt32 cumPoints[4])
{
    (void)pointsThisHand;
    (void)cumPoints;
}
