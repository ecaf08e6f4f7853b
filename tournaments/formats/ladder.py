"""A ladder has no rounds: teams that are available meet others near in rating until the stage ends.

It has no plan either. kinds.ladder makes matches as it goes, and the ranking follows from the ratings
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
    about = "Available teams keep meeting opponents near in rating until the stage ends."
    kind = "ladder"
    least = 0

    def fits(self, game: Game) -> bool:
        return game.seats[1] > 1

    def options(self, changes: Mapping[str, Any], game: Game) -> dict[str, Any]:
        """`final_minutes`: before the end, every team that has a bot or was ever connected is matched for this long,
        even if it is away. `pause`: seconds that a team rests between two matches.

        A ladder always plays the active version and never repeats deals. Records are public at once and teams may
        change their bots at any time, so somebody would know the deals of a second match.
        """
        known = defaults(game, 1) | {"table_size": min(4, game.seats[1]), "freeze_versions": False}
        del known["duplicate"]
        options = completed("A ladder", known | {"final_minutes": 60, "pause": 0}, changes, game)
        if options["freeze_versions"]:
            raise FormatError("A ladder always plays the active version")
        check_whole("The last minutes in which everybody plays", options["final_minutes"], 0, MOST_MINUTES)
        check_whole("The pause between two matches of a team, in seconds,", options["pause"], 0, LONGEST_PAUSE)
        return options

    def plan(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Out = NOBODY) -> Plan:
        """No tables, never done, everybody still in: the clock ends a ladder, and ratings rank it."""
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
            f"In the last {last} minutes, every team that has a bot or was ever connected plays, even if it is away.",
        )
        return (
            "Available teams meet opponents near in rating. The team that has waited longest is matched first.",
            *(final if last else ()),
            "Teams are ranked by rating. Ratings follow from the results in the order in which they arrived. A new "
            "version keeps its team's rating, but the rating becomes less certain.",
        )

    def match_title(self, match: str, where: str) -> str:
        return match

    def round_name(self, number: int, tables_by_round: list[int], options: Mapping[str, Any]) -> str:
        return "Ladder"


FORMAT = Ladder()
