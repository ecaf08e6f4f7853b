"""What one seat may know about a game, as sets of cards (bit masks): the memory of the house players."""

from __future__ import annotations

from games.cards import BIT, listed
from games.engine import Event, Seat
from games.intensity.rules import BUFFALO, CALVES, FOLLOWS, HAND, TENS, WORTH
from games.trick_table import TrickTable

ALL = TENS[1] | TENS[2] | TENS[3] | TENS[4]


CATCHERS = BIT[48] | BIT[49]
"""The cards that win the buffalo."""


class Table(TrickTable):
    index, cards_each, card_worth = {card: card for card in listed(ALL)}, HAND, WORTH
    pack, follows = ALL, FOLLOWS

    def _new_hand(self) -> None:
        super()._new_hand()
        self.discarding = True
        self.unlikely = [0, 0, 0, 0]  # cards that a sensible player in that seat would have played already
        self.broken = False  # whether a calf was played in an earlier round

    def _hand(self, event: Event) -> None:
        self.hand = self._cards(event["hands"][self.seat])  # a game has one hand, and fines may come before it

    def _trick(self, event: Event) -> None:
        super()._trick(event)
        self.broken |= bool(self.gone & CALVES)

    def _tell_own(self, event: Event) -> None:
        if event["event"] == "pass":
            self._pass(event)
        elif event["event"] == "fault":
            self.points[event["seat"]] += event.get("points", 0)

    def _pass(self, event: Event) -> None:
        """Our own discards are the first that we hear of."""
        self.discarding = False
        if event["seat"] == self.seat:
            cards = self._cards(event["cards"])
            self.held[event["to"]] = cards
            self.hand ^= cards
        elif event["to"] == self.seat:
            self.hand |= self._cards(event["cards"])

    def _play(self, seat: Seat, card: int) -> None:
        if self.led and seat != self.seat:
            self._infer(seat, card)
        super()._play(seat, card)

    def _infer(self, seat: Seat, card: int) -> None:
        """A player who ducks plays the highest card that stays below. One who must win as the last plays their highest.
        One who cannot follow throws the buffalo, then what would catch it."""
        bit = BIT[card]
        if not self.led & bit:
            if card != BUFFALO:
                self.unlikely[seat] |= BIT[BUFFALO]
                if not CATCHERS & bit and not self.gone & BIT[BUFFALO]:
                    self.unlikely[seat] |= CATCHERS
        elif card < self.best:
            self.unlikely[seat] |= self.led & (BIT[self.best] - 1) & -(bit << 1)
        else:
            self.unlikely[seat] |= self.led & (BIT[self.best] - 1)
            if self.last:
                self.unlikely[seat] |= self.led & -(bit << 1) & ~BIT[BUFFALO]
