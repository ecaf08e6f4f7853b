"""random_player.py - a contestant that follows the rules and otherwise passes and plays at random. It loses to any reasonable
player: make it a little better, again and again.

(Do not name your own file random.py: Python would then import it instead of its module `random`.)
"""

from mactech98 import *

points_played = False  # a heart or the queen of spades was played on an earlier trick of this hand


def init_tournament(num_players, game_ending_score):
    pass


def init_game(player_ids, your_seat):
    pass


def select_pass(dealt_hand, direction):
    global points_played
    points_played = False
    return random_source.sample(range(13), 3)  # ignored when nothing is passed


def play_trick(trick_number, leader, your_hand, cards_played):
    return random_source.choice(legal_indices(your_hand, trick_number, cards_played[leader], points_played))


def trick_results(cards, winner):
    global points_played
    points_played = points_played or any(map(is_point, cards))


def hand_results(points, totals):
    pass


# Do not change this.
if __name__ == "__main__":
    run(init_tournament, init_game, select_pass, play_trick, trick_results, hand_results)
