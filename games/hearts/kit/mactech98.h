/*
 * mactech98.h - the prototypes of the Programmer's Challenge "Hearts" (MacTech, October 1998). Read it, do not change it.
 *
 * You write six routines in one source file, in C or C++:
 *
 *     InitTournament   InitGame   SelectPass   PlayTrick   TrickResults   HandResults
 *
 * mactech98.c (or mactech98.cpp) has main(): it talks to the referee, calls your routines, and measures the processor time
 * that they use. One point is added to your score for each millisecond.
 *
 * Two things to remember:
 *   - Print nothing to standard output: it belongs to the referee. Debug with fprintf(stderr, ...); only your team
 *     can read that afterwards.
 *   - What you get is a copy. Casting the `const` away harms only your own program.
 */
#ifndef MACTECH98_H
#define MACTECH98_H

/* The Macintosh names. `pascal` was a calling convention; with the usual one it means nothing. */
#ifndef pascal
#define pascal
#endif

typedef unsigned short UInt16;
typedef short SInt16;
typedef unsigned int UInt32;
typedef UInt32 Uint32; /* both spellings were printed */
typedef int SInt32;

#if defined(__cplusplus)
extern "C" {
#endif

#if defined(__MWERKS__)
#pragma enumsalwaysint on /* as all our compilers do without it */
#endif

typedef enum {kNoSuit=0, kSpade, kHeart, kDiamond, kClub} Suit;
typedef enum {kNoSpot=0, k2, k3, k4, k5, k6, k7, k8, k9, k10,
        kJack, kQueen, kKing, kAce} Spot;
typedef enum {kPassLeft=0, kPassRight, kPassAcross, kNoPass} Pass;

typedef struct Card {
  Suit suit;
  Spot spot;
} Card;

pascal void InitTournament(
  const UInt16 numPlayers,
  /* number of players in the tournament, indexed by seat */
  const UInt16 gameEndingScore
  /* game is over when one player reaches this score */
);

pascal void InitGame(
  const Uint32 playerID[4],  /* Identifier for players in this hand, indexed by seat */
  const UInt16 yourSeat      /* your seat at the table, 0..3 */
);

pascal void SelectPass(
  const Card dealtHand[13],  /* cards you are dealt */
  const Pass passDirection,
  /* direction you are passing, rotates kPassLeft, kPassRight, kPassAcross, kNoPass */
  UInt16 passedCards[3]      /* index in dealtHand of cards you choose to pass */
);

pascal void PlayTrick(
  const UInt16 trickNumber,   /* 13 tricks per hand, 0..12 */
  const UInt16 trickLeader,   /* which player leads this trick */
  const Card yourHand[13],    /* your cards at the beginning of this trick */
  const Card cardsPlayed[4],  /* cards already played this trick, indexed by seat */
  /* entries from [trickLeader] to [yourSeat-1 (mod 4)] are valid */
  UInt16 *yourPlay      /* index into yourHand of the card you choose to play */
);

pascal void TrickResults(
  const Card lastTrick[4],    /* cards played on previous trick, indexed by seat */
  const UInt16 trickWinner    /* which player won this trick */
);

pascal void HandResults(
  const SInt16 pointsThisHand[4],
  /* points earned by each player this hand, -26 .. 25 */
  const SInt32 cumPoints[4]  /* cumulative points earned by each player this game */
  /* both pointsThisHand and cumPoints are indexed by seat number */
  /* your points are pointsThisHand[yourSeat] */
);

#if defined(__cplusplus)
}
#endif

#endif
