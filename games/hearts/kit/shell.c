/*
 * shell.c - an empty contestant for Hearts, for you to fill in.
 *
 * Team:
 * Strategy in one line:
 *
 * Read mactech98.h first: it has the six prototypes as they were printed in 1998. This shell passes its first three cards and plays
 * the first card that is allowed, so it follows the rules from the start. Change one thing at a time, and play a few games
 * after every change.
 *
 * Your program stays alive for a whole match of many games, so variables of your own keep their values from one call to the
 * next. Every millisecond of processor time in your routines costs a point.
 */
#include <stdio.h>

#include "mactech98.h"

static int me;           /* our seat */
static int pointsPlayed; /* a heart or the queen of spades was played on an earlier trick of this hand */

/* InitTournament is called once, before anything else. numPlayers: how many players take part in the tournament;
   gameEndingScore: a game is over after the hand in which somebody has so many points. */
pascal void InitTournament(const UInt16 numPlayers, const UInt16 gameEndingScore)
{
    (void)numPlayers;
    (void)gameEndingScore;
}

/* InitGame is called before each game. playerID tells who sits where: the same number is the same player throughout the
   tournament. Player i + 1 (mod 4) sits to the left of player i. */
pascal void InitGame(const Uint32 playerID[4], const UInt16 yourSeat)
{
    (void)playerID;
    me = yourSeat;
}

/* SelectPass is called at the beginning of every hand. Write three different indices of dealtHand (0 ... 12) into passedCards.
   With kNoPass nothing is passed, and what you write is ignored. */
pascal void SelectPass(const Card dealtHand[13], const Pass passDirection, UInt16 passedCards[3])
{
    (void)dealtHand;
    (void)passDirection;
    pointsPlayed = 0;
    passedCards[0] = 0;
    passedCards[1] = 1;
    passedCards[2] = 2;
}

static int IsPoint(Card card)
{
    return card.suit == kHeart || (card.suit == kSpade && card.spot == kQueen);
}

/* Whether the rules allow a card of the hand now. led is kNoSuit, kNoSpot when you lead. */
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

/* PlayTrick is called 13 times a hand. yourHand has gaps (kNoSuit, kNoSpot) where cards were played, and the cards that were
   passed to you in the places of those that you passed. cardsPlayed is indexed by seat; only the entries from trickLeader
   to the one before your seat are cards. Write the index of your card into *yourPlay. */
pascal void PlayTrick(const UInt16 trickNumber, const UInt16 trickLeader, const Card yourHand[13],
    const Card cardsPlayed[4], UInt16 *yourPlay)
{
    int i;
    for (i = 0; i < 13; i++) {
        if (IsLegal(yourHand, i, trickNumber, cardsPlayed[trickLeader])) {
            *yourPlay = (UInt16)i;
            return;
        }
    }
}

/* TrickResults is called after each trick: what everybody played, by seat, and who took it. */
pascal void TrickResults(const Card lastTrick[4], const UInt16 trickWinner)
{
    int i;
    (void)trickWinner;
    for (i = 0; i < 4; i++) {
        if (IsPoint(lastTrick[i])) pointsPlayed = 1;
    }
}

/* HandResults is called after each hand. A player who has shot the moon gets -26 points. */
pascal void HandResults(const SInt16 pointsThisHand[4], const SInt32 cumPoints[4])
{
    fprintf(stderr, "my points: %d, now %d in all\n", (int)pointsThisHand[me], (int)cumPoints[me]);
}
