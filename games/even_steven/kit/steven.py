"""steven.py - talks to the dealer of Even Steven for you. Do not change it: the portal has its own.

    from steven import *

    game = Game()
    while game.next_card():
        game.play(game.hand[0])

next_card reads until a card must be covered, and is False when all games are over. You then play a card of game.hand.
All of this is optional: a program that reads and writes the lines of rules.md itself is just as good.
"""

import os
import random
import sys

__all__ = ["Card", "Game", "covers", "debug", "random_source"]

VALUES = {name: value for value, name in enumerate(("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"), 2)}

random_source = random.Random(os.environ.get("STEVEN_SEED"))
"""For random numbers. To repeat a run exactly, set the environment variable STEVEN_SEED."""


class Card:
    """A card. str(card) is its name as the dealer writes it."""

    def __init__(self, name):
        self.name = name  # such as "10c"
        self.value = VALUES[name[:-1]]  # 2 ... 14: jack 11, queen 12, king 13, ace 14
        self.suit = name[-1]  # "c", "d", "h", "s": it has no effect on anything

    def __repr__(self):
        return self.name

    def __eq__(self, other):
        return isinstance(other, Card) and self.name == other.name

    def __hash__(self):
        return hash(self.name)


def covers(mine, dealt):
    """Whether a card of yours may lie on that dealt card."""
    return mine.value >= dealt.value


def debug(*words):
    """Writes a line for debugging, as print would: the dealer prints it after a `*`.

    In the contest, where the program is started without an argument, nothing is written.
    """
    if len(sys.argv) > 1:
        print("*", *words, flush=True)


class Game:
    """What you know of the game in progress."""

    def __init__(self):
        self.number = 0  # of this game: 1, 2, 3, ...
        self.size = 0  # cards that you were dealt, and that you must cover
        self.hand = []  # the cards that you still hold, in the order of the deal
        self.open = None  # the card that you must cover now
        self.past = []  # all cards dealt so far, in order; the last is the open one
        self.played = []  # what you played on them
        self.won = 0  # games so far
        self.lost = 0

    def next_card(self):
        """Waits until a card must be covered: self.open. False when all games are over: end your program then."""
        for line in sys.stdin:
            words = line.split()
            if not words:
                continue
            if words[0] == "YOU":
                self.won += words[1:2] == ["WIN"]
                self.lost += words[1:2] == ["LOSE"]
            elif words[0].isdigit():
                self.number += 1
                self.size = int(words[0])
                self.hand = [Card(name) for name in words[1:]]
                self.past, self.played = [], []
            elif words[0][:-1] in VALUES:
                self.open = Card(words[0])
                self.past.append(self.open)
                return True
        return False

    def play(self, card):
        """Plays this card on the open one."""
        if card in self.hand:
            self.hand.remove(card)
        elif isinstance(card, Card):
            print(f"steven: {card} is not in your hand", file=sys.stderr)
        else:
            print(f"steven: {card!r:.80}, of type {type(card).__name__}, is not a Card of your hand", file=sys.stderr)
        self.played.append(card)
        print(card, flush=True)
