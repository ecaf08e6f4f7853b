"""A player of Intensity with the bad habit that its argument names: a process for each question."""

import sys
import time

HABIT = sys.argv[1] if len(sys.argv) > 1 else ""


def main():
    if HABIT == "carriage_return":
        lines = sys.stdin.buffer.read().decode().split("\n")
        if lines[0].endswith("\r"):
            raise ValueError(lines[0])
    else:
        lines = sys.stdin.read().split("\n")
    if lines[0].strip() == "0":
        print("Sick")
        return
    if lines[0].strip() == "1":
        hand = lines[1].split()
        print(*hand[: 2 if HABIT == "two" else 3])
        return
    hand, table, played = lines[2].split(), lines[3].split(), lines[4].split()
    same = [card for card in hand if table and card[0] == table[0][0]]
    lead = [card for card in hand if card[0] != "3" or any(it[0] == "3" for it in played)] or hand
    card = (same or (hand if table else lead))[0]
    if HABIT == "double":
        print(f"{card}\n{hand[0]}")
    elif HABIT == "stray":
        print(f"I play\n{card}")
    elif HABIT == "not_a_number":
        print("the nine")
    elif HABIT == "crash":
        print(hand[99])
    elif HABIT == "silent":
        time.sleep(100)
    elif HABIT == "nothing":
        return
    elif HABIT == "not_held":
        print(50)
    else:
        print(card)


main()
