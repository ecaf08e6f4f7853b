"""quickbot.c in Python: answers at once with some card of the pool, or some card that follows suit.

It relies on the exact form of the lines and does no more than it must, so the time of a game is the referee's.
"""

import sys

write, flush = sys.stdout.write, sys.stdout.flush
hand: list[str] = []
pool: list[str] = []
for line in sys.stdin:
    kind = line[0]
    if kind == "p":  # play n d5 e
        card = hand[0]
        if len(line) > 7:
            suit = line[7]
            for card in hand:
                if card[0] == suit:
                    break
        hand.remove(card)
        write(card + "\n")
        flush()
    elif kind == "t":  # take n d5 e
        for card in pool:
            if card not in line:
                break
        pool.remove(card)
        hand.append(card)
        write(card + "\n")
        flush()
    elif kind == "a":  # aftertake n d5 e c3 s d9 w ht
        pool = [card for card in pool if card not in line]
    elif kind == "s":  # starthand n d9 ...
        cards = line.split()[2:]
        hand, pool = cards[:10], cards[10:]
