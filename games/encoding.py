"""A game as numbers, for programs that learn: what a seat may see, and what it can decide.

An encoding is one more fold over the events that a seat hears (games.hearing), like `View` and `Wire`, so it cannot
hold anything that `Game.see` hides. It fills `values`, a row of small integers whose meaning `fields` describes, and
turns decisions into numbers from 0 and back. A decision of several cards is made card by card.

A game has its own encoding in `encoding.py` of its folder, as `ENCODING`. For other games there is `PlainEncoding`,
which knows only the events that most games have. Package `kibitz_rl` builds environments on encodings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from games.engine import Action, Event, Game, Options, Seat

LEAST, MOST = -127, 127
"""The limits of `values`: each fits into a byte, and so does its opposite."""


@dataclass(frozen=True, slots=True)
class Field:
    """Neighbouring positions with one meaning. Each holds an integer from `low` to `high`."""

    name: str
    size: int
    about: str
    high: int = 1
    low: int = 0


def places(fields: Sequence[Field]) -> dict[str, int]:
    """Return the first position of every field."""
    found, start = {}, 0
    for field in fields:
        found[field.name] = start
        start += field.size
    return found


def size(fields: Sequence[Field]) -> int:
    return sum(field.size for field in fields)


def blank(values: int) -> array[int]:
    return array("b", bytes(values))


def clipped(number: int) -> int:
    return max(LEAST, min(MOST, number))


def percent(points: int, target: int) -> int:
    """Return points as whole hundredths of a target, as far as they fit."""
    return clipped(100 * points // target)


class Encoding(ABC):
    """What one seat knows of a game. It can be used for the next one after `begin`."""

    fields: Sequence[Field]
    """What the positions of `values` mean, in their order."""
    moves: Sequence[Field]
    """What the numbers of decisions mean: `size` of them each."""
    trick_points: bool = False
    """Whether the points of a trick are part of the game's scores as soon as it is taken."""

    def __init__(self, seat: Seat, options: Options) -> None:
        self.seat = seat
        self.options = options
        self.values = blank(size(self.fields))
        self._blank = blank(len(self.values))
        self._heard: Mapping[str, Callable[[Event], None]] = self.hears()

    def begin(self) -> None:
        """Forget everything, because a game begins. `values` stays the same array."""
        self.values[:] = self._blank

    @abstractmethod
    def hears(self) -> Mapping[str, Callable[[Event], None]]:
        """Return what is done about each kind of event. All others are ignored."""

    def tell(self, event: Event) -> None:
        heard = self._heard.get(event["event"])
        if heard is not None:
            heard(event)

    @abstractmethod
    def choices(self, legal: Sequence[Action]) -> Sequence[int]:
        """Return the numbers that the seat may choose from, when it is in turn and these actions are legal."""

    @abstractmethod
    def choose(self, number: int) -> Action | None:
        """Return the action for one of the last `choices`. None: it is complete only after more choices."""


def encoding_of(game: Game, package: str) -> Callable[[Seat, Options], Encoding]:
    """Return what makes the encodings of a game in that package: its own, or the plain one."""
    if find_spec(f"{package}.encoding") is None:
        return lambda seat, options: PlainEncoding(game, seat, options)
    found: Callable[[Seat, Options], Encoding] = import_module(f"{package}.encoding").ENCODING
    return found


OTHERS = 64
"""How many legal actions that are not a card the plain encoding can tell apart."""


class PlainEncoding(Encoding):
    """Any game with cards, as far as the ordinary events tell of it.

    A decision for one card has the card's number. Any other decision has the number of its place among the legal
    actions.
    """

    def __init__(self, game: Game, seat: Seat, options: Options) -> None:
        self._game = game
        names = list(dict.fromkeys(game.pack))
        self._index = {name: card for card, name in enumerate(names)}
        self._cards = cards = len(names)
        self._players = players = game.seats[1]
        self.fields = (
            Field("hand", cards, "a card in our hand"),
            Field("open", cards, "a card face up on the table that somebody may take or must answer"),
            Field("trick", players * cards, "a card of this trick, by who played it, we first"),
            Field("played", players * cards, "a card played since the last deal, by who played it, we first"),
            Field("first", players, "who deals or leads this hand, we first"),
            Field("tricks", players, "tricks taken since the last deal, we first", MOST),
            Field("said", players, "the number that each player last named (such as a bid) plus 1, we first", MOST),
            Field("total", players, "points of all finished hands, we first", MOST, LEAST),
        )
        self.moves = (
            Field("card", cards, "this card"),
            Field("other", OTHERS, "the legal action in this place of the list, where it is not one card"),
        )
        self._at = places(self.fields)
        self._legal: dict[int, Action] = {}
        super().__init__(seat, options)

    def hears(self) -> Mapping[str, Callable[[Event], None]]:
        ours = {
            "hand": self._hand,
            "pass": self._pass,
            "take": self._take,
            "deal": self._deal,
            "play": self._play,
            "trick": self._trick,
            "score": self._score,
        }
        return dict.fromkeys(self._game.decisions, self._say) | ours

    def choices(self, legal: Sequence[Action]) -> Sequence[int]:
        self._legal = {self._number(place, action): action for place, action in enumerate(legal)}
        return list(self._legal)

    def _number(self, place: int, action: Action) -> int:
        card = self._index.get(str(action if isinstance(action, str) else self._card(action)))
        if card is not None:
            return card
        if place >= OTHERS:
            raise ValueError(f"{self._game.title} needs an encoding of its own: it has too many legal actions")
        return self._cards + place

    def _card(self, action: Action) -> object:
        """Return the card of an action, as far as its number says so."""
        pack = self._game.pack
        return pack[action] if type(action) is int and 0 <= action < len(pack) else None

    def choose(self, number: int) -> Action | None:
        return self._legal[number]

    def _place(self, field: str, seat: Seat, each: int = 1) -> int:
        """Return where a player's part of a field begins."""
        return self._at[field] + each * ((seat - self.seat) % self._players)

    def _set(self, start: int, cards: Sequence[Any], value: int = 1) -> None:
        for card in cards:
            self.values[start + self._index[str(card)]] = value

    def _hand(self, event: Event) -> None:
        self.values[: self._at["total"]] = blank(self._at["total"])
        self._set(self._at["hand"], event["hands"][self.seat])
        self._set(self._at["open"], event.get("pool") or ())
        first = event.get("dealer", event.get("leader"))
        if first is not None:
            self.values[self._place("first", first)] = 1

    def _pass(self, event: Event) -> None:
        for seat, held in ((event["seat"], 0), (event["to"], 1)):
            if seat == self.seat:
                self._set(self._at["hand"], event.get("cards", ()), held)

    def _take(self, event: Event) -> None:
        self._set(self._at["open"], [event["card"]], 0)
        if event["seat"] == self.seat:
            self._set(self._at["hand"], [event["card"]])

    def _deal(self, event: Event) -> None:
        self._set(self._at["open"], [event["card"]])

    def _play(self, event: Event) -> None:
        cards, seat = [event["card"]], event["seat"]
        if seat == self.seat:
            self._set(self._at["hand"], cards, 0)
        self._set(self._place("trick", seat, self._cards), cards)
        self._set(self._place("played", seat, self._cards), cards)

    def _trick(self, event: Event) -> None:
        start, end = self._at["trick"], self._at["played"]
        self.values[start:end] = blank(end - start)
        if event["winner"] is not None:
            place = self._place("tricks", event["winner"])
            self.values[place] = clipped(self.values[place] + 1)

    def _say(self, event: Event) -> None:
        numbers = [number for number in self._game.chosen(event) if type(number) is int]
        self.values[self._place("said", event["seat"])] = clipped(1 + numbers[0]) if numbers else 1

    def _score(self, event: Event) -> None:
        for seat, points in enumerate(event["total"]):
            self.values[self._place("total", seat)] = clipped(points)
