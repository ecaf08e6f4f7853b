"""random_player.py - a contestant that follows the rules and otherwise takes and plays at random. It loses to any reasonable
player: make it a little better, again and again.

(Do not name your own file random.py: Python would then import it instead of its module `random`.)
"""

from acm98 import *


def start_game():
    pass


def start_round():
    pass


def take_card():
    return random_source.choice(GAME.pool)


def end_takes():
    pass


def play_card():
    return random_source.choice(legal_cards())


def end_round():
    pass


# Do not change this.
if __name__ == "__main__":
    run(start_game, start_round, take_card, end_takes, play_card, end_round)
