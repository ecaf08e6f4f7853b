"""Speaks the protocol of Even Steven without a kit: plays the first card of its hand that covers, or else the first."""

import sys

VALUES = {name: value for value, name in enumerate("2 3 4 5 6 7 8 9 10 J Q K A".split())}
hand = []
for line in sys.stdin:
    words = line.split()
    if words[0] == "YOU":
        continue
    if words[0].isdigit():
        hand = words[1:]
    else:
        least = VALUES[words[0][:-1]]
        card = next((card for card in hand if VALUES[card[:-1]] >= least), hand[0])
        hand.remove(card)
        print(card, flush=True)
