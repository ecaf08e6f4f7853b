"""Speaks the protocol of Hearts without a kit: passes the first three cards, and plays the first that may be played."""

import sys

hand = []
seat = 0
for line in sys.stdin:
    kind, *words = line.split()
    answer = None
    if kind == "hello":
        answer = "ready"
    elif kind == "game":
        seat = int(words[4])
    elif kind == "hand":
        hand = words[1:]
    elif kind == "pass":
        answer = "0 1 2"
    elif kind == "received":
        for place, card in zip(words[::2], words[1::2]):
            hand[int(place)] = card
    elif kind == "play":
        cards = [card for card in hand if card]
        if len(words) > 2:
            wanted = [card for card in cards if card[-1] == words[2][-1]]
        elif words[0] == "0":
            wanted = ["2C"]
        else:
            wanted = [card for card in cards if card[-1] != "H"]
        answer = hand.index((wanted or cards)[0])
    elif kind == "trick":
        hand[hand.index(words[seat])] = ""
    elif kind == "end":
        answer = "done"
    if answer is not None:
        print(answer, flush=True)
