"""Who meets whom on a ladder: a pure choice among the teams that are free now.

The team that has waited longest chooses first, so nobody starves: a team reaches the front after at most as many tables
as there were teams before it. Its opponents are drawn at random from those nearest in rating, and opponents from its
last match are left out while there are others. If only those are free and other teams are still playing, the team
waits for them, but not for long.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import nsmallest
from random import Random

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
    while waiting:
        chooser = waiting.pop(0)
        mates = _mates(chooser, passed + waiting, terms, room, random)
        if not mates:
            passed.append(chooser)
            continue
        table = (chooser, *mates)
        found.append(table)
        passed, waiting = ([one for one in some if one not in mates] for some in (passed, waiting))
        room -= not any(one.live for one in table)
    return found


def _mates(chooser: Free, others: Sequence[Free], terms: Terms, room: int, random: Random) -> list[Free]:
    """The opponents for the chooser; empty if it has to wait."""
    if room <= 0 and not chooser.live:
        others = [one for one in others if one.live]
    if not chooser.here:
        others = [one for one in others if one.here]
    met = [one for one in others if one.team in chooser.met or chooser.team in one.met]
    new = [one for one in others if one not in met]
    wanted = terms.size - 1
    may_wait = terms.busy > 0 and chooser.since >= terms.late
    if may_wait and (not new or len(others) < wanted):
        return []

    def distance(one: Free) -> tuple[float, datetime, int]:
        return abs(one.rating - chooser.rating), one.since, one.team

    near = nsmallest(NEAR * wanted, new, key=distance)
    mates = random.sample(near, min(wanted, len(near)))
    return mates + nsmallest(wanted - len(mates), met, key=distance)
