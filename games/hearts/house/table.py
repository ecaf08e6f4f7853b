"""What one seat may know of a hand, kept as sets of cards (bit masks, games.cards): the memory of the house players.

How much of it a player looks at is what makes its class. All of it is told in the events of the seat, so a player that
looks at everything is still a fair one.
"""

from __future__ import annotations

from games.cards import BIT, mask
from games.engine import Event, Seat
from games.hearts.rules import HAND, INDEX, STEP, WORTH
from games.tricks import LED, TOP

ALL = (1 << 52) - 1


class Table:
    """A fold over the events that a seat may see. Everything is for reading."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.totals = [0, 0, 0, 0]
        self._new_hand()

    def _new_hand(self) -> None:
        self.hand = 0
        self.passing = 0  # how many seats clockwise our cards go; 0 when nothing is, or remains to be, passed
        self.held = [0, 0, 0, 0]  # what we passed to another seat and it still holds
        self.counts = [HAND] * 4
        self.gone = 0  # played, the trick on the table included
        self.out = [0, 0, 0, 0]  # suits (as sets of cards) of which that seat has shown to have none
        self.points = [0, 0, 0, 0]
        self.number = 1  # of the trick on the table
        self.broken = False
        self._new_trick()

    def _new_trick(self) -> None:
        self.played = 0  # how many cards lie on the table
        self.led = 0  # the suit led, as a set of cards; 0 before the lead
        self.best = -1  # the card that wins as it lies, and who played it
        self.winner: Seat = -1
        self.worth = 0

    @property
    def others(self) -> int:
        """The cards that the other three seats hold."""
        return ALL & ~(self.hand | self.gone)

    @property
    def hidden(self) -> int:
        """Those of them of which we do not know who holds them."""
        north, east, south, west = self.held
        return self.others & ~(north | east | south | west)

    @property
    def last(self) -> bool:
        return self.played == 3

    def beats(self, card: int) -> bool:
        """Whether a card of ours would be the winning one as the trick lies."""
        return not self.led or self.best < card <= TOP[self.best]

    def tell(self, event: Event) -> None:
        kind = event["event"]
        if kind == "play":
            self._play(event["seat"], INDEX[event["card"]])
        elif kind == "trick":
            self.points[event["winner"]] += event["points"]
            self.broken |= event["points"] > 0
            self.number += 1
            self._new_trick()
        elif kind == "pass":
            self._pass(event)
        elif kind == "hand":
            self._new_hand()
            self.hand = mask(INDEX[name] for name in event["hands"][self.seat])
            self.passing = STEP[event["pass"]]
        elif kind == "score":
            self.totals = list(event["total"])

    def _pass(self, event: Event) -> None:
        if event["seat"] == self.seat:
            cards = mask(INDEX[name] for name in event["cards"])
            self.hand &= ~cards
            self.held[event["to"]] = cards
            self.passing = 0
        elif event["to"] == self.seat:
            self.hand |= mask(INDEX[name] for name in event["cards"])

    def _play(self, seat: Seat, card: int) -> None:
        self.gone |= BIT[card]
        self.counts[seat] -= 1
        if seat == self.seat:
            self.hand ^= BIT[card]
        else:
            self.held[seat] &= ~BIT[card]
        self.played += 1
        self.worth += WORTH[card]
        if not self.led:
            self.led = LED[card]
            self.best, self.winner = card, seat
            return
        if not self.led & BIT[card]:
            self.out[seat] |= self.led
        elif card > self.best:
            self.best, self.winner = card, seat
