/* A client for the Barracuda contest server: connects, reads requests, sends answers, and connects again.
 *
 *     gcc -O2 -o bot random.c barracuda.c && ./bot HOST PORT [TOKEN]
 *
 * HOST is an address such as 127.0.0.1, or localhost. Your own file has the three functions below; random.c shows how.
 */
#ifndef BARRACUDA_H
#define BARRACUDA_H

#define OFFER_CHALLENGE 0 /* what ChooseCard returns instead of a card to offer a challenge */

struct State {
    int hand[5];      /* your cards, 1 ... 13, from high to low */
    int handCount;    /* how many */
    int card;         /* the card on the table; 0 when there is none */
    int handId;       /* 1 for the first hand of a game */
    int gameId;       /* unique to this game */
    int yourTricks;   /* taken in this hand */
    int theirTricks;
    int canChallenge; /* whether you may offer a challenge now */
    int inChallenge;  /* whether one was accepted: this hand decides the game */
    int totalTricks;  /* played in this hand, ties included */
    int yourPoints;   /* in this game; ten win it */
    int theirPoints;
    int opponentId;   /* the number of the other team */
    int playerNumber; /* 0 if you led the game, else 1 */
    double remaining; /* seconds left on your clock for this whole game */
};

struct Result {
    char type[16]; /* "trick_won", "trick_tied", "hand_done", "game_won", "accepted" or "error" */
    int by;        /* a player number; -1 when there is none */
    int card;      /* of "trick_won": the last card played */
    int me;        /* your own player number */
};

/* Yours: a card of the hand, or OFFER_CHALLENGE where state->canChallenge holds. */
int ChooseCard(const struct State *state);

/* Yours: whether to accept the challenge that the other player has offered. */
int AnswerChallenge(const struct State *state);

/* Yours: the result of a move. May do nothing. */
void HearResult(const struct Result *result);

#endif
