"""oh_hell_kit - reads the questions of Oh Hell. You write `bid` and `play`, and hand them to `run`."""

import sys


def run(bid, play):
    hand = []
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "hand":
            hand = rest
        elif word == "bid":
            print(bid(hand), flush=True)
        elif word == "play":
            follow = [card for card in hand if rest and card[1] == rest[0][1]]
            card = play(follow or hand)
            hand.remove(card)
            print(card, flush=True)
