"""Speaks the protocol of Intensity without a kit: discards the first three cards, and plays the first that may be
played."""

import sys

action, *numbers = map(int, sys.stdin.read().split())
if action == 0:
    print("Plain Python")
elif action == 1:
    print(*numbers[:3])
elif action == 2:
    held, laid = numbers[:2]
    hand, table, past = numbers[3 : 3 + held], numbers[3 + held : 3 + held + laid], numbers[3 + held + laid :]
    calves = any(card // 10 == 3 for card in past[: 4 * (10 - held)])
    if table:
        wanted = [card for card in hand if card // 10 == table[0] // 10]
    else:
        wanted = [card for card in hand if calves or card // 10 != 3]
    print((wanted or hand)[0])
