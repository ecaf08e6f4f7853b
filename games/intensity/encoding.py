"""Intensity as numbers (games.encoding)."""

from __future__ import annotations

from games.encoding import Field
from games.engine import Event
from games.intensity.rules import BUFFALO_WORTH, FIRST, LAST, PACK, PENALTIES
from games.trick_encoding import PassingEncoding, pass_fields, trick_fields


class IntensityEncoding(PassingEncoding):
    fields = trick_fields(
        len(PACK),
        4,
        suit="first digit",
        points=(0, PENALTIES),
        lasting=False,
        own=(
            *pass_fields(len(PACK)),
            Field("passing", 1, "we have still to discard"),
            Field("broken", 1, "a calf was played in an earlier round"),
        ),
    )
    moves = (Field("card", len(PACK), "discard this card, while three are to be discarded; else play it"),)
    number_of = {card: card - FIRST for card in range(FIRST, LAST + 1)}
    first_card = FIRST
    in_suit = 10

    def hand(self, event: Event) -> None:
        super().hand(event)
        self.values[self.at["passing"]] = 1

    def trick(self, event: Event) -> None:
        super().trick(event)
        if event["points"] % BUFFALO_WORTH:  # it had a calf: there are fewer of them in a round than the buffalo costs
            self.values[self.at["broken"]] = 1


ENCODING = IntensityEncoding
