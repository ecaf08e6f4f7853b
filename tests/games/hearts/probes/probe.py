"""Writes each routine's arguments to standard error, and plays as told below."""

# ruff: noqa: F403, F405, PLW0603

import sys

from mactech98 import *

ANSWERS = [5, 4, 0, 1, 2, 10, 3, 6, 12, 7, 8, 9, 11]
seat = 0


def say(*words):
    print(*words, file=sys.stderr)


def shown(cards):
    return " ".join(f"{card.suit}.{card.spot}" for card in cards)


def init_tournament(num_players, game_ending_score):
    say("tournament", num_players, game_ending_score)


def init_game(player_ids, your_seat):
    global seat
    seat = your_seat
    say("game", *player_ids, "seat", seat)


def select_pass(dealt_hand, direction):
    say(f"pass {direction}:", shown(dealt_hand))
    dealt_hand[5] = NO_CARD  # harms nobody but ourselves
    return [0, 1, 2]


def play_trick(trick_number, leader, your_hand, cards_played):
    say("play", trick_number, "leader", leader, "table", shown(cards_played))
    say("hand", shown(your_hand))
    return ANSWERS[trick_number]


def trick_results(cards, winner):
    say("winner", winner, shown(cards))


def hand_results(points, totals):
    say("points", *points, "total", *totals, "mine", points[seat])


run(init_tournament, init_game, select_pass, play_trick, trick_results, hand_results)
