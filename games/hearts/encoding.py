"""Hearts as numbers (games.encoding)."""

from __future__ import annotations

from games.encoding import Field
from games.engine import Event
from games.hearts.rules import ALL_POINTS, INDEX, PACK, PASSES
from games.trick_encoding import PassingEncoding, pass_fields, trick_fields


class HeartsEncoding(PassingEncoding):
    fields = trick_fields(
        len(PACK),
        4,
        suit="suit",
        points=(-ALL_POINTS, ALL_POINTS),
        own=(
            *pass_fields(len(PACK)),
            Field("direction", len(PASSES), f"where cards are passed in this hand: {', '.join(PASSES)}"),
            Field("passing", 1, "we have still to pass"),
            Field("broken", 1, "a point card was played on an earlier trick"),
        ),
    )
    moves = (Field("card", len(PACK), "pass this card, while three are to be passed; else play it"),)
    number_of = INDEX

    def hand(self, event: Event) -> None:
        super().hand(event)
        direction = PASSES.index(event["pass"])
        self.values[self.at["direction"] + direction] = 1
        self.values[self.at["passing"]] = event["pass"] != "none"

    def trick(self, event: Event) -> None:
        super().trick(event)
        if event["points"]:
            self.values[self.at["broken"]] = 1


ENCODING = HeartsEncoding
