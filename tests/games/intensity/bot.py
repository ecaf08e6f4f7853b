"""An Intensity bot with every bad habit: bot.py HABIT AT. The habit shows at question AT: `name`, `discards`, the
number of cards in its hand, or `tests`.

It plays the first legal card. It uses only the standard library, without site, so that it starts quickly.
"""

import os
import signal
import sys
import time


def write(text):
    data = text if isinstance(text, bytes) else text.encode()
    while data:
        data = data[os.write(1, data) :]


def forever(fd):
    while True:
        os.write(fd, b"x" * 65536)


def grow():
    hoard = []
    while True:
        hoard.append(bytearray(1 << 20))


HABITS = {
    "good": lambda answer: write(answer + "\n"),
    "unended": write,
    "lines": lambda answer: write("\n".join(reversed(answer.split())) + "\n\n"),
    "windows": lambda answer: write(f" \t{answer} \r\n"),
    "words": lambda answer: write(f"I play {answer}\n"),
    "two": lambda answer: write(f"{answer} {answer}\n"),
    "empty": lambda answer: write("\n"),
    "nothing": lambda answer: None,
    "foreign": lambda answer: write(" ".join(["50"] * len(answer.split())) + "\n"),
    "leave": lambda answer: (write(answer + "\n"), os._exit(3)),
    "late_death": lambda answer: (write(answer + "\n"), os.kill(os.getpid(), signal.SIGSEGV)),
    "early_death": lambda answer: os.kill(os.getpid(), signal.SIGSEGV),
    "halfway": lambda answer: (write(answer[:1]), os.kill(os.getpid(), signal.SIGSEGV)),
    "debug_death": lambda answer: (write("hand: 11 12\n"), os.kill(os.getpid(), signal.SIGSEGV)),
    "exit": lambda answer: os._exit(7),
    "sleep": lambda answer: time.sleep(30),
    "answer_sleep": lambda answer: (write(answer + "\n"), time.sleep(30)),
    "unended_sleep": lambda answer: (write(answer), time.sleep(30)),
    "flood": lambda answer: forever(1),
    "answer_flood": lambda answer: (write(answer + "\n"), forever(1)),
    "loud": lambda answer: (os.write(2, b"thinking\n"), write(answer + "\n")),
    "file": lambda answer: (write(answer + "\n"), os.open("state", os.O_CREAT)),
    "memory": lambda answer: grow(),
    "answer_memory": lambda answer: (write(answer + "\n"), grow()),
    "deaf": lambda answer: write("Morgan Tests\n"),
}


def legal(hand, table, played):
    if table:
        return [card for card in hand if card // 10 == table[0] // 10] or hand
    if any(card // 10 == 3 for card in played):
        return hand
    return [card for card in hand if card // 10 != 3] or hand


def main(habit, at):
    what, *numbers = map(int, sys.stdin.read().split())
    if what == 0:
        where, answer = "name", "Dennis Ritchie"
    elif what == 1:
        where, answer = "discards", " ".join(map(str, numbers[:3]))
    elif what == 2:
        n_hand, n_table = numbers[:2]
        hand, numbers = numbers[3 : 3 + n_hand], numbers[3 + n_hand :]
        where, answer = str(n_hand), str(legal(hand, numbers[:n_table], numbers[n_table:-6])[0])
    else:
        where, answer = "tests", "all tests passed"
    HABITS[habit if where == at else "good"](answer)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
