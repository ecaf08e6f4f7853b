"""Tricky Eights as numbers (games.encoding)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.encoding import Field
from games.engine import Event, Options, Seat
from games.trick_encoding import PLAYERS, TrickEncoding, trick_fields
from games.tricky_eights.rules import INDEX, PACK, TRICKS, WORTH, trick_worth

ALL_POINTS = sum(map(trick_worth, range(1, TRICKS + 1))) + sum(WORTH)
"""The points of a round."""


class TrickyEightsEncoding(TrickEncoding):
    fields = trick_fields(
        len(PACK),
        4,
        suit="suit",
        points=(0, ALL_POINTS),
        own=(
            Field("pool", len(PACK), "a card in the pool"),
            Field("held", PLAYERS * len(PACK), "a card taken from the pool that this player still holds"),
            Field("dealer", PLAYERS, "who deals, takes first, and leads the first trick"),
        ),
    )
    moves = (Field("card", len(PACK), "take this card, while there is a pool; else play it"),)
    number_of = INDEX

    def __init__(self, seat: Seat, options: Options) -> None:
        super().__init__(seat, options)
        self._held_of = [self.at["held"] + len(PACK) * ((other - seat) % PLAYERS) for other in range(PLAYERS)]

    def hears(self) -> Mapping[str, Callable[[Event], None]]:
        return {**super().hears(), "take": self._take, "play": self._play_held}

    def hand(self, event: Event) -> None:
        super().hand(event)
        self.set_cards("pool", event["pool"])
        self.values[self.at["dealer"] + (event["dealer"] - self.seat) % PLAYERS] = 1

    def _take(self, event: Event) -> None:
        card, seat = INDEX[event["card"]], event["seat"]
        self.values[self.at["pool"] + card] = 0
        self.values[self._held_of[seat] + card] = 1
        if seat == self.seat:
            self.values[card] = 1  # the hand comes first

    def _play_held(self, event: Event) -> None:
        self.values[self._held_of[event["seat"]] + INDEX[event["card"]]] = 0
        self._play(event)


ENCODING = TrickyEightsEncoding
