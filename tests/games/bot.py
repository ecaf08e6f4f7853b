"""A Tricky Eights bot with every bad habit, over the line protocol: bot.py HABIT DECISION.

It always takes the first card of the pool and plays the first card of its hand that follows suit. The habit shows at
that decision (from 1). It uses only the standard library, without site, so that it starts quickly.
"""

import os
import signal
import sys
import time

hand = []
pool = []


def write(text):
    data = text if isinstance(text, bytes) else text.encode()
    while data:
        data = data[os.write(1, data) :]


def flood(fd, size, end=b""):
    for _ in range(size // 65536):
        os.write(fd, b"x" * 65536)
    os.write(fd, end)


def forever(fd, data):
    while True:
        os.write(fd, data)


def crash(card):
    raise RuntimeError("this bot has a bug")


def leave(card):
    write(card + "\n")
    os._exit(3)


def stubborn(card):
    """Outlives its input."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    write(card + "\n")
    stays.append(card)


def think(card):
    """Use 20 ms of processor time, now and from now on."""
    began = time.process_time()
    while time.process_time() - began < 0.02:
        pass
    write(card + "\n")
    HABITS["good"] = think


def note(card):
    os.write(2, f"thinking about {card}\n".encode())
    write(card + "\n")


stays = []
HABITS = {
    "good": lambda card: write(card + "\n"),
    "windows": lambda card: write(f"  \t{card} \r\n"),
    "upper": lambda card: write(card.upper() + "\n"),
    "empty": lambda card: write("\n"),
    "nonsense": lambda card: write("d1\n"),
    "two": lambda card: write(f"{card} {card}\n"),
    "nul": lambda card: write(b"\0" + card.encode() + b"\n"),
    "foreign": lambda card: write(
        next(c for c in ("c2", "c3", "c4", "c5", "c6") if c not in hand + pool + [card]) + "\n"
    ),
    "revoke": lambda card: write(revoke(card) + "\n"),
    "silent": lambda card: time.sleep(300),
    "crash": crash,
    "exit": lambda card: os._exit(0),
    "segfault": lambda card: os.kill(os.getpid(), signal.SIGSEGV),
    "flood": lambda card: forever(1, b"x" * 65536),
    "loud": lambda card: (flood(2, 2 << 20, b"end\n"), write(card + "\n")),
    "leave": leave,
    "note": note,
    "stubborn": stubborn,
    "thinking": think,
}


def revoke(card):
    """Play a card of another suit although it could follow."""
    return next((other for other in hand if other[0] != card[0]), card)


def main(habit, at):
    decision = 0
    for line in sys.stdin:
        word, *words = line.split()
        if word == "starthand":
            hand[:], pool[:] = words[1:11], words[11:]
        elif word in ("take", "aftertake"):
            for card in words:
                if card in pool:
                    pool.remove(card)
        led = ""
        if word == "take":
            card = pool.pop(0)
            hand.append(card)
        elif word == "play":
            led = words[1][0] if len(words) > 1 else ""
            card = next((card for card in hand if card[0] == led), hand[0])
            hand.remove(card)
        else:
            continue
        decision += 1
        if habit == "revoke" and (word == "take" or card[0] != led or revoke(card) == card):
            at = max(at, decision + 1)  # the first opportunity
        HABITS[habit if decision == at else "good"](card)
    if stays:
        time.sleep(300)
    if habit == "note":
        os.write(2, b"goodbye\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
