"""Barracuda: as a miser plays, but with a strong hand it stakes the whole game."""

import barracuda


def strength(state):
    return state["your_tricks"] - state["their_tricks"] + sum(card >= 10 for card in state["hand"])


def choose_card(state, remaining):
    if state["can_challenge"] and strength(state) >= 3:
        return barracuda.CHALLENGE
    hand = state["hand"]
    if "card" not in state:
        return max(hand)
    winners = [card for card in hand if card > state["card"]]
    return min(winners or hand)


def answer_challenge(state, remaining):
    return strength(state) >= 2


barracuda.run(choose_card, answer_challenge)
