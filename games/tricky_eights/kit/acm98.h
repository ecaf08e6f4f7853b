/*
 * acm98.h - what your Tricky Eights contestant may use. Read it, do not change it.
 *
 * You write six functions (they are declared at the end of this file, and described in the shell):
 *
 *     StartGame   StartRound   TakeCard   EndTakes   PlayCard   EndRound
 *
 * acm98.c (or acm98.cpp) has main(). It reads what the server says, keeps the structure GAME up to date, calls your functions
 * and sends the cards they return. All of it works the same in C and in C++.
 *
 * Two things to remember:
 *   - Print nothing to standard output: it belongs to the server. Debug with fprintf(stderr, ...); only your team
 *     can read that afterwards.
 *   - GAME is read-only. The compiler refuses to change it. Tricking the compiler harms only your own program: the
 *     library keeps its own copy, and the server believes no one.
 */
#ifndef ACM98_H
#define ACM98_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------------------
 * Players, suits, faces, cards
 * ------------------------------------------------------------------------------------------------------------------ */

/* Players sit clockwise in this order. The player after p is (p + 1) % 4. */
enum { NORTH = 0, EAST = 1, SOUTH = 2, WEST = 3, PLAYERS = 4 };

/* Used where there is no player. */
enum { NOBODY = -1 };

enum { CLUBS = 0, DIAMONDS = 1, HEARTS = 2, SPADES = 3, SUITS = 4 };

/* Faces are 2 ... 14. The cards between are simply 2 ... 10. */
enum { JACK = 11, QUEEN = 12, KING = 13, ACE = 14 };

/*
 * A card is a number 0 ... 51, so that it can be the index of a table: first the clubs from 2 to ace (0 ... 12), then the
 * diamonds, the hearts and the spades. Take it apart and put it together with these three.
 */
typedef int Card;

enum { NO_CARD = -1, CARDS = 52 };

#define SUIT(card) ((card) / 13)                               /* CLUBS ... SPADES */
#define FACE(card) ((card) % 13 + 2)                           /* 2 ... ACE */
#define CARD(suit, face) ((suit) * 13 + (face) - 2)            /* CARD(HEARTS, 8) is the eight of hearts */

/* ---------------------------------------------------------------------------------------------------------------------
 * GAME
 * ------------------------------------------------------------------------------------------------------------------ */

/* Where a card is, as far as you can know: GAME.where[card]. */
enum {
    HIDDEN,   /* dealt to one of the other players, you do not know to whom */
    POOL,     /* face up in the pool, may still be taken */
    HELD,     /* in the hand of player GAME.owner[card]: yours, or taken from the pool where everybody saw it */
    TABLE,    /* on the table, in the current trick */
    PLAYED    /* went with an earlier trick */
};

/* One trick, finished or not. */
struct Trick {
    int leader;           /* who played the first card */
    int count;            /* how many cards it has, 0 ... 4 */
    Card card[PLAYERS];   /* card[p]: what player p played, or NO_CARD. The index is the player, not the order. */
    int winner;           /* who wins it as it stands (NOBODY while it is empty) */
    int points;           /* what it is worth as it stands: 1 (first and last trick 3) and 2 for each eight */
};

struct Game {
    /* The game */
    int me;                     /* which player you are: NORTH ... WEST */
    int round;                  /* number of the round, from 1 */
    int dealer;                 /* dealer of this round: takes first, and leads the first trick */
    int total[PLAYERS];         /* points of all finished rounds. In EndRound this round is already in it. */
    int points[PLAYERS];        /* points made in this round so far */

    /* Your hand: the cards you hold now, in the order in which you got them. Cards you played are no longer in it. */
    int handCount;              /* 10 ... 13 during the takes, then one less after every trick */
    Card hand[13];

    /* The takes */
    int poolCount;              /* how many cards are left in the pool: during TakeCard, those you may choose from */
    Card pool[12];
    int taken[PLAYERS];         /* how many cards player p took so far, 0 ... 3 */
    Card take[PLAYERS][3];      /* take[p][0 ... taken[p] - 1]: what player p took, in that order */

    /* The play */
    int trickNumber;            /* number of the current trick 1 ... 13; 0 during the takes, 14 in EndRound */
    struct Trick trick;         /* the current trick: in PlayCard the cards that were played before you */
    struct Trick past[13];      /* past[0 ... trickNumber - 2]: the finished tricks of this round */

    /* What you know of every card and every player: a card counter's table, kept for you */
    int where[CARDS];           /* HIDDEN, POOL, HELD, TABLE or PLAYED */
    int owner[CARDS];           /* who holds, played or took that card; NOBODY for a card that is HIDDEN or in the POOL */
    int cardsLeft[PLAYERS];     /* how many cards player p holds */
    int isOut[PLAYERS][SUITS];  /* 1 if player p is known to have no card of that suit left, because it did not follow */
};

/* The structure itself. Write GAME.hand[0], GAME.me and so on. */
extern const struct Game *const acm98_game;
#define GAME (*acm98_game)

/* ---------------------------------------------------------------------------------------------------------------------
 * Helper routines (acm98.c). None of them changes anything.
 * ------------------------------------------------------------------------------------------------------------------ */

/* Fills list with the cards you may play now and returns how many they are: those of the suit led, if you have any, else
   your whole hand. During the takes: the cards you may take. list has room for 13. */
int LegalCards(Card list[13]);

/* 1 if you may play (during the takes: take) this card now, else 0. */
int IsLegal(Card card);

/* 1 if this card would be the winning one of the current trick if you played it now. */
int WouldWin(Card card);

/* How many cards of a suit you hold. */
int CountSuit(int suit);

/* How many cards that beat this one (same suit, higher) may still come from the other players: those that are not yours,
   not played and not on the table. 0: nobody can beat it any more, if its suit is led. */
int CountHigher(Card card);

/* 1 if you know where the card is: it was played, is on the table or in the pool, was taken by somebody, or is yours. */
int IsSeen(Card card);

/* What a trick with these cards would be worth: 1, or 3 for trick numbers 1 and 13, and 2 for each eight. */
int TrickPoints(int trickNumber, const Card *cards, int count);

/* The next player clockwise. */
int NextPlayer(int player);

/* A random number 0 ... n - 1, evenly distributed. Different in every run, unless the environment variable ACM98_SEED
   holds a number (to debug: the same number gives the same random numbers; it is not set in the contest). */
int RandomInt(int n);

/* The name of a card as the server writes it, such as "dk". Good for fprintf(stderr, ...). */
const char *CardName(Card card);

/* The inverse: CardFromName("dk"). NO_CARD if it is not a card. */
Card CardFromName(const char *name);

/* "north", "east", "south", "west". */
const char *PlayerName(int player);

/* ---------------------------------------------------------------------------------------------------------------------
 * Your six functions. None may take more than 4 seconds. shell.c and shell.cpp tell what each is for.
 * ------------------------------------------------------------------------------------------------------------------ */
void StartGame(void);
void StartRound(void);
Card TakeCard(void);
void EndTakes(void);
Card PlayCard(void);
void EndRound(void);

#ifdef __cplusplus
}
#endif

#endif
