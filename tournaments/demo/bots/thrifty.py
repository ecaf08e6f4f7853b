"""No memory: wins cheaply when it plays last, leads its aces and kings, and plays low otherwise."""

from acm98 import *


def start_game():
    pass


def start_round():
    pass


def take_card():
    return max(GAME.pool, key=face)


def end_takes():
    pass


def play_card():
    legal = sorted(legal_cards(), key=face)
    winners = [card for card in legal if would_win(card)]
    if GAME.trick.count == 0:
        return legal[-1] if face(legal[-1]) >= KING else legal[0]
    if winners and GAME.trick.count == 3:
        return winners[0]
    if winners and GAME.trick.points >= 3:
        return winners[-1]
    return legal[0]


def end_round():
    pass


# Do not change this.
if __name__ == "__main__":
    run(start_game, start_round, take_card, end_takes, play_card, end_round)
