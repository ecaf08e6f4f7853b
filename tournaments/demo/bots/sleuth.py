"""Card counter: knows which of its cards nobody can beat any more, and writes down why it plays each card."""

from acm98 import *


def start_game():
    pass


def start_round():
    pass


def take_card():
    return max(GAME.pool, key=lambda card: face(card) + count_suit(suit(card)))


def end_takes():
    pass


def play_card():
    legal = sorted(legal_cards(), key=face)
    if GAME.trick.count == 0:
        masters = [card for card in legal if count_higher(card) == 0]
        if masters:
            debug("I lead", card_name(masters[-1]), "since nobody can beat it")
            return masters[-1]
        return min(legal, key=lambda card: (face(card) == 8, face(card)))
    sure = [card for card in legal if would_win(card) and (GAME.trick.count == 3 or count_higher(card) == 0)]
    if sure:
        return next((card for card in sure if face(card) == 8), sure[0])
    return min(legal, key=lambda card: (face(card) == 8, face(card)))


def end_round():
    debug("after round", GAME.round, "the score is", *GAME.total)


# Do not change this.
if __name__ == "__main__":
    run(start_game, start_round, take_card, end_takes, play_card, end_round)
