"""mactech98.py - talks to the referee of Hearts, so you do not have to. Do not change it: the contest runs your player with
its own copy.

You write the six routines of the Programmer's Challenge of 1998 in Python's spelling, and hand them to `run` in the last line:

    init_tournament(num_players, game_ending_score)
    init_game(player_ids, your_seat)
    select_pass(dealt_hand, direction)                          -> three indices into dealt_hand
    play_trick(trick_number, leader, your_hand, cards_played)   -> an index into your_hand
    trick_results(cards, winner)
    hand_results(points, totals)

Lists of four are indexed by seat. A hand is a list of 13 cards; where a card was played there is NO_CARD. cards_played has
NO_CARD where nobody has played yet. Lists are yours to change.

Print nothing to standard output: it belongs to the referee. Debug with print(..., file=sys.stderr); only your team
can read that afterwards. Each millisecond of processor time that your routines use costs a point.
"""

import os
import random
import sys
from time import process_time_ns
from typing import NamedTuple

NO_SUIT, SPADE, HEART, DIAMOND, CLUB = range(5)
NO_SPOT, *_, JACK, QUEEN, KING, ACE = range(14)
"""Spots are 1 (the two) ... 13 (the ace), as in 1998."""

PASS_LEFT, PASS_RIGHT, PASS_ACROSS, NO_PASS = range(4)


class Card(NamedTuple):
    suit: int
    spot: int

    def __str__(self):
        return "--" if self.suit == NO_SUIT else FACES[self.spot - 1] + " SHDC"[self.suit]


FACES = "2 3 4 5 6 7 8 9 10 J Q K A".split()
NO_CARD = Card(NO_SUIT, NO_SPOT)
TWO_OF_CLUBS = Card(CLUB, 1)
QUEEN_OF_SPADES = Card(SPADE, QUEEN)
CARDS = {str(card): card for card in (Card(suit, spot) for suit in range(1, 5) for spot in range(1, 14))}
DIRECTIONS = {"left": PASS_LEFT, "right": PASS_RIGHT, "across": PASS_ACROSS, "none": NO_PASS}

_SEED = os.environ.get("MACTECH98_SEED")
random_source = random.Random(int(_SEED) if _SEED else None)
"""Random numbers, different in every run unless the environment variable MACTECH98_SEED holds a number (it is not set in the contest)."""


def is_point(card):
    """Whether a card costs points: a heart, or the queen of spades."""
    return card.suit == HEART or card == QUEEN_OF_SPADES


def legal_indices(hand, trick_number, led, points_played):
    """The indices of the cards that may be played now.

    led: the card that was led, NO_CARD when you lead; points_played: whether a point card was played on an earlier trick
    of this hand.
    """
    held = [index for index, card in enumerate(hand) if card is not NO_CARD]
    if led is not NO_CARD:
        return [index for index in held if hand[index].suit == led.suit] or held
    if trick_number == 0:
        return [index for index in held if hand[index] == TWO_OF_CLUBS]
    if points_played or all(is_point(hand[index]) for index in held):
        return held
    return [index for index in held if hand[index].suit != HEART]


def _expect_index(routine, returned):
    if type(returned) is not int:
        told = f"{returned!r:.80}, of type {type(returned).__name__}"
        print(f"mactech98: {routine} returned {told}: an index is an int, 0 ... 12", file=sys.stderr)


class _Harness:
    def __init__(self, routines):
        self.init_tournament, self.init_game, self.select_pass, self.play_trick, *results = routines
        self.trick_results, self.hand_results = results
        self.seat = 0
        self.dealt, self.hand = [], []
        self.direction = NO_PASS
        self.used = 0  # nanoseconds of the routines since our last answer

    def call(self, routine, *arguments):
        started = process_time_ns()
        try:
            return routine(*arguments)
        finally:
            self.used += process_time_ns() - started

    def answer(self, text):
        data = f"{text} cpu {self.used}\n".encode()
        self.used = 0
        while data:
            data = data[os.write(1, data) :]

    def hello(self, words):
        self.answer("ready")

    def tournament(self, words):
        self.call(self.init_tournament, int(words[0]), int(words[1]))

    def game(self, words):
        *ids, self.seat = map(int, words)
        self.call(self.init_game, ids, self.seat)

    def deal(self, words):
        self.direction = DIRECTIONS[words[0]]
        self.dealt = [CARDS[word] for word in words[1:]]
        self.hand = self.dealt.copy()
        if self.direction == NO_PASS:
            self.call(self.select_pass, self.dealt.copy(), NO_PASS)

    def choose_pass(self, words):
        chosen = list(self.call(self.select_pass, self.dealt.copy(), self.direction))
        for index in chosen:
            _expect_index("select_pass", index)
        self.answer(" ".join(map(str, chosen)))

    def received(self, words):
        for index, card in zip(words[::2], words[1::2]):
            self.hand[int(index)] = CARDS[card]

    def play(self, words):
        number, leader = int(words[0]), int(words[1])
        played = [NO_CARD] * 4
        for step, word in enumerate(words[2:]):
            played[(leader + step) % 4] = CARDS[word]
        index = self.call(self.play_trick, number, leader, self.hand.copy(), played)
        _expect_index("play_trick", index)
        self.answer(str(index))

    def trick(self, words):
        cards = [CARDS[word] for word in words[:4]]
        self.hand[self.hand.index(cards[self.seat])] = NO_CARD
        self.call(self.trick_results, cards, int(words[4]))

    def score(self, words):
        numbers = [int(word) for word in words]
        self.call(self.hand_results, numbers[:4], numbers[4:])

    def end(self, words):
        self.answer("done")


def run(init_tournament, init_game, select_pass, play_trick, trick_results, hand_results):
    """Play: read what the referee says, call the routines, answer. Returns when there is nothing more to read."""
    harness = _Harness((init_tournament, init_game, select_pass, play_trick, trick_results, hand_results))
    handlers = {
        "hello": harness.hello,
        "tournament": harness.tournament,
        "game": harness.game,
        "hand": harness.deal,
        "pass": harness.choose_pass,
        "received": harness.received,
        "play": harness.play,
        "trick": harness.trick,
        "score": harness.score,
        "end": harness.end,
    }
    unread = b""
    while True:
        data = os.read(0, 4096)
        if not data:
            return
        *lines, unread = (unread + data).split(b"\n")
        for line in lines:
            words = line.decode("ascii", "replace").split()
            if words and words[0] in handlers:
                handlers[words[0]](words[1:])
