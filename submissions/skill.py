"""The class of a bot (docs/rulings.md, Tricky Eights 8), estimated from the games of its check and told to its team."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from games.engine import Game
from games.record import Record

HOUSE = "house:"


def skill_of(game: Game, played: Iterable[tuple[Record, int]]) -> str:
    """The class of the strongest house player that a bot outscored, or "" when it outscored none.

    `played` are complete records, each with the bot's index among its `seats`. It outscored a house player when
    it got more points (fewer, where few are good) in the games together in which both sat at the table. That is the
    same as more points a round: they played the same rounds.
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
