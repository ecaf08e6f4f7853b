"""A ladder has no rounds: teams that are available meet others near in rating until the stage ends.

It has no plan either. kinds.ladder makes matches as it goes, and the ranking follows from the ratings
(tournaments.results.standings).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import nsmallest
from random import Random
from typing import Any

from games.engine import Game
from tournaments.formats.options import check_whole, completed, defaults
from tournaments.formats.plan import NOBODY, Format, FormatError, Out, Plan, Ranked, Results, Status, TeamId

MOST_MINUTES = 7 * 24 * 60
LONGEST_PAUSE = 3600


class Ladder(Format):
    slug = "ladder"
    title = "Ladder"
    about = "Available teams keep meeting opponents of similar rating until the stage ends."
    kind = "ladder"
    least = 0

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

    def rules(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        last = options["final_minutes"]
        final = (
            f"In the last {last} minutes, every team that has a bot or was ever connected plays, even if it is away.",
        )
        return (
            "Available teams meet opponents of similar rating. The team that has waited longest is matched first.",
            *(final if last else ()),
            "Teams are ranked by rating. Ratings follow from the results in the order in which they arrived. A new "
            "version keeps its team's rating, but the rating becomes less certain.",
        )

    def match_title(self, match: str, where: str) -> str:
        return match

    def round_name(self, number: int, tables_by_round: list[int], options: Mapping[str, Any]) -> str:
        return "Ladder"


FORMAT = Ladder()


NEAR = 3  # candidates for each seat


@dataclass(frozen=True, slots=True)
class Free:
    """A team that could play now."""

    team: int
    rating: float
    since: datetime  # when it became free
    met: frozenset[int] = frozenset()  # in its last match
    live: bool = False  # plays through a connection, so its matches are not in the workers' queue
    here: bool = True  # False: matched although nobody is there to play for it


@dataclass(frozen=True, slots=True)
class Terms:
    """The limits for the tables made now."""

    size: int  # teams at a table
    room: int  # matches that fit into the workers' queue; those with a connected team do not count
    busy: int  # teams that are playing and will be free again
    late: datetime  # a team free since before this accepts any opponent


def tables(free: Collection[Free], terms: Terms, random: Random) -> list[tuple[Free, ...]]:
    """Return the tables to make now, each with the chooser first.

    A table may be smaller than wanted if there are too few teams, but it always has two or more, one of them `here`.
    """
    waiting = sorted(free, key=lambda one: (one.since, one.team))
    passed: list[Free] = []  # could not choose, but others may still choose them
    room = terms.room
    found: list[tuple[Free, ...]] = []
    while waiting and (room > 0 or any(one.live for one in passed + waiting)):
        chooser = waiting.pop(0)
        mates = _mates(chooser, passed + waiting, terms, room, random)
        if not mates:
            passed.append(chooser)
            continue
        table = (chooser, *mates)
        found.append(table)
        taken = {one.team for one in mates}
        passed, waiting = ([one for one in some if one.team not in taken] for some in (passed, waiting))
        room -= not any(one.live for one in table)
    return found


def _mates(chooser: Free, others: Sequence[Free], terms: Terms, room: int, random: Random) -> list[Free]:
    """The opponents for the chooser; empty if it has to wait."""
    if room <= 0 and not chooser.live:
        others = [one for one in others if one.live]
    if not chooser.here:
        others = [one for one in others if one.here]
    met = [one for one in others if one.team in chooser.met or chooser.team in one.met]
    new = [one for one in others if one.team not in chooser.met and chooser.team not in one.met]
    wanted = terms.size - 1
    may_wait = terms.busy > 0 and chooser.since >= terms.late
    if may_wait and (not new or len(others) < wanted):
        return []

    def distance(one: Free) -> tuple[float, datetime, int]:
        return abs(one.rating - chooser.rating), one.since, one.team

    near = nsmallest(NEAR * wanted, new, key=distance)
    mates = random.sample(near, min(wanted, len(near)))
    return mates + nsmallest(wanted - len(mates), met, key=distance)
