"""Intensity: gives its three highest cards away, stays under the round, and throws the buffalo and calves at others."""

from intensity_kit import *


def player_name():
    return "The Meek"


def choose_discards(hand):
    return sorted(hand, key=lambda card: (penalty(card), card % 10))[-3:]


def choose_card(question):
    legal = question.legal()
    if not question.table:
        return min(legal, key=lambda card: (card % 10, penalty(card)))
    digit = question.table[0] // 10
    if legal[0] // 10 != digit:
        return max(legal, key=lambda card: (penalty(card), card % 10))
    highest = max(card for card in question.table if card // 10 == digit)
    under = [card for card in legal if card < highest]
    return max(under) if under else min(legal)


def run_unit_tests():
    print("no tests")


# Do not change this.
if __name__ == "__main__":
    run(player_name, choose_discards, choose_card, run_unit_tests)
