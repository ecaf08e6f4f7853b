"""Intensity: takes rounds while they are cheap, and stays out of those with calves or the buffalo."""

from intensity_kit import *


def player_name():
    return "Grabber"


def choose_discards(hand):
    return sorted(hand, key=lambda card: (penalty(card), card))[-3:]


def choose_card(question):
    legal = question.legal()
    cost = sum(map(penalty, question.table))
    if not question.table:
        return min(legal, key=lambda card: (penalty(card), -card % 10))
    if cost == 0 and len(question.table) == 3:
        return max(legal, key=lambda card: (not penalty(card), card))
    return min(legal)


def run_unit_tests():
    print("no tests")


# Do not change this.
if __name__ == "__main__":
    run(player_name, choose_discards, choose_card, run_unit_tests)
