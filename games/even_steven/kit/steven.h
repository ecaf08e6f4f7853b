/*
 * steven.h - talks to the dealer of Even Steven for you, in C and in C++. Do not change it: the portal has its own.
 *
 *     #include "steven.h"
 *
 *     int main(int argc, char **argv)
 *     {
 *         Game game;
 *
 *         StartGames(&game, argc, argv);
 *         while (NextCard(&game))
 *             PlayCard(&game, game.hand[0]);
 *         return 0;
 *     }
 *
 * NextCard reads until a card must be covered, and returns 0 when all games are over. You then play a card of game.hand.
 * All of this is optional: a program that reads and writes the lines of rules.md itself is just as good.
 */
#ifndef STEVEN_H
#define STEVEN_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_CARDS 13

typedef struct {
    char name[4]; /* as the dealer writes it, such as "10c" */
    int value;    /* 2 ... 14: jack 11, queen 12, king 13, ace 14 */
    char suit;    /* 'c', 'd', 'h', 's': it has no effect on anything */
} Card;

typedef struct {
    int number;              /* of this game: 1, 2, 3, ... */
    int size;                /* cards that you were dealt, and that you must cover */
    int count;               /* cards that you still hold */
    Card hand[MOST_CARDS];   /* these: hand[0] ... hand[count - 1], in the order of the deal */
    Card open;               /* the card that you must cover now */
    int dealt;               /* cards dealt so far, the open one included */
    Card past[MOST_CARDS];   /* all of them, in order; the last is the open one */
    Card played[MOST_CARDS]; /* what you played on them: played[0] ... played[dealt - 2] */
    int won, lost;           /* games so far */
} Game;

static int steven_debugging = 0;

/* Call this first. Lines written with Debug appear only if the program was started with an argument. */
static inline void StartGames(Game *game, int argc, char **argv)
{
    const char *seed = getenv("STEVEN_SEED");

    (void)argv;
    memset(game, 0, sizeof *game);
    steven_debugging = argc > 1;
    srand(seed ? (unsigned)atoi(seed) : (unsigned)time(NULL) ^ (unsigned)getpid() << 16);
}

/* Whether a card of yours may lie on that dealt card. */
static inline int Covers(Card mine, Card dealt)
{
    return mine.value >= dealt.value;
}

/* Any of 0 ... n - 1. To repeat a run exactly, set the environment variable STEVEN_SEED to a number. */
static inline int RandomInt(int n)
{
    return (int)(rand() / (RAND_MAX + 1.0) * n);
}

/* Writes a line for debugging, as printf would: the dealer prints it after a `*`. In the contest, where the program is
   started without an argument, nothing is written. */
static inline void Debug(const char *format, ...)
{
    va_list values;

    if (!steven_debugging)
        return;
    va_start(values, format);
    fputs("* ", stdout);
    vprintf(format, values);
    putchar('\n');
    fflush(stdout);
    va_end(values);
}

static inline int steven_card(const char *word, Card *card)
{
    static const char *const values[] = {"2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"};
    size_t length = strlen(word);
    int value;

    if (length < 2 || length > 3 || !strchr("cdhs", word[length - 1]))
        return 0;
    for (value = 0; value < 13; value++)
        if (strlen(values[value]) == length - 1 && strncmp(values[value], word, length - 1) == 0) {
            strcpy(card->name, word);
            card->value = value + 2;
            card->suit = word[length - 1];
            return 1;
        }
    return 0;
}

/* A line such as `4 4h 2d Qs Jc`: `word` is its first word, strtok has the rest. */
static inline void steven_hand(Game *game, const char *word)
{
    char *name;

    game->number++;
    game->size = atoi(word);
    game->count = game->dealt = 0;
    while (game->count < MOST_CARDS && (name = strtok(NULL, " \t\r\n")) != NULL)
        if (steven_card(name, &game->hand[game->count]))
            game->count++;
}

/* Waits until a card must be covered: game->open. Returns 0 when all games are over: end your program then. */
static inline int NextCard(Game *game)
{
    char line[256];

    while (fgets(line, sizeof line, stdin)) {
        char *word = strtok(line, " \t\r\n");

        if (word == NULL)
            continue;
        if (steven_card(word, &game->open)) {
            if (game->dealt < MOST_CARDS)
                game->past[game->dealt++] = game->open;
            return 1;
        }
        if (strcmp(word, "YOU") == 0) {
            word = strtok(NULL, " \t\r\n");
            game->won += word && strcmp(word, "WIN") == 0;
            game->lost += word && strcmp(word, "LOSE") == 0;
        } else if (atoi(word) > 0)
            steven_hand(game, word);
    }
    return 0;
}

/* Plays this card on the open one. */
static inline void PlayCard(Game *game, Card card)
{
    int place = 0;

    while (place < game->count && strcmp(game->hand[place].name, card.name) != 0)
        place++;
    if (place == game->count)
        fprintf(stderr, "steven: %s is not in your hand\n", card.name);
    else
        memmove(&game->hand[place], &game->hand[place + 1], (size_t)(--game->count - place) * sizeof(Card));
    if (game->dealt > 0)
        game->played[game->dealt - 1] = card;
    puts(card.name);
    fflush(stdout);
}

#endif
