"""Short texts that change whenever pages and answers about practice and trials may have changed."""

from __future__ import annotations

import zlib

from django.db.models import Count, Max, Q, QuerySet

from tournaments.models import PracticeGame, PracticeOrder

TOLD = ("state", "why", "served_at", "ended_at", "builds", "trial__counted", "trial__decision", "trial__margin")


def of_order(order: int) -> str:
    """By the primary key of the order."""
    return _short(_told(PracticeOrder.objects.filter(pk=order)))


def of_team(team: int) -> str:
    """All orders of a team, by its primary key. An order that is over does not change any more."""
    orders = PracticeOrder.objects.filter(team=team)
    return _short((orders.aggregate(last=Max("pk"), count=Count("pk")), _told(orders.open())))


def _told(orders: QuerySet[PracticeOrder]) -> list[object]:
    state = PracticeGame.State
    over = Count("games", filter=~Q(games__state__in=(state.QUEUED, state.RUNNING)))
    running = Count("games", filter=Q(games__state=state.RUNNING))
    rows = orders.order_by("pk").values_list("pk", *TOLD)
    return list(rows.annotate(over=over, running=running, all=Count("games")))


def _short(told: object) -> str:
    return f"{zlib.crc32(repr(told).encode()):08x}"
