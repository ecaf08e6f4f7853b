"""What one seat, a spectator or the open table knows."""

from __future__ import annotations

from typing import Any

from oh_hell.rules import HAND, INDEX, PACK, playable

from games.cards import listed, mask
from games.engine import Event
from games.trick_view import TrickView


class View(TrickView):
    index, cards_each = INDEX, HAND

    def _new_hand(self, hands: list[list[int] | None], count: int) -> None:
        super()._new_hand(hands, count)
        self.bids: list[int | None] = [None, None, None, None]

    @property
    def phase(self) -> str:
        return "bids" if any(self.counts) and None in self.bids else super().phase

    def name(self, card: int) -> str:
        return PACK[card]

    def _tell_hand(self, event: Event) -> None:
        super()._tell_hand(event)
        self.turn = self.leader = (event["dealer"] + 1) % 4

    def _tell_bid(self, event: Event) -> None:
        self.bids[event["seat"]] = event["bid"]
        self.turn = (event["seat"] + 1) % 4

    def legal(self) -> list[Any] | None:
        hand = None if self.turn is None else self.hands[self.turn]
        if hand is None or self.phase not in ("bids", "play"):
            return None
        return list(range(HAND + 1)) if self.phase == "bids" else self.names(listed(playable(mask(hand), self.led)))

    def position(self) -> dict[str, Any]:
        """`TrickView.common_position`, and per seat: its bid (null before) and the tricks it has taken."""
        more = {"hand": self.number, "bids": list(self.bids), "tricks": list(self.tricks), "legal": self.legal()}
        return {**self.common_position(), **more}
