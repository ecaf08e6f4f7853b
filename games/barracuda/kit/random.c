/* Plays anything that the rules allow. Replace the two choices by your own. */
#include "barracuda.h"

#include <stdlib.h>
#include <time.h>

static double chance(void)
{
    static int seeded;
    if (!seeded) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        srand((unsigned)(now.tv_nsec ^ now.tv_sec));
        seeded = 1;
    }
    return rand() / (RAND_MAX + 1.0);
}

/* A card of the hand, or a challenge where one may be offered. */
int ChooseCard(const struct State *state)
{
    if (state->canChallenge && chance() < 0.05)
        return OFFER_CHALLENGE;
    return state->hand[(int)(chance() * state->handCount)];
}

/* Whether to accept the challenge that the other player has offered. */
int AnswerChallenge(const struct State *state)
{
    (void)state;
    return chance() < 0.5;
}

void HearResult(const struct Result *result)
{
    (void)result;
}
