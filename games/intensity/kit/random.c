/*
 * random.c - an Intensity player that follows the rules and otherwise plays at random, in one file, as it must be handed
 * in. It loses to any reasonable player, so improve it step by step. intensity.c explains the questions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void read_numbers(int count, int numbers[])
{
    for (int i = 0; i < count; i++) {
        if (scanf("%d", &numbers[i]) != 1) {
            exit(1);
        }
    }
}

/* Different in every run, unless the environment variable INTENSITY_SEED has a number. */
static void seed(void)
{
    const char *wish = getenv("INTENSITY_SEED");
    struct timespec now;

    timespec_get(&now, TIME_UTC);
    srand(wish ? (unsigned)atoi(wish) : (unsigned)now.tv_nsec ^ (unsigned)now.tv_sec);
}

static void choose_discards(void)
{
    int hand[10];

    read_numbers(10, hand);
    for (int left = 10; left > 7; left--) {
        int i = rand() % left;
        printf("%d ", hand[i]);
        hand[i] = hand[left - 1];
    }
    printf("\n");
}

static int holds(int digit, int count, const int cards[])
{
    for (int i = 0; i < count; i++) {
        if (cards[i] / 10 == digit) {
            return 1;
        }
    }
    return 0;
}

static void choose_card_to_play(void)
{
    int about[3], hand[10], round[4], played[36], legal[10], n_legal = 0;

    read_numbers(3, about);
    int n_hand = about[0], n_round = about[1], n_played = 4 * (10 - n_hand);
    read_numbers(n_hand, hand);
    read_numbers(n_round, round);
    read_numbers(n_played, played);

    int must = n_round && holds(round[0] / 10, n_hand, hand) ? round[0] / 10 : 0; /* the digit to follow */
    int others = holds(1, n_hand, hand) || holds(2, n_hand, hand) || holds(4, n_hand, hand);
    int no_calf = !n_round && others && !holds(3, n_played, played);
    for (int i = 0; i < n_hand; i++) {
        int digit = hand[i] / 10;
        if (must ? digit == must : !(no_calf && digit == 3)) {
            legal[n_legal++] = hand[i];
        }
    }
    printf("%d\n", legal[rand() % n_legal]);
}

int main(void)
{
    int action[1];

    read_numbers(1, action);
    seed();
    if (action[0] == 0) {
        printf("Random in C\n");
    } else if (action[0] == 1) {
        choose_discards();
    } else if (action[0] == 2) {
        choose_card_to_play();
    } else {
        printf("no tests\n");
    }
    return 0;
}
