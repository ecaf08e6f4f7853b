"""A Hearts bot over the line protocol that knows every bad habit: bot.py HABIT DECISION.

It passes its first three cards and plays the first that follows suit; at the decision of that number (from 1) the habit
shows. It reports no processor time unless that is its habit. Standard library without site, so that it starts quickly.
"""

import os
import subprocess
import sys
import time

hand = []
report = ""


def write(text):
    data = text if isinstance(text, bytes) else text.encode()
    while data:
        data = data[os.write(1, data) :]


def burn(seconds):
    began = time.process_time()
    while time.process_time() - began < seconds:
        pass


def forever(fd, data):
    while True:
        os.write(fd, data)


def crash(answer):
    raise RuntimeError("this bot has a bug")


def hog(answer):
    kept = []
    while True:
        kept.append(bytearray(b"x" * (8 << 20)))


def forge(answer):
    burn(0.05)
    write(f"{answer} cpu 1000\n")


def boast(answer):
    write(f"{answer} cpu 9000000000\n")


def later(answer):
    write(f"{answer} cpu 1000\n")
    burn(0.05)


HABITS = {
    "good": lambda answer: write(f"{answer}\n"),
    "windows": lambda answer: write(f"  \t{answer} \r\n"),
    "card": lambda answer: write("QS\n"),
    "empty": lambda answer: write("\n"),
    "thirteen": lambda answer: write("13\n"),
    "twice": lambda answer: write("0 0 1\n"),
    "four": lambda answer: write("0 1 2 3\n"),
    "revoke": lambda answer: write(f"{revoke(answer)}\n"),
    "waste": lambda answer: (burn(0.05), write(f"{revoke(answer)}\n")),
    "waste_more": lambda answer: (burn(0.05), write("13\n")),
    "gone": lambda answer: write(f"{hand.index('--')}\n"),
    "silent": lambda answer: time.sleep(30),
    "crash": crash,
    "exit": lambda answer: os._exit(0),
    "hog": hog,
    "flood": lambda answer: forever(1, b"x" * 65536),
    "network": lambda answer: subprocess.run(["true"], check=False),
    "burning": lambda answer: (burn(0.05), write(f"{answer}\n")),
    "forge": forge,
    "boast": boast,
    "later": later,
}


def revoke(answer):
    suit = hand[int(answer)][-1]
    return next((place for place, card in enumerate(hand) if card != "--" and card[-1] != suit), answer)


def can_revoke(words, answer):
    table = words[2:]
    return table and hand[int(answer)][-1] == table[0][-1] and revoke(answer) != answer


def choose(words, broken):
    number, table = int(words[0]), words[2:]
    held = [card for card in hand if card != "--"]
    points = [card for card in held if card[-1] == "H" or card == "QS"]
    if table:
        legal = [card for card in held if card[-1] == table[0][-1]] or held
    elif number == 0:
        legal = ["2C"]
    else:
        legal = held if broken or points == held else [card for card in held if card[-1] != "H"]
    return next(place for place, card in enumerate(hand) if card in legal)


def main(habit, at):
    decision, seat, broken = 0, 0, False
    if habit == "start":
        burn(0.05)
    for line in sys.stdin:
        word, *words = line.split()
        if word == "game":
            seat = int(words[4])
        elif word == "hand":
            hand[:], broken = words[1:], False
        elif word == "received":
            for place, card in zip(words[::2], words[1::2], strict=True):
                hand[int(place)] = card
        elif word == "trick":
            hand[hand.index(words[seat])] = "--"
            broken = broken or any(card[-1] == "H" or card == "QS" for card in words[:4])
        elif word in ("hello", "end"):
            if habit == "ending" and word == "end":
                burn(0.05)
            write("here\n")
        elif word in ("pass", "play"):
            decision += 1
            answer = "0 1 2" if word == "pass" else str(choose(words, broken))
            if habit in ("revoke", "waste") and decision == at and not can_revoke(words, answer):
                at = decision + 1  # the first opportunity
            HABITS.get(habit if decision == at else "good", HABITS["good"])(answer)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
