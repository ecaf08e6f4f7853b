"""A game on paper: a sheet for each deal with its hands, what was decided, and the score before and after.

Like all of a replay, it is drawn from what the view may know (`Replay.seen`), so the page that shows it needs no rules
of its own about who may see what.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from markupsafe import Markup, escape

from contest import cards
from contest.drawing import draw
from contest.formatting import signed
from contest.replay import Replay
from contest.replay.moves import Move, MoveLine
from contest.replay.parts import ReplaySeat, Round
from games.engine import Card

SHORT = 7
"""Lines of a deal so short that several sheets share a page."""

FAULTS = 6
"""The most faults that a sheet tells in full, so that it fits its page."""

AT_ONCE = 60
"""The most sheets on one page of the portal."""

PILES = ("pool", "stock")
"""The fields of a `hand` event with cards that belong to nobody."""

_RANGE = re.compile(r"(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?")


@dataclass(frozen=True, slots=True)
class Rank:
    """The cards of one suit in a hand: `mark` draws the suit, and is blank where the pack has none, or where cards are
    held by value."""

    mark: Markup
    ranks: Markup


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards that a seat was dealt. Without `suits` the view does not know them."""

    seat: ReplaySeat
    suits: Sequence[Rank]
    count: int | None


@dataclass(frozen=True, slots=True)
class Pile:
    name: str
    suits: Sequence[Rank]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: a trick, or what all decided before it. By seat: what it did."""

    label: str
    dealt: Card | None
    cells: Sequence[Sequence[Move]]
    outcome: str


class Sheet:
    """One deal."""

    def __init__(self, replay: Replay, this: Round) -> None:
        self.replay = replay
        self.round = this
        self.seats = replay.seats
        self._event = replay.seen[this.deal]

    @property
    def title(self) -> str:
        """Such as `Round 3 of 12`; blank in games of one deal."""
        word = self.replay.game.hand_word
        return f"{word.capitalize()} {self.round.number} of {len(self.replay.rounds)}" if word else ""

    @property
    def caption(self) -> str:
        """The deal in a sentence."""
        return self.replay.captions[self.round.deal]

    @property
    def roles(self) -> dict[int, str]:
        """By seat: whether it dealt, or leads."""
        named = {"dealer": "dealer", "leader": "leads first"}
        return {self._event[key]: words for key, words in named.items() if self._event.get(key) is not None}

    @property
    def hands(self) -> list[Hand]:
        hands = self._event.get("hands") or [None] * len(self.seats)
        return [
            Hand(seat, self._suits(hand or ()), None if hand is None else len(hand))
            for seat, hand in zip(self.seats, hands, strict=True)
        ]

    @property
    def piles(self) -> list[Pile]:
        return [Pile(name.capitalize(), self._suits(self._event[name])) for name in PILES if self._event.get(name)]

    def _suits(self, held: Sequence[Card]) -> list[Rank]:
        game = self.replay.game
        found = []
        for group in cards.by_suit(game, held):
            faces = [cards.face(game, each) for each in group]
            marks = [cards.suit_mark(face.suit) if face.suit in cards.SUITS else Markup() for face in faces]
            if len({face.suit for face in faces}) > 1:  # held by value: each card shows its own suit
                ranks = [escape(face.rank) + mark for face, mark in zip(faces, marks, strict=True)]
                found.append(Rank(Markup(), Markup(" ").join(ranks)))
            else:
                found.append(Rank(marks[0], escape(" ".join(face.rank for face in faces))))
        return found

    @cached_property
    def rows(self) -> list[Row]:
        return [self._row(line) for line in self.replay.moves(self.round).lines]

    def _row(self, line: MoveLine) -> Row:
        cells = [[each for each in line.moves if each.seat.index == seat.index] for seat in self.seats]
        outcome = line.outcome
        words = ""
        if outcome is not None:
            words = "tied" if outcome.winner is None else f"{self.seats[outcome.winner].label} {outcome.gain}"
        return Row(line.label, line.dealt, cells, words)

    @property
    def is_short(self) -> bool:
        return len(self.rows) <= SHORT

    @property
    def faults(self) -> list[tuple[str, str]]:
        """Where a fault was made, and what it was."""
        replay, plies = self.replay, range(self.round.first, self.round.last + 1)
        faults = [ply for ply in replay.plies("fault") if ply in plies]
        found = [(upper(replay.place(ply)), replay.captions[ply]) for ply in faults[:FAULTS]]
        more = len(faults) - len(found)
        return [*found, ("And", f"{more} more.")] if more else found

    @property
    def scores(self) -> list[tuple[str, Sequence[str]]]:
        """The score before the deal, what it brought, and the score after it; nothing where nobody counts so."""
        this = self.round
        if this.hand is None or this.total is None:
            return []
        before = self.replay.rounds[this.number - 2].total if this.number > 1 else None
        return [
            ("Before", [str(points) for points in before or [0] * len(self.seats)]),
            ("This deal", [signed(points) for points in this.hand]),
            ("After", [str(points) for points in this.total]),
        ]

    @property
    def result(self) -> str:
        """How the game ended, on its last sheet."""
        last = self.replay.last
        ends = self.round.last == last and self.replay.events[last]["event"] == "result"
        return self.replay.captions[last] if ends else ""

    def draw(self) -> Markup:
        return draw(self.replay.game, "replay/drawn/sheet.html", sheet=self, seats=self.seats)


def upper(words: str) -> str:
    return words[:1].upper() + words[1:]


def chosen(wanted: str, rounds: Sequence[Round]) -> list[Round]:
    """Return the rounds that a reader asked for, such as `3`, `1-8, 12`, `all`; nonsense means all."""
    numbers: set[int] = set()
    for part in wanted.split(","):
        if found := _RANGE.fullmatch(part.strip()):
            first, last = int(found[1]), int(found[2] or found[1])
            numbers.update(each.number for each in rounds if first <= each.number <= last)
    return [each for each in rounds if each.number in numbers] or list(rounds)


def sheets(replay: Replay, wanted: str) -> dict[str, Any]:
    """The context of `templates/replay/sheets.html`. `wanted`: which rounds, as somebody typed it."""
    rounds = chosen(wanted, replay.rounds)
    return {
        "replay": replay,
        "wanted": _written([each.number for each in rounds[:AT_ONCE]]),
        "sheets": [Sheet(replay, each) for each in rounds[:AT_ONCE]],
        "left": len(rounds) - AT_ONCE,
        "views": replay.views,
        "view_name": replay.views[replay.view],
        "transcript": f"{replay.base_url}?transcript=1&view={replay.view}",
    }


def _written(numbers: Sequence[int]) -> str:
    """`1-8, 12`."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)
