"""A player of Even Steven with the bad habit that its argument names: lines."""

import os
import select
import sys
import time

HABIT = sys.argv[1] if len(sys.argv) > 1 else ""
HELD = os.fdopen(os.dup(1), "w", buffering=65536)


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def busy(seconds):
    ends = time.process_time() + seconds
    while time.process_time() < ends:
        pass


def answer(hand, card):
    chosen = hand.pop(0)
    be_loud()
    if HABIT == "double":
        write(f"{chosen}\n{chosen}\n")
    elif HABIT == "stray":
        write(f"my hand is {hand}\n{chosen}\n")
    elif HABIT == "no_flush":
        HELD.write(f"{chosen}\n")
    elif HABIT == "no_line_end":
        write(chosen)
    elif HABIT == "silent":
        sys.stdin.read()
    elif HABIT == "busy":
        busy(100)
    elif HABIT == "crash":
        hand.index("no such card")
    elif HABIT == "leaves":
        sys.exit()
    elif HABIT == "not_a_card":
        write("hello\n")
    elif HABIT == "two_words":
        write(f"{chosen} {chosen}\n")
    elif HABIT == "not_held":
        write("2c\n")
    else:
        write(f"{chosen}\n")


def be_loud():
    while HABIT in ("flood", "endless_line"):
        os.write(1, b"thinking" * 1000 + (b"\n" if HABIT == "flood" else b""))
    for _ in range(100 * (HABIT == "complains")):
        os.write(2, b"thinking\n" * 10000)


def begin():
    if HABIT == "early":
        write("Jc\n")
    if HABIT == "banner":
        write("Even Steven, by team 7\n")
    if HABIT == "slow":
        select.select([0], [], [])  # the time is measured from its first question
        busy(0.6)


def pieces():
    """What is there, piece by piece, as if it were whole questions."""
    while data := os.read(0, 4096).decode():
        lines = data.splitlines()
        if HABIT == "pieces" and " " in lines[-1] and not lines[-1].startswith("YOU"):
            raise SystemExit("where is the card?")
        yield from lines


def lines():
    return pieces() if HABIT == "pieces" else iter(sys.stdin.readline, "")


def main():
    hand = []
    begin()
    for text in lines():
        line = text.removesuffix("\n") if HABIT == "carriage_return" else text.strip()
        if HABIT == "carriage_return" and line.endswith("\r"):
            raise ValueError(f"{line!r} is not a card")
        if line.startswith("YOU"):
            continue
        if " " not in line:
            answer(hand, line)
            continue
        hand = line.split(" ")[1:]
        if HABIT == "answers_news":
            write(f"{hand[0]}\n")
    if HABIT == "no_end":
        time.sleep(100)
    if HABIT == "end_crash":
        raise EOFError("nothing to read")


main()
