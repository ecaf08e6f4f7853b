"""A ladder: there are no rounds. Teams that are there and free meet others near in rating, until the stage ends.

There is no plan either: kinds.ladder makes the matches from moment to moment, and the ranking follows from the ratings
(tournaments.results.standings).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine import Game, Opening
from tournaments.formats.options import check_whole, completed, defaults
from tournaments.formats.plan import NOBODY, FormatError, Out, Plain, Plan, Ranked, Results, Status, TeamId

MOST_MINUTES = 7 * 24 * 60
LONGEST_PAUSE = 3600


class Ladder(Plain):
    slug = "ladder"
    title = "Ladder"
    about = "Teams that are there and free meet others near in rating, again and again, until the end."
    kind = "ladder"
    least = 0

    def fits(self, game: Game) -> bool:
        return game.seats[1] > 1

    def options(self, changes: Mapping[str, Any], game: Game) -> dict[str, Any]:
        """`final_minutes`: the time before the end in which every team that has a bot or has ever been connected is
        matched, whether it is there or not; `pause`: seconds that a team rests between two matches.

        A ladder always plays the active version, and never the same deals twice. Records are public at once and
        programs change at will, so a second match would be played on deals that somebody knows.
        """
        known = defaults(game, 1) | {"table_size": min(4, game.seats[1]), "freeze_versions": False}
        del known["duplicate"]
        options = completed("A ladder", known | {"final_minutes": 60, "pause": 0}, changes, game)
        if options["freeze_versions"]:
            raise FormatError("A ladder always plays the active version")
        check_whole("The last minutes in which everybody plays", options["final_minutes"], 0, MOST_MINUTES)
        check_whole("The seconds between two matches of a team", options["pause"], 0, LONGEST_PAUSE)
        return options

    def plan(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Out = NOBODY) -> Plan:
        """No tables, never done, everybody still in: the clock ends a ladder, and the ratings rank it."""
        return Plan((), False, tuple(Ranked(team, None, 1, None, None, out.get(team, Status.DUE)) for team in order))

    def counts_house(self, options: Mapping[str, Any]) -> bool:
        return bool(options.get("table_size", 2) > 2)

    def columns(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        return ()

    def openings(self, options: Mapping[str, Any], game: Game) -> list[Opening]:
        return []

    def rules(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        last = options["final_minutes"]
        final = (
            f"In the last {last} minutes every team that has a bot or has ever been connected plays, whether it is "
            "there or not.",
        )
        return (
            "Teams that are there and free meet others near in rating; the team that has waited longest comes first.",
            *(final if last else ()),
            "The order goes by the rating, which follows from the results in the order in which they came in. A new "
            "version keeps the rating and makes it less certain.",
        )

    def match_title(self, match: str, where: str) -> str:
        return match

    def round_name(self, number: int, tables_by_round: list[int], options: Mapping[str, Any]) -> str:
        return "Ladder"


FORMAT = Ladder()
