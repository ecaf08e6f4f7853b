"""random_player.py - an Intensity player that follows the rules and otherwise plays at random. It loses to any reasonable
player: make it a little better, again and again.

(Do not name your own file random.py: Python would then import it instead of its module `random`.)
"""

import os
import random

from intensity_kit import *

source = random.Random(os.environ.get("INTENSITY_SEED"))  # without it, different in every run


def player_name():
    return "Random in Python"


def choose_discards(hand):
    return source.sample(hand, 3)


def choose_card(question):
    return source.choice(question.legal())


def run_unit_tests():
    print("no tests")


# Do not change this.
if __name__ == "__main__":
    run(player_name, choose_discards, choose_card, run_unit_tests)
