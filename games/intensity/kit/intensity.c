/*
 * intensity.c - starting code for an Intensity player.
 *
 * Author:
 * Strategy in one line:
 *
 * This program is started again for every question. It reads the whole question from standard input, prints its answer,
 * and ends. The first number says what is wanted:
 *
 *     0  print your player's name               -> print_player_name
 *     1  choose the three cards to discard      -> choose_discards
 *     2  choose the card to play                -> choose_card_to_play
 *     3  run your own tests                     -> run_unit_tests
 *
 * Add your code to these four functions, and functions of your own that they call. As it stands, the player follows the
 * rules and does nothing else: it always takes the first card that is allowed. Print nothing but the answer to standard
 * output. What you print to standard error (fprintf(stderr, ...)) can be read afterwards by your team only.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define PLAYER_NAME "COMP1511 student"

#define PRINT_NAME 0
#define CHOOSE_DISCARDS 1
#define CHOOSE_CARD 2
#define RUN_TESTS 3

#define N_PLAYERS 4
#define N_HAND 10
#define N_DISCARDS 3
#define N_PLAYED 36 /* at most, in the rounds before this one */

#define FIRST_CALF 30
#define LAST_CALF 39
#define BUFFALO 47

void print_player_name(void);
void choose_discards(void);
void choose_card_to_play(void);
void run_unit_tests(void);

void read_numbers(int count, int numbers[]);
int is_calf(int card);
int contains_calf(int count, const int cards[]);
int all_calves(int count, const int cards[]);
int has_first_digit(int digit, int count, const int cards[]);
int is_legal(int card, int n_hand, const int hand[], int n_round, const int round[], int calf_played);
int first_legal_card(int n_hand, const int hand[], int n_round, const int round[], int calf_played);

int main(void)
{
    int action[1];

    read_numbers(1, action);
    if (action[0] == PRINT_NAME) {
        print_player_name();
    } else if (action[0] == CHOOSE_DISCARDS) {
        choose_discards();
    } else if (action[0] == CHOOSE_CARD) {
        choose_card_to_play();
    } else if (action[0] == RUN_TESTS) {
        run_unit_tests();
    }
    return 0;
}

/* Print the name of your player on one line: at most 32 characters, and nothing that hurts anybody. */
void print_player_name(void)
{
    printf("%s\n", PLAYER_NAME);
}

/* Print the three cards of your hand that go to the player on your left. You get three from the player on your right, but
   do not know yet which. */
void choose_discards(void)
{
    int hand[N_HAND];

    read_numbers(N_HAND, hand);

    /* Put your own strategy here. */

    printf("%d %d %d\n", hand[0], hand[1], hand[2]);
}

/* Print the card that you play. */
void choose_card_to_play(void)
{
    int about[3];             /* how many cards you hold, how many lie on the table, your table position */
    int hand[N_HAND];         /* your cards, in increasing order */
    int round[N_PLAYERS];     /* the cards played in this round so far, in the order of play */
    int played[N_PLAYED];     /* the cards played in the rounds before, in the order of play; position 0 led the first */
    int discarded[N_DISCARDS];
    int received[N_DISCARDS];

    read_numbers(3, about);
    int n_hand = about[0];
    int n_round = about[1];
    int n_played = N_PLAYERS * (N_HAND - n_hand);
    read_numbers(n_hand, hand);
    read_numbers(n_round, round);
    read_numbers(n_played, played);
    read_numbers(N_DISCARDS, discarded);
    read_numbers(N_DISCARDS, received);

    /* Put your own strategy here. */

    printf("%d\n", first_legal_card(n_hand, hand, n_round, round, contains_calf(n_played, played)));
}

/* Test your functions here. The portal runs this when it checks your program, and shows you what it prints. */
void run_unit_tests(void)
{
    int none[1] = {0};
    int hand[4] = {11, 15, 23, 34};
    int calves[2] = {30, 39};
    int twenties[2] = {24, 26};
    int forties[1] = {47};

    assert(is_calf(30) && is_calf(39) && !is_calf(29) && !is_calf(40));
    assert(contains_calf(4, hand) && !contains_calf(2, twenties) && !contains_calf(0, none));
    assert(all_calves(2, calves) && !all_calves(4, hand));

    /* the only card of the sample question that is legal */
    assert(is_legal(23, 4, hand, 2, twenties, 0));
    assert(!is_legal(15, 4, hand, 2, twenties, 0));
    assert(first_legal_card(4, hand, 2, twenties, 0) == 23);

    /* a player who cannot follow may play any card, even a calf */
    assert(is_legal(34, 4, hand, 1, forties, 0));

    /* a calf is led only after one was played, or by a player who has nothing else */
    assert(!is_legal(34, 4, hand, 0, none, 0));
    assert(is_legal(34, 4, hand, 0, none, 1));
    assert(is_legal(30, 2, calves, 0, none, 0));

    printf("all tests passed\n");
}

/* ---- the rules ------------------------------------------------------------------------------------------------------ */

int is_calf(int card)
{
    return card >= FIRST_CALF && card <= LAST_CALF;
}

int contains_calf(int count, const int cards[])
{
    return has_first_digit(FIRST_CALF / 10, count, cards);
}

int all_calves(int count, const int cards[])
{
    for (int i = 0; i < count; i++) {
        if (!is_calf(cards[i])) {
            return 0;
        }
    }
    return 1;
}

int has_first_digit(int digit, int count, const int cards[])
{
    for (int i = 0; i < count; i++) {
        if (cards[i] / 10 == digit) {
            return 1;
        }
    }
    return 0;
}

/* Whether a card of the hand may be played now. calf_played: was a calf played in an earlier round? */
int is_legal(int card, int n_hand, const int hand[], int n_round, const int round[], int calf_played)
{
    if (n_round == 0) {
        return !is_calf(card) || calf_played || all_calves(n_hand, hand);
    }
    int digit = round[0] / 10;
    return card / 10 == digit || !has_first_digit(digit, n_hand, hand);
}

int first_legal_card(int n_hand, const int hand[], int n_round, const int round[], int calf_played)
{
    for (int i = 0; i < n_hand; i++) {
        if (is_legal(hand[i], n_hand, hand, n_round, round, calf_played)) {
            return hand[i];
        }
    }
    return hand[0]; /* never: there is always a legal card */
}

/* ---- reading -------------------------------------------------------------------------------------------------------- */

/* Read so many numbers from standard input. */
void read_numbers(int count, int numbers[])
{
    for (int i = 0; i < count; i++) {
        if (scanf("%d", &numbers[i]) != 1) {
            fprintf(stderr, "the input ends where a number should be\n");
            exit(1);
        }
    }
}
