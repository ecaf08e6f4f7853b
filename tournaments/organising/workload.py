"""How much there is to play, who plays it, how long that will take, and what the machinery has trouble with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from django.db.models import QuerySet
from kombu.exceptions import OperationalError

from contest import workers
from contest.models import Contest
from contest.workers import Worker
from tournaments.models import Match
from tournaments.models.matches import TO_PLAY
from tournaments.seating import queue

MATCHES_QUEUE = queue.QUEUE
SAMPLE = 50  # recent matches from which to estimate the duration
SLOW = 5  # times the usual duration, after which a match needs attention
SLOW_AT_LEAST = timedelta(seconds=90)


@dataclass(frozen=True, slots=True)
class Workload:
    """The workload of one contest. `elsewhere` counts matches of other contests that share the workers."""

    running: list[Match]
    troubled: list[Match]
    queued: QuerySet[Match]  # in the order in which they will be played, without those that wait for an organiser
    held: int  # queued in paused stages
    elsewhere: int
    players: list[str]  # workers that play matches
    processes: int  # matches that they play in parallel
    broker_answers: bool
    usual: timedelta | None  # the usual duration of a match in this contest; None: none has been played

    @property
    def stopped(self) -> list[Match]:
        """Those with trouble that wait for an organiser."""
        return [match for match in self.troubled if match.due_at is None]

    def slow(self, now: datetime) -> list[Match]:
        """Matches in progress for much longer than usual."""
        if self.usual is None:
            return []
        long_ago = now - max(SLOW * self.usual, SLOW_AT_LEAST)
        return [match for match in self.running if match.started_at and match.started_at < long_ago]

    def left(self, waiting: int) -> timedelta | None:
        """The time until everything queued now is played, while contests take turns. None: unknown."""
        if self.usual is None or not self.processes:
            return None
        ahead = waiting + min(waiting, self.elsewhere)
        return self.usual * ceil(ahead / self.processes) + self.usual / 2 * bool(self.running)


def workload(contest: Contest, now: datetime) -> Workload:
    mine = Match.objects.filter(contest=contest).select_related("stage", "table").prefetch_related("seats__team")
    queued = Match.objects.filter(state=Match.State.QUEUED)
    there = players()
    return Workload(
        running=list(mine.filter(state=Match.State.RUNNING).order_by("started_at", "pk")),
        troubled=list(mine.troubled().order_by("-failures", "pk")[:50]),
        queued=mine.filter(TO_PLAY, state=Match.State.QUEUED, due_at__isnull=False).order_by("priority", "pk"),
        held=queued.filter(contest=contest).exclude(TO_PLAY).count(),
        elsewhere=queued.filter(TO_PLAY).exclude(contest=contest).count(),
        players=[worker.name for worker in there],
        processes=sum(worker.processes for worker in there),
        broker_answers=_broker_answers(),
        usual=recent(contest).a_match,
    )


@dataclass(frozen=True, slots=True)
class Took:
    """The total duration of some matches."""

    matches: int
    time: timedelta
    games: int
    time_of_games: timedelta  # of matches that had games

    @property
    def a_match(self) -> timedelta | None:
        """The average duration. None: nothing has been played."""
        return self.time / self.matches if self.matches else None

    @property
    def a_game(self) -> timedelta | None:
        return self.time_of_games / self.games if self.games else None


def took(played: Iterable[tuple[datetime | None, datetime | None, int]]) -> Took:
    """Add up matches given by start, end and games. Those without a start or an end are ignored."""
    found = Took(0, timedelta(), 0, timedelta())
    for start, end, games in played:
        if start and end:
            span = end - start
            of_games = found.time_of_games + span if games else found.time_of_games
            found = Took(found.matches + 1, found.time + span, found.games + games, of_games)
    return found


def recent(contest: Contest) -> Took:
    """The latest matches of a contest."""
    done = Match.objects.done().filter(contest=contest, started_at__isnull=False)
    return took(done.order_by("-resulted").values_list("started_at", "finished_at", "games")[:SAMPLE])


def players() -> Sequence[Worker]:
    """The workers that play matches now."""
    return [worker for worker in workers.alive() if MATCHES_QUEUE in worker.queues]


def processes() -> int:
    """How many matches run in parallel."""
    return sum(worker.processes for worker in players())


def _broker_answers() -> bool:
    try:
        queue.waiting()
    except OperationalError:
        return False
    return True
