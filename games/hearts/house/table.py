"""What a house player knows about a hand of Hearts: what it passed to whom, and whether hearts are broken."""

from __future__ import annotations

from games.engine import Event
from games.hearts.rules import HAND, INDEX, STEP, WORTH
from games.trick_table import TrickTable


class Table(TrickTable):
    index, cards_each, card_worth = INDEX, HAND, WORTH

    def _new_hand(self) -> None:
        super()._new_hand()
        self.passing = 0  # how many seats clockwise our cards go; 0 when nothing is left to be passed
        self.broken = False

    def _tell_own(self, event: Event) -> None:
        if event["event"] == "pass":
            self._pass(event)

    def _hand(self, event: Event) -> None:
        super()._hand(event)
        self.passing = STEP[event["pass"]]

    def _pass(self, event: Event) -> None:
        if event["seat"] == self.seat:
            cards = self._cards(event["cards"])
            self.hand &= ~cards
            self.held[event["to"]] = cards
            self.passing = 0
        elif event["to"] == self.seat:
            self.hand |= self._cards(event["cards"])

    def _trick(self, event: Event) -> None:
        super()._trick(event)
        self.broken |= event["points"] > 0
