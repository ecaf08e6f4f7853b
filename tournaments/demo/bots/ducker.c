/* Hearts for beginners: pass the three highest cards, take a trick only when there is no way around it. */
#include "mactech98.h"

static int pointsPlayed; /* a heart or the queen of spades was played on an earlier trick of this hand */

pascal void InitTournament(const UInt16 numPlayers, const UInt16 gameEndingScore)
{
    (void)numPlayers;
    (void)gameEndingScore;
}

pascal void InitGame(const Uint32 playerID[4], const UInt16 yourSeat)
{
    (void)playerID;
    (void)yourSeat;
}

static int IsPoint(Card card)
{
    return card.suit == kHeart || (card.suit == kSpade && card.spot == kQueen);
}

/* The queen of spades is the first to go. */
static int Danger(Card card)
{
    return card.suit == kSpade && card.spot == kQueen ? 100 : 2 * (int)card.spot + (card.suit == kHeart);
}

pascal void SelectPass(const Card dealtHand[13], const Pass passDirection, UInt16 passedCards[3])
{
    int chosen[13] = {0}, n, i, best;
    (void)passDirection;
    pointsPlayed = 0;
    for (n = 0; n < 3; n++) {
        for (best = -1, i = 0; i < 13; i++)
            if (!chosen[i] && (best < 0 || Danger(dealtHand[i]) > Danger(dealtHand[best]))) best = i;
        chosen[best] = 1;
        passedCards[n] = (UInt16)best;
    }
}

static int IsLegal(const Card hand[13], int index, int trickNumber, Card led)
{
    Card card = hand[index];
    int i, follows = 0, others = 0;
    for (i = 0; i < 13; i++) {
        if (hand[i].suit == kNoSuit) continue;
        if (hand[i].suit == led.suit) follows = 1;
        if (!IsPoint(hand[i])) others = 1;
    }
    if (card.suit == kNoSuit) return 0; /* played already */
    if (led.suit != kNoSuit) return card.suit == led.suit || !follows;
    if (trickNumber == 0) return card.suit == kClub && card.spot == k2;
    return card.suit != kHeart || pointsPlayed || !others;
}

/* What one would rather play: the highest card that stays under the trick, else the lowest; and away with danger. */
static int Wish(Card card, Card led, int winning)
{
    if (led.suit == kNoSuit) return -(int)card.spot;
    if (card.suit != led.suit) return 100 + Danger(card);
    return (int)card.spot < winning ? 50 + (int)card.spot : -(int)card.spot;
}

pascal void PlayTrick(const UInt16 trickNumber, const UInt16 trickLeader, const Card yourHand[13],
    const Card cardsPlayed[4], UInt16 *yourPlay)
{
    Card led = cardsPlayed[trickLeader];
    int i, best = -1, winning = 0;
    for (i = 0; i < 4; i++)
        if (cardsPlayed[i].suit == led.suit && (int)cardsPlayed[i].spot > winning) winning = (int)cardsPlayed[i].spot;
    for (i = 0; i < 13; i++) {
        if (!IsLegal(yourHand, i, trickNumber, led)) continue;
        if (best < 0 || Wish(yourHand[i], led, winning) > Wish(yourHand[best], led, winning)) best = i;
    }
    *yourPlay = (UInt16)best;
}

pascal void TrickResults(const Card lastTrick[4], const UInt16 trickWinner)
{
    int i;
    (void)trickWinner;
    for (i = 0; i < 4; i++)
        if (IsPoint(lastTrick[i])) pointsPlayed = 1;
}

pascal void HandResults(const SInt16 pointsThisHand[4], const SInt32 cumPoints[4])
{
    (void)pointsThisHand;
    (void)cumPoints;
}
