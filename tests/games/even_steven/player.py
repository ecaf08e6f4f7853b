"""An Even Steven bot with every bad habit of tests/games/bot.py: player.py HABIT DECISION, or player.py tape FOLDER.

It covers with the lowest card that does, or plays its lowest card. The habit shows at that decision (from 1). `tape`
plays well and saves what it reads and writes as files.
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bot import HABITS, write  # the bad habits of all bots with a line protocol

VALUES = {name: value for value, name in enumerate(["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"])}
PACK = [value + suit for value in VALUES for suit in "cdhs"]
hand, dealt, played = [], [], []


def value(card):
    return VALUES[card[:-1]]


HABITS |= {
    "foreign": lambda card: write(next(each for each in PACK if each not in dealt) + "\n"),
    "twice": lambda card: write((played[-2] if len(played) > 1 else card) + "\n"),
    "lower": lambda card: write(card.lower() + "\n"),
    "upper": lambda card: write(card.upper() + "\n"),
    "star": lambda card: write(f"* I think about {card}\n{card}\n"),
    "stars": lambda card: [write(f"* {card}\n") for _ in range(10**9)],
    "spendthrift": lambda card: write(card + "\n"),
    "extra": lambda card: write(f"{card}\n2c\n"),
    "number": lambda card: write("1c\n"),
    "names": lambda card: write("king of clubs\n"),
}


def lines(tape):
    for line in sys.stdin:
        if tape:
            with (tape / "read").open("a") as file:
                file.write(line)
        yield line.rstrip("\n")


def main(habit, at):
    tape = Path(at) if habit == "tape" else None
    decision, at = 0, 0 if tape else int(at)
    for line in lines(tape):
        if line.startswith("YOU"):
            if habit == "chatty":
                write(f"* {line}, they say\n")
            continue
        words = line.split()
        if len(words) > 1:
            hand[:] = dealt[:] = words[1:]
            played.clear()
            continue
        card = min([each for each in hand if value(each) >= value(line)] or hand, key=value)
        decision += 1
        if habit == "spendthrift" and decision >= at:
            card = max(hand, key=value)
        hand.remove(card)
        played.append(card)
        if tape:
            with (tape / "wrote").open("a") as file:
                file.write(card + "\n")
        HABITS[habit if decision == at else "good"](card)
    if habit == "stays":
        time.sleep(30)
    if habit == "goodbye":
        write("* goodbye\n* and thanks")
    if habit == "late":
        write("2c\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
