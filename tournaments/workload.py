"""How much there is to play, who plays it, and what the machinery has trouble with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import redis
from django.db.models import QuerySet
from kombu.exceptions import OperationalError

from contest import workers
from contest.models import Contest
from tournaments import queue
from tournaments.models import Match, Stage

MATCHES_QUEUE = queue.QUEUE


@dataclass(frozen=True, slots=True)
class Workload:
    """Of one contest; `elsewhere` counts the matches of others that share the workers."""

    running: list[Match]
    troubled: list[Match]
    queued: QuerySet[Match]  # in the order in which they will be played
    held: int  # queued in stages that are paused
    elsewhere: int
    players: list[str]  # workers that play matches
    broker_answers: bool

    @property
    def needs_attention(self) -> bool:
        return bool(self.troubled) or not self.broker_answers or bool(not self.players and self.queued)


def workload(contest: Contest, now: datetime) -> Workload:
    mine = Match.objects.filter(contest=contest).select_related("stage", "table").prefetch_related("seats__team")
    waiting = Match.objects.filter(state=Match.State.QUEUED, stage__state=Stage.State.RUNNING)
    players, answers = _players()
    return Workload(
        running=list(mine.filter(state=Match.State.RUNNING).order_by("started_at", "pk")),
        troubled=list(mine.troubled().order_by("-failures", "pk")[:50]),
        queued=mine.filter(state=Match.State.QUEUED, stage__state=Stage.State.RUNNING).order_by("priority", "pk"),
        held=mine.filter(state=Match.State.QUEUED).exclude(stage__state=Stage.State.RUNNING).count(),
        elsewhere=waiting.exclude(contest=contest).count(),
        players=players,
        broker_answers=answers,
    )


def _players() -> tuple[list[str], bool]:
    try:
        queue.waiting()
        return [worker.name for worker in workers.alive() if MATCHES_QUEUE in worker.queues], True
    except (redis.RedisError, OperationalError):
        return [], False
