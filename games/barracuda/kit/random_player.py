"""Plays anything that the rules allow. Replace the two choices by your own."""

import random

import barracuda


def choose_card(state, remaining):
    """A card of the hand, or a challenge where one may be offered."""
    if state["can_challenge"] and random.random() < 0.05:
        return barracuda.CHALLENGE
    return random.choice(state["hand"])


def answer_challenge(state, remaining):
    """Whether to accept the challenge that the other player has offered."""
    return random.random() < 0.5


barracuda.run(choose_card, answer_challenge)
