"""Who meets whom on a ladder: a pure choice among those who are free now.

Who has waited longest chooses first, so nobody starves: whoever waits is at the front after at most as many tables as
there are teams in front of it. The chooser's partners are drawn by lot from those nearest to it in rating, not from
those whom it met last, as long as there are others. When its only partners are those and somebody else is still
playing, it waits for them, but not for long.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import nsmallest
from random import Random

NEAR = 3  # so many come into question for a chair


@dataclass(frozen=True, slots=True)
class Free:
    """A team that could play now."""

    team: int
    rating: float
    since: datetime  # when it became free
    met: frozenset[int] = frozenset()  # in its last match
    live: bool = False  # it plays through its connection, or would: not in the workers' queue
    here: bool = True  # False: it is scheduled although nobody is there to play for it


@dataclass(frozen=True, slots=True)
class Terms:
    """What tables may be made now."""

    size: int  # teams at a table
    room: int  # how many matches the workers' queue takes now; matches at which somebody plays live are not in it
    busy: int  # teams that play now, and will be free
    late: datetime  # who is free since before this takes what there is


def tables(free: Collection[Free], terms: Terms, random: Random) -> list[tuple[Free, ...]]:
    """The tables to be made now, the chooser first at each. A table may be smaller than wanted when there are too few
    teams; never alone, and never without anybody who is here."""
    waiting = sorted(free, key=lambda one: (one.since, one.team))
    passed: list[Free] = []  # they could not choose, and can still be chosen
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
    """Whom the chooser meets; empty: nobody for now."""
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
