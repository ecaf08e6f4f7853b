"""Small bots for the tests: one that follows the rules, and one for each way to break them."""

from __future__ import annotations

from pathlib import Path

from games import get

KIT = Path(str(get("tricky_eights").folder)) / "kit"

GOOD = """\
import sys

hand, pool = [], []
for line in sys.stdin:
    words = line.split()
    shown = words[2::2]
    if words[0] == "starthand":
        hand, pool = words[2:12], words[12:]
    elif words[0] in ("take", "aftertake"):
        pool = [card for card in pool if card not in shown]
        if words[0] == "take":
            card = pool.pop(0)
            hand.append(card)
            TAKE
            print(card)
    elif words[0] == "play":
        suited = [card for card in hand if shown and card[0] == shown[0][0]]
        card = (suited or hand)[0]
        PLAY
        hand.remove(card)
        print(card)
"""


def python_bot(take: str = "pass", play: str = "pass", first: str = "") -> bytes:
    """A bot that follows the rules, with these statements before it takes and before it plays."""
    return (f"{first}\n" if first else "").encode() + GOOD.replace("TAKE", take).replace("PLAY", play).encode()


GOOD_PYTHON = python_bot()
CRASHES = python_bot(play="raise RuntimeError('no more ideas')")
SLEEPS = python_bot(play="import time; time.sleep(60)")
CHEATS = python_bot(play="print('ca' if card != 'ca' else 'c2'); continue")
BABBLES = python_bot(play="print('hello'); continue")
WRITES = python_bot(take="open('/tmp/notes', 'w')")
TALKS = python_bot(play="print('thinking about', card, file=sys.stderr)")
DOES_NOT_COMPILE = b"int main( { return 0; }\n"


def kit(name: str) -> bytes:
    """A file of the starter kit, such as random.cpp."""
    return (KIT / name).read_bytes()
