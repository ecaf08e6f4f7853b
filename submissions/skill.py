"""The class of a bot (docs/rulings.md, Tricky Eights 8), estimated from its check and shown to its team."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from games.engine import Game
from games.record import Record

HOUSE = "house:"


def skill_of(game: Game, played: Iterable[tuple[Record, int]]) -> str:
    """The class of the strongest house player that a bot outscored, blank if it outscored none.

    `played` are complete records, each with the bot's index among its `seats`. To outscore a house player is to have
    the better total in the games both played. That equals a better average per round, as both played the same rounds.
    """
    lead: dict[str, float] = defaultdict(float)
    for record, player in played:
        scores = record["result"]["scores"]
        for seat, score in zip(record["seats"], scores, strict=True):
            if seat["bot"].startswith(HOUSE):
                name = seat["bot"].removeprefix(HOUSE)
                lead[name] += score - scores[player] if game.low_wins else scores[player] - score
    for house in reversed(game.house):
        if lead[house.name] > 0:
            return house.skill
    return ""
