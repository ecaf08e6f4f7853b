"""What the encodings of trick games for four players share: hands, tricks, who is out of a suit, points.

Players are counted from our own seat on, clockwise: 0 is this seat, 1 the next one. One policy can then play every
seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from games.encoding import LEAST, MOST, Encoding, Field, blank, percent, places
from games.engine import Action, Event, Options, Seat
from games.passes import PASSED, Passes

PLAYERS = 4
_CHOSEN = "chosen"


def trick_fields(
    cards: int, suits: int, *, suit: str, points: tuple[int, int], own: Sequence[Field], lasting: bool = True
) -> tuple[Field, ...]:
    """Return the fields of a trick game: those of all of them, its `own`, and then those that outlast the hand.

    `suit` is the word for cards that follow each other, and `points` are the least and the most that a hand can bring.
    A game that is not `lasting` has one hand.
    """
    least, most = points
    total = Field("total", PLAYERS, "points of each player's finished hands, in hundredths of the target", MOST, LEAST)
    return (
        Field("hand", cards, "a card in our hand"),
        Field("trick", PLAYERS * cards, "a card of this trick, by who played it"),
        Field("played", PLAYERS * cards, "a card played in this hand, this trick included, by who played it"),
        Field("led", suits, f"the {suit} led to this trick"),
        Field("void", PLAYERS * suits, f"a {suit} that a player did not follow, so has none of, by player"),
        Field("number", 1, "the number of this trick; 0 before the first card is played", cards // PLAYERS),
        *own,
        Field("points", PLAYERS, "points of each player in this hand", most, least),
        *([total] if lasting else ()),
    )


def pass_fields(cards: int) -> tuple[Field, ...]:
    return (
        Field(_CHOSEN, cards, "a card that we have chosen to pass, while we have not yet chosen all three"),
        Field("given", cards, "a card that we passed"),
        Field("received", cards, "a card that was passed to us"),
    )


class TrickEncoding(Encoding):
    """Base of an encoding with `trick_fields`. A card's number is its place in the pack."""

    number_of: ClassVar[Mapping[Any, int]]
    """By a card in the record: its number."""
    first_card: ClassVar[int] = 0
    """The action that is the first card."""
    in_suit: ClassVar[int] = 13
    trick_points = True

    def __init__(self, seat: Seat, options: Options) -> None:
        super().__init__(seat, options)
        at = self.at = places(self.fields)
        cards = len(self.number_of)
        suits = cards // self.in_suit
        steps = [(other - seat) % PLAYERS for other in range(PLAYERS)]
        # By seat, because this is looked up for every card that anybody plays.
        self._trick_of = [at["trick"] + cards * step for step in steps]
        self._played_of = [at["played"] + cards * step for step in steps]
        self._void_of = [at["void"] + suits * step for step in steps]
        self._points_of = [at["points"] + step for step in steps]
        self._end = at.get("total", len(self.values))  # of what a hand clears
        self._on_table = slice(at["trick"], at["played"])
        self._no_trick = blank(PLAYERS * cards)
        self._led_at, self._number_at = at["led"], at["number"]
        self._led = -1
        self._picked: list[int] = []
        self._passes = False

    def hears(self) -> Mapping[str, Callable[[Event], None]]:
        return {"hand": self.hand, "play": self._play, "trick": self.trick, "score": self._score}

    def set_cards(self, field: str, cards: Sequence[Any], value: int = 1) -> None:
        start = self.at[field]
        for card in cards:
            self.values[start + self.number_of[card]] = value

    def hand(self, event: Event) -> None:
        self.values[: self._end] = blank(self._end)
        self._led = -1
        self._picked.clear()
        self.set_cards("hand", event["hands"][self.seat])

    def _play(self, event: Event) -> None:
        seat, card, values = event["seat"], self.number_of[event["card"]], self.values
        values[self._trick_of[seat] + card] = 1
        values[self._played_of[seat] + card] = 1
        if seat == self.seat:
            values[card] = 0  # the hand comes first
        suit = card // self.in_suit
        led = self._led
        if led < 0:
            self._led = suit
            values[self._led_at + suit] = 1
            values[self._number_at] += not values[self._number_at]  # the first lead
        elif suit != led:
            values[self._void_of[seat] + led] = 1

    def trick(self, event: Event) -> None:
        values = self.values
        values[self._on_table] = self._no_trick
        values[self._led_at + self._led] = 0
        self._led = -1
        values[self._points_of[event["winner"]]] += event["points"]
        if values[self._number_at] < len(self.number_of) // PLAYERS:
            values[self._number_at] += 1

    def _score(self, event: Event) -> None:
        for seat, points in enumerate(event["hand"]):
            self.values[self._points_of[seat]] = points
        if self._end < len(self.values):
            for seat, points in enumerate(event["total"]):
                self.values[self._end + (seat - self.seat) % PLAYERS] = percent(points, self.options["target"])

    def choices(self, legal: Sequence[Action]) -> Sequence[int]:
        first = self.first_card
        self._passes = type(legal) is Passes
        if isinstance(legal, Passes):
            return [card - first for card in legal.cards if card not in self._picked]
        return [card - first for card in legal] if first else legal  # type: ignore[operator,return-value]  # cards

    def choose(self, number: int) -> Action | None:
        card = self.first_card + number
        if not self._passes:
            return card
        self._picked.append(card)
        self.values[self.at[_CHOSEN] + number] = 1
        if len(self._picked) < PASSED:
            return None
        passed = tuple(sorted(self._picked))
        self._picked.clear()
        return passed


class PassingEncoding(TrickEncoding):
    """Base for games in which a hand begins with cards that are passed or discarded. It has the fields of `pass_fields`
    and one called `passing`, which `hand` sets."""

    def hears(self) -> Mapping[str, Callable[[Event], None]]:
        return {**super().hears(), "pass": self._pass}

    def _pass(self, event: Event) -> None:
        """Take note of cards that we passed or received. Others' cards are not in the event."""
        if event["seat"] == self.seat:
            self.set_cards("hand", event["cards"], 0)
            self.set_cards("given", event["cards"])
            self.values[self.at[_CHOSEN] : self.at["given"]] = blank(len(self.number_of))
            self.values[self.at["passing"]] = 0
        elif event["to"] == self.seat:
            self.set_cards("hand", event["cards"])
            self.set_cards("received", event["cards"])
