"""Orders and their games as rows, and a short text that changes with them.

A row is locked in the order team, order, game. Whoever ends an order or adds games to it holds the order's row.
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

from contest import workers
from submissions import clock
from submissions.models import Submission
from tournaments.models import PracticeGame, PracticeOrder, PracticePlayer
from tournaments.organising import workload
from tournaments.seating import queue as matches_queue

logger = logging.getLogger(__name__)

PRACTISE = "tournaments.tasks.practise"
State, GameState = PracticeOrder.State, PracticeGame.State
LEASE = timedelta(seconds=settings.MATCH_LEASE)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A player of an order: a version with its team, or a house player."""

    version: Submission | None = None
    house: str = ""


@dataclass(frozen=True, slots=True)
class WantedGame:
    """A game to be played. `lineup` has the numbers of its players, in the order of the record's seats."""

    lineup: Sequence[int]
    seed: int
    opening: Mapping[str, Any] = field(default_factory=dict)
    packs: int | None = None
    own: int = 0


# Orders ---------------------------------------------------------------------------------------------------------------


def open_order(order: PracticeOrder, players: Sequence[Wanted], games: Sequence[WantedGame]) -> PracticeOrder:
    """Store a new order with its players, numbered as they come, and its first games. Call inside a transaction."""
    order.save(force_insert=True)
    PracticePlayer.objects.bulk_create(
        PracticePlayer(
            order=order,
            number=number,
            team_id=wanted.version.team_id if wanted.version else None,
            submission=wanted.version,
            house=wanted.house,
        )
        for number, wanted in enumerate(players)
    )
    add_games(order, games)
    return order


def add_games(order: PracticeOrder, games: Sequence[WantedGame]) -> list[PracticeGame]:
    """Add games after those that it has. `order`: new or held."""
    last = order.games.order_by("-number").values_list("number", flat=True).first() or 0
    return PracticeGame.objects.bulk_create(
        PracticeGame(
            order=order,
            team_id=order.team_id,
            number=number,
            lineup=list(wanted.lineup),
            own=wanted.own,
            seed=wanted.seed,
            opening=dict(wanted.opening),
            packs=wanted.packs,
        )
        for number, wanted in enumerate(games, start=last + 1)
    )


def hold(order: PracticeOrder | int) -> PracticeOrder:
    """Lock an order until the transaction ends, and return it as it is now."""
    pk = order if isinstance(order, int) else order.pk
    held = PracticeOrder.objects.select_for_update(of=("self",), no_key=True)
    return held.select_related("contest", "team__contest").get(pk=pk)


def end(order: PracticeOrder, state: str, why: str = "", now: datetime | None = None) -> bool:
    """End an order that is held. Games that were not finished are cancelled; the worker that plays one drops it within
    a moment. False if it had already ended."""
    now = now or timezone.now()
    values = {"state": state, "why": why[:300], "ended_at": now}
    if not PracticeOrder.objects.open().filter(pk=order.pk).update(**values):
        return False
    order.games.open().update(state=GameState.CANCELLED, lease_until=None, finished_at=now)
    for name, value in values.items():
        setattr(order, name, value)
    return True


def settle(order: PracticeOrder) -> None:
    """What follows after a game of practice, with the order held: it is finished when no game is left."""
    if order.games.open().exists():
        return
    failed = order.games.filter(state=GameState.FAILED).count()
    if failed and not order.games.done().exists():
        end(order, State.FAILED, "The portal failed on every game.")
    else:
        end(order, State.DONE)


# Games ----------------------------------------------------------------------------------------------------------------


def claim(order: PracticeOrder, worker: str, now: datetime) -> PracticeGame | None:
    """Claim the next game of an order. None if there is none (any more)."""
    for pk in PracticeGame.objects.claimable(now).filter(order=order).values_list("pk", flat=True)[:5]:
        if PracticeGame.objects.filter(pk=pk).claim(now, LEASE, worker=worker):
            PracticeOrder.objects.filter(pk=order.pk).update(served_at=now)
            claimed = PracticeGame.objects.get(pk=pk)
            claimed.order = order
            return claimed
    return None


def give_back(claimed: PracticeGame) -> bool:
    """Return a game to the queue because something more important waits. This is no failure."""
    return bool(PracticeGame.objects.held_by(claimed).give_back(worker="", due_at=clock.now()))


# Waking workers -------------------------------------------------------------------------------------------------------


def wake_on_commit() -> None:
    transaction.on_commit(wake)


def wake(now: datetime | None = None) -> int:
    """Send wake-up calls to workers that have none, at most one for each game that waits. Returns how many.

    Whoever has played a game calls this, so as many go on as there are. A call is only a hint: the worker that takes it
    looks for a match first. So it does not matter how many calls wait in front of one for a match.
    """
    due = PracticeGame.objects.claimable(now or timezone.now()).filter(order__state=State.OPEN).order_by()[:100].count()
    if not due:
        return 0
    running = PracticeGame.objects.running().count()
    try:
        missing = min(due, max(1, workload.processes()) - running - matches_queue.waiting())
    except OperationalError:
        logger.warning("the broker does not answer: practice waits for the next tick")
        return 0
    return max(0, missing) if workers.wake(PRACTISE, times=missing) else 0


TOLD = ("state", "why", "served_at", "ended_at", "builds", "trial__counted", "trial__decision", "trial__margin")


def order_revision(order: int) -> str:
    """By the primary key of the order: a short text that changes whenever what is told of it may have changed."""
    return _short(_told(PracticeOrder.objects.filter(pk=order)))


def team_revision(team: int) -> str:
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
