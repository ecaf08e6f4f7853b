"""A ladder: there are no rounds. Who is there and free meets somebody near in rating, until the stage ends.

There is no plan either: tournaments.ladder makes the matches from moment to moment, and who stands where follows from
the ratings (tournaments.standings).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from games.engine import Game, Opening
from tournaments.formats.options import MOST_GAMES
from tournaments.formats.plan import FormatError, Plan, Ranked, Results, TeamId

SIZES = (2, 4)
MOST_MINUTES = 7 * 24 * 60
LONGEST_PAUSE = 3600


class Ladder:
    slug = "ladder"
    title = "Ladder"
    about = "Whoever is there and free meets somebody near in rating, again and again, until the end."
    page = "ladder"
    runs = False
    continuous = True
    by_rounds = False
    least = 0

    def fits(self, game: Game) -> bool:
        return game.seats[1] > 1

    def options(self, changes: Mapping[str, Any], game: Game) -> dict[str, Any]:
        """`final_minutes`: before the end, in which every team that takes part is matched, whether it is there or not;
        `pause`: seconds that a team rests between two matches. A ladder always plays the active version."""
        most = game.seats[1]
        options: dict[str, Any] = {
            "table_size": min(4, most),
            "games": None if game.decides else 1,
            "house": list(game.fillers) or [game.house[0].name],
            "freeze_versions": False,
            "final_minutes": 60,
            "pause": 0,
        }
        unknown = set(changes) - set(options)
        if unknown:
            raise FormatError(f"A ladder has no option {', '.join(sorted(unknown))}")
        options |= changes
        if not self.fits(game):
            raise FormatError(f"{game.title} is played alone")
        sizes = [size for size in SIZES if size <= most]
        if options["table_size"] not in sizes:
            raise FormatError(f"In {game.title} {' or '.join(map(str, sizes))} teams can meet at a table")
        if options["freeze_versions"]:
            raise FormatError("A ladder always plays the active version")
        if not (options["games"] is None and game.decides):
            _check_whole(options["games"], "games of a match", 1, MOST_GAMES)
        _check_whole(options["final_minutes"], "last minutes in which everybody plays", 0, MOST_MINUTES)
        _check_whole(options["pause"], "seconds between two matches of a team", 0, LONGEST_PAUSE)
        known = [house.name for house in game.house]
        if not options["house"] or not set(options["house"]) <= set(known):
            raise FormatError(f"Empty chairs can be filled with {', '.join(known)}")
        return options

    def plan(
        self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Set[TeamId] = frozenset()
    ) -> Plan:
        """No tables, never done, everybody still in: the clock ends a ladder, and the ratings rank it."""
        return Plan((), False, tuple(Ranked(team, None, 1, None, None, team in out) for team in order))

    def columns(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        return ()

    def openings(self, options: Mapping[str, Any], game: Game) -> list[Opening]:
        return []

    def rules(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        last = options["final_minutes"]
        final = (f"In the last {last} minutes every team that takes part plays, whether it is there or not.",)
        return (
            "Who is there and free meets somebody near in rating; who has waited longest is served first.",
            *(final if last else ()),
            "The order goes by the rating, which follows from the results in the order in which they came. A new "
            "version keeps it, and makes it less certain.",
        )

    def round_name(self, number: int, tables_by_round: list[int], options: Mapping[str, Any]) -> str:
        return "Ladder"


def _check_whole(value: Any, what: str, least: int, most: int) -> None:
    if type(value) is not int or not least <= value <= most:
        raise FormatError(f"The number of {what} must be a whole number from {least} to {most}")


FORMAT = Ladder()
