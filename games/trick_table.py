"""What one seat may know about a hand in a trick game for four players, as sets of cards.

This is the memory of house players. How much of it a player uses makes its class. Everything in it comes from the
events of the seat, so even a player that uses all of it is fair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from games.cards import BIT, mask
from games.engine import Event, Seat
from games.trick_rules import LED, TOP

ALL = (1 << 52) - 1


class TrickTable:
    """A fold over the events that a seat may see. Everything is for reading. Games add what only they have."""

    index: ClassVar[Mapping[Any, int]]  # the card by its name in events
    pack: ClassVar[int] = ALL
    follows: ClassVar[Sequence[int]] = LED  # by the card led: the cards that follow suit
    cards_each: ClassVar[int]  # how many are dealt to a seat
    card_worth: ClassVar[Sequence[int]]  # what a card adds to the trick

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.totals = [0, 0, 0, 0]
        self._new_hand()

    def _new_hand(self) -> None:
        self.hand = 0
        self.held = [0, 0, 0, 0]  # cards that this other seat is known to hold; 0 for our own
        self.counts = [self.cards_each] * 4
        self.gone = 0  # played, the trick on the table included
        self.out = [0, 0, 0, 0]  # suits (as sets of cards) that the seat has shown not to hold
        self.points = [0, 0, 0, 0]
        self._new_trick()

    def _new_trick(self) -> None:
        self.played = 0  # how many cards are on the table
        self.led = 0  # the suit led, as a set of cards; 0 before the lead
        self.best = -1  # the card that wins as the trick stands, and who played it
        self.winner: Seat = -1
        self.worth = 0

    @property
    def others(self) -> int:
        """The cards that the other three seats hold."""
        return self.pack & ~(self.hand | self.gone)

    @property
    def hidden(self) -> int:
        """The cards of other seats whose owner is not known."""
        north, east, south, west = self.held
        return self.others & ~(north | east | south | west)

    @property
    def last(self) -> bool:
        """Whether the seat in turn is the last to play to this trick."""
        return self.played == 3

    def after(self) -> list[Seat]:
        """Return the seats that play to this trick after us, when we are in turn."""
        return [(self.seat + step) % 4 for step in range(1, 4 - self.played)]

    def beats(self, card: int) -> bool:
        """Whether a card of ours, of the ordinary pack, would win the trick as it stands."""
        return not self.led or self.best < card <= TOP[self.best]

    def tell(self, event: Event) -> None:
        kind = event["event"]
        if kind == "play":
            self._play(event["seat"], self.index[event["card"]])
        elif kind == "trick":
            self._trick(event)
        elif kind == "hand":
            self._hand(event)
        elif kind == "score":
            self.totals = list(event["total"])
        else:
            self._tell_own(event)

    def _tell_own(self, event: Event) -> None:
        """Handle an event that other games do not have."""

    def _hand(self, event: Event) -> None:
        self._new_hand()
        self.hand = self._cards(event["hands"][self.seat])

    def _cards(self, names: Sequence[str]) -> int:
        return mask(self.index[name] for name in names)

    def _play(self, seat: Seat, card: int) -> None:
        self.gone |= BIT[card]
        self.counts[seat] -= 1
        if seat == self.seat:
            self.hand ^= BIT[card]
        else:
            self.held[seat] &= ~BIT[card]
        self.played += 1
        self.worth += self.card_worth[card]
        if not self.led:
            self.led = self.follows[card]
            self.best, self.winner = card, seat
            return
        if not self.led & BIT[card]:
            self.out[seat] |= self.led
        elif card > self.best:
            self.best, self.winner = card, seat

    def _trick(self, event: Event) -> None:
        self.points[event["winner"]] += event["points"]
        self._new_trick()
