"""shell.py - an empty contestant for Hearts, for you to fill in.

Team:
Strategy in one line:

Read mactech98.py first: it says what the six routines get and return. This shell passes its first three cards and plays the first
card that is allowed, so it follows the rules from the start. Change one thing at a time, and play a few games after every
change.

Your program stays alive for a whole match of many games, so variables of your own keep their values from one call to the next.
Every millisecond of processor time in your routines costs a point.
"""

import sys

from mactech98 import *

me = 0  # our seat
points_played = False  # a heart or the queen of spades was played on an earlier trick of this hand


def init_tournament(num_players, game_ending_score):
    """Called once, before anything else. A game is over after the hand in which somebody has game_ending_score points."""


def init_game(player_ids, your_seat):
    """Called before each game. The same number in player_ids is the same player throughout the tournament.

    Player i + 1 (modulo 4) sits to the left of player i.
    """
    global me
    me = your_seat


def select_pass(dealt_hand, direction):
    """Called at the beginning of every hand. Return three different indices of dealt_hand (0 ... 12).

    With NO_PASS nothing is passed, and what you return is ignored.
    """
    global points_played
    points_played = False
    return [0, 1, 2]


def play_trick(trick_number, leader, your_hand, cards_played):
    """Called 13 times a hand. Return the index of the card that you play.

    your_hand has NO_CARD where cards were played, and the cards that were passed to you in the places of those that you
    passed. cards_played is indexed by seat, with NO_CARD where nobody has played yet: cards_played[leader] was led, unless
    you lead.
    """
    return legal_indices(your_hand, trick_number, cards_played[leader], points_played)[0]


def trick_results(cards, winner):
    """Called after each trick: what everybody played, by seat, and who took it."""
    global points_played
    points_played = points_played or any(map(is_point, cards))


def hand_results(points, totals):
    """Called after each hand. A player who has shot the moon gets -26 points."""
    print(f"my points: {points[me]}, now {totals[me]} in all", file=sys.stderr)


# Do not change this.
if __name__ == "__main__":
    run(init_tournament, init_game, select_pass, play_trick, trick_results, hand_results)
