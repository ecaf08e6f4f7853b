"""Barracuda: takes a trick with the cheapest card that wins it, and gives its lowest card where none does."""

import barracuda


def choose_card(state, remaining):
    hand = state["hand"]
    if "card" not in state:
        return sorted(hand)[len(hand) // 2]
    winners = [card for card in hand if card > state["card"]]
    return min(winners or hand)


def answer_challenge(state, remaining):
    ahead = state["your_tricks"] - state["their_tricks"]
    return ahead + sum(card >= 9 for card in state["hand"]) >= 3


barracuda.run(choose_card, answer_challenge)
