"""Practice and trials as subjects of clients that wait (contest/waiting.py)."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Collection, Mapping

from django.db.models import Count, Max, Q

from tournaments.models import PracticeGame, PracticeOrder

TOLD = ("state", "why", "served_at", "ended_at", "builds", "trial__counted", "trial__decision", "trial__margin")


def read_orders(keys: Collection[int]) -> Mapping[int, str]:
    """By the primary keys of orders."""
    rows = PracticeOrder.objects.filter(pk__in=keys).order_by().values_list("pk", *TOLD)
    state = PracticeGame.State
    over = Count("games", filter=~Q(games__state__in=(state.QUEUED, state.RUNNING)))
    running = Count("games", filter=Q(games__state=state.RUNNING))
    return {pk: _short(told) for pk, *told in rows.annotate(over=over, running=running, all=Count("games"))}


def read_teams(keys: Collection[int]) -> Mapping[int, str]:
    """All orders of teams, by the primary keys of the teams. An order that is over does not change any more."""
    told: defaultdict[int, list[object]] = defaultdict(list)
    rows = PracticeOrder.objects.filter(team__in=keys).order_by()
    for row in rows.values("team").annotate(last=Max("pk"), count=Count("pk")).values_list("team", "last", "count"):
        told[row[0]] = [row]
    teams = dict(rows.open().values_list("pk", "team"))
    for order, state in read_orders(teams).items():
        told[teams[order]].append((order, state))
    return {key: _short(told[key]) for key in keys}


def _short(told: object) -> str:
    return f"{zlib.crc32(repr(told).encode()):08x}"


READ = {"order": read_orders, "practice": read_teams}
