/*
 * mactech98.c - talks to the referee of Hearts, so you do not have to. Do not change it: the contest builds your player
 * with its own copy.
 *
 * The referee sends lines:
 *
 *     hello                                    are you there?                       -> ready
 *     tournament PLAYERS TARGET                InitTournament
 *     game ID ID ID ID SEAT                    InitGame
 *     hand DIRECTION thirteen-cards            SelectPass, now if nothing is passed
 *     pass                                     SelectPass                           -> three indices
 *     received (INDEX CARD)x3                  three cards take the places of those that you passed
 *     play TRICK LEADER cards-played           PlayTrick                            -> an index
 *     trick four-cards WINNER                  TrickResults
 *     score four-points four-totals            HandResults
 *     end                                      the game is over                     -> done
 *
 * Each of our answers ends in `cpu N`: the nanoseconds of processor time that your routines have used since the answer
 * before. The referee checks them against the clock of the whole process.
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "mactech98.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const Card NO_CARD = {kNoSuit, kNoSpot};

static UInt16 seat;
static Card dealt[13]; /* as it was dealt: what SelectPass is asked about */
static Card hand[13];  /* as it is now, with gaps */

/* --- the clock ----------------------------------------------------------------------------------------------------- */

static long long used;    /* nanoseconds of your routines since our last answer */
static long long started; /* when the one that is called now was called */

static long long Now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Around every call: TIMED(InitGame(ids, seat)); */
#define TIMED(call) do { started = Now(); call; used += Now() - started; } while (0)

/* --- lines --------------------------------------------------------------------------------------------------------- */

static char input[4096];
static size_t inputEnd, inputNext;

/* The next line without its end, or NULL when there are no more. It is valid until the next call. */
static char *ReadLine(void)
{
    for (;;) {
        char *line = input + inputNext;
        char *end = (char *)memchr(line, '\n', inputEnd - inputNext);
        ssize_t count;
        if (end != NULL) {
            *end = '\0';
            inputNext = (size_t)(end - input) + 1;
            return line;
        }
        memmove(input, line, inputEnd - inputNext);
        inputEnd -= inputNext;
        inputNext = 0;
        if (inputEnd == sizeof input) inputEnd = 0; /* no line of the protocol is so long */
        count = read(0, input + inputEnd, sizeof input - inputEnd);
        if (count <= 0) return NULL;
        inputEnd += (size_t)count;
    }
}

static char *rest; /* of the line */

/* The next word of the line; empty at its end. */
static const char *ReadWord(void)
{
    char *word;
    while (*rest == ' ' || *rest == '\t' || *rest == '\r') rest++;
    word = rest;
    while (*rest != '\0' && *rest != ' ' && *rest != '\t' && *rest != '\r') rest++;
    if (*rest != '\0') *rest++ = '\0';
    return word;
}

static long ReadNumber(void)
{
    return strtol(ReadWord(), NULL, 10);
}

/* A card as the referee writes it, such as QS or 10H. */
static Card ReadCard(void)
{
    static const char SPOTS[] = "23456789TJQKA";
    static const char SUITS[] = "SHDC";
    const char *word = ReadWord();
    size_t length = strlen(word);
    char face = length == 3 ? 'T' : *word;
    const char *spot = length > 1 ? strchr(SPOTS, face) : NULL;
    const char *suit = length > 1 ? strchr(SUITS, word[length - 1]) : NULL;
    Card card = {kNoSuit, kNoSpot};
    if (spot != NULL && suit != NULL) {
        card.suit = (Suit)(suit - SUITS + kSpade);
        card.spot = (Spot)(spot - SPOTS + k2);
    }
    return card;
}

static char output[128];
static size_t outputEnd;

static void AddWord(const char *word)
{
    if (outputEnd > 0) output[outputEnd++] = ' ';
    memcpy(output + outputEnd, word, strlen(word));
    outputEnd += strlen(word);
}

static void AddNumber(unsigned long long number)
{
    char digits[24];
    char *first = digits + sizeof digits - 1;
    *first = '\0';
    do *--first = (char)('0' + number % 10); while ((number /= 10) > 0);
    AddWord(first);
}

/* Send what was added, and with it the time that was used. */
static void Answer(void)
{
    size_t sent = 0;
    AddWord("cpu");
    AddNumber(used > 0 ? (unsigned long long)used : 0);
    output[outputEnd++] = '\n';
    while (sent < outputEnd) {
        ssize_t count = write(1, output + sent, outputEnd - sent);
        if (count < 0) exit(0); /* nobody listens any more */
        sent += (size_t)count;
    }
    outputEnd = 0;
    used = 0;
}

/* --- your routines ------------------------------------------------------------------------------------------------- */


static void OnTournament(void)
{
    UInt16 players = (UInt16)ReadNumber();
    UInt16 target = (UInt16)ReadNumber();
    TIMED(InitTournament(players, target));
}

static void OnGame(void)
{
    Uint32 ids[4];
    int i;
    for (i = 0; i < 4; i++) ids[i] = (Uint32)strtoul(ReadWord(), NULL, 10);
    seat = (UInt16)ReadNumber();
    TIMED(InitGame(ids, seat));
}

static Pass direction;

static void CallSelectPass(UInt16 passed[3])
{
    Card shown[13];
    memcpy(shown, dealt, sizeof shown);
    TIMED(SelectPass(shown, direction, passed));
}

static void OnHand(void)
{
    const char *word = ReadWord();
    int i;
    direction = !strcmp(word, "left") ? kPassLeft : !strcmp(word, "right") ? kPassRight
        : !strcmp(word, "across") ? kPassAcross : kNoPass;
    for (i = 0; i < 13; i++) dealt[i] = hand[i] = ReadCard();
    if (direction == kNoPass) {
        UInt16 ignored[3] = {0, 0, 0};
        CallSelectPass(ignored);
    }
}

static void OnPass(void)
{
    UInt16 passed[3] = {0, 0, 0};
    int i;
    CallSelectPass(passed);
    for (i = 0; i < 3; i++) AddNumber(passed[i]);
    Answer();
}

static void OnReceived(void)
{
    int i;
    for (i = 0; i < 3; i++) {
        long index = ReadNumber();
        Card card = ReadCard();
        if (index >= 0 && index < 13) hand[index] = card;
    }
}

static void OnPlay(void)
{
    Card shown[13];
    Card played[4];
    UInt16 trick = (UInt16)ReadNumber();
    UInt16 leader = (UInt16)(ReadNumber() & 3);
    UInt16 choice = 0;
    int i;
    for (i = 0; i < 4; i++) played[(leader + i) & 3] = ReadCard(); /* those that are missing are no cards */
    memcpy(shown, hand, sizeof shown);
    TIMED(PlayTrick(trick, leader, shown, played, &choice));
    AddNumber(choice);
    Answer();
}

static void OnTrick(void)
{
    Card cards[4];
    UInt16 winner;
    int i;
    for (i = 0; i < 4; i++) cards[i] = ReadCard();
    winner = (UInt16)ReadNumber();
    for (i = 0; i < 13; i++) {
        if (hand[i].suit == cards[seat & 3].suit && hand[i].spot == cards[seat & 3].spot) hand[i] = NO_CARD;
    }
    TIMED(TrickResults(cards, winner));
}

static void OnScore(void)
{
    SInt16 points[4];
    SInt32 totals[4];
    int i;
    for (i = 0; i < 4; i++) points[i] = (SInt16)ReadNumber();
    for (i = 0; i < 4; i++) totals[i] = (SInt32)ReadNumber();
    TIMED(HandResults(points, totals));
}

int main(void)
{
    while ((rest = ReadLine()) != NULL) {
        const char *word = ReadWord();
        if (!strcmp(word, "play")) OnPlay();
        else if (!strcmp(word, "trick")) OnTrick();
        else if (!strcmp(word, "pass")) OnPass();
        else if (!strcmp(word, "received")) OnReceived();
        else if (!strcmp(word, "hand")) OnHand();
        else if (!strcmp(word, "score")) OnScore();
        else if (!strcmp(word, "game")) OnGame();
        else if (!strcmp(word, "tournament")) OnTournament();
        else if (!strcmp(word, "hello") || !strcmp(word, "end")) {
            AddWord(*word == 'h' ? "ready" : "done");
            Answer();
        }
    }
    return 0;
}
