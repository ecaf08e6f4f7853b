"""Whose turn it is to be built and checked.

Teams take turns. The next turn belongs to the team whose last one began the longest ago. A team that never had one goes
first; among those, whoever has waited longest. So between an upload and its build lies at most one turn of each other
team, however much they upload. Within a team, older versions go first. A team has one build at a time, which the
database sees to (`one_build_at_a_time`). Organisers can move a version to the front.

The check is part of a turn. One that takes longer than CHECK_TURN gives way if other teams wait, and goes on in the
team's next turn, which may take twice as long.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median, quantiles

from django.conf import settings
from django.db.models import Exists, F, Max, OuterRef, Subquery
from django.utils import timezone

from contest import workers
from submissions.models import Submission

BUILDS = "builds"  # the queue of CELERY_TASK_ROUTES
SAMPLE = 40  # finished versions from which durations are estimated
UNKNOWN = 20.0  # seconds of a turn, while there are none
LOOK = 2.0  # seconds between two looks whether other teams wait
PATIENCE = timedelta(seconds=2)  # a version that waits for less may be about to be taken by a free worker
CENTURY = timedelta(days=36_500)
EXACT, COARSE = 10, 5  # a place beyond the first ones is told anew after so many steps, or crowds would load pages


class GiveWay(Exception):
    """The check has taken its turn, and other teams wait."""


# The order ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Waiting:
    """A queued version. `blocked`: another version of its team is being built, or it is not due yet."""

    pk: int
    team: int
    language: str
    blocked: bool


def order(now: datetime) -> list[Waiting]:
    """All queued versions in the order in which they will be taken, as far as that is known now. One query."""
    of_team = Submission.objects.filter(team=OuterRef("team")).order_by().values("team")
    working = Submission.objects.filter(team=OuterRef("team"), state__in=Submission.WORKING)
    queued = Submission.objects.filter(state=Submission.State.QUEUED).annotate(
        last=Subquery(of_team.annotate(last=Max("turn_at")).values("last")), busy=Exists(working)
    )
    names = ("pk", "team", "language", "due_at", "ahead_at", "last", "busy")
    rows = sorted(queued.values_list(*names), key=lambda row: (row[4] or now + CENTURY, row[3], row[0]))
    keyed, rounds = [], dict.fromkeys((row[1] for row in rows), 0)
    for pk, team, language, due_at, ahead_at, last, busy in rows:
        later = rounds[team] + busy
        rounds[team] += 1
        key = (due_at > now, ahead_at or now + CENTURY, later, last or now - CENTURY, due_at, pk)
        keyed.append((key, Waiting(pk, team, language, bool(busy) or due_at > now)))
    return [waiting for _, waiting in sorted(keyed, key=lambda each: each[0])]


def others_wait(claimed: Submission, now: datetime) -> bool:
    """Whether another team could be built now, if a worker were free, and has waited for one."""
    working = Submission.objects.filter(team=OuterRef("team"), state__in=Submission.WORKING)
    return Submission.objects.claimable(now - PATIENCE).exclude(team=claimed.team_id).filter(~Exists(working)).exists()


def checkpoint_of(claimed: Submission) -> Callable[[], None]:
    """A function that raises GiveWay when the turn is over and other teams wait. Call it at every decision."""
    began = looked = time.monotonic()
    length = settings.CHECK_TURN * 2.0**claimed.turns

    def checkpoint() -> None:
        nonlocal looked
        now = time.monotonic()
        if now > began + length and now > looked + LOOK:
            looked = now
            if others_wait(claimed, timezone.now()):
                raise GiveWay

    return checkpoint


# What is told of it ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """Where a queued version stands. `soonest` and `latest` are seconds until its turn probably begins."""

    position: int  # 1 is the next one
    waiting: int  # versions in all
    soonest: float
    latest: float
    behind_own: bool  # another version of its team is built first

    def words(self) -> str:
        """For its team."""
        if self.behind_own:
            return f"A team has one build at a time: this version waits for another one of yours, then {self.when()}."
        if self.position == 1:
            return f"It is next in the queue, and its build {self.when()}."
        return f"It is number {self.position} of {self.waiting} in the queue, where teams take turns. It {self.when()}."

    def when(self) -> str:
        low, high = _minutes(self.soonest), _minutes(self.latest)
        if high <= 1:
            return "should begin within a minute"
        if low == high:
            return f"should begin in about {high} minutes"
        return f"should begin in {low} to {high} minutes" if low else f"should begin within {high} minutes"


def _minutes(seconds: float) -> int:
    return round(seconds / 60) if seconds >= 60 else 0 if seconds < 30 else 1


def place_of(version: Submission, now: datetime | None = None) -> Place | None:
    """Where a version stands in the queue. None if it is not queued."""
    now = now or timezone.now()
    queue = order(now)
    position = next((at for at, each in enumerate(queue) if each.pk == version.pk), None)
    if position is None:
        return None
    own = queue[position].blocked and version.due_at <= now
    typical, slow = _durations(now)
    running = list(Submission.objects.filter(state__in=Submission.WORKING).values_list("started_at", "language"))
    soonest, latest = (_begins(queue[:position], running, slots(), now, length) for length in (typical, slow))
    pause = max(0.0, (version.due_at - now).total_seconds())
    return Place(position + 1, len(queue), max(soonest, pause), max(latest, pause), own)


def _begins(
    ahead: Sequence[Waiting],
    running: Iterable[tuple[datetime | None, str]],
    at_once: int,
    now: datetime,
    length: Callable[[str], float],
) -> float:
    """Seconds until a worker is free for whoever comes after those ahead, if all turns have these lengths."""
    free = [max(length(language) - (now - (began or now)).total_seconds(), 1.0) for began, language in running]
    free += [0.0] * (max(at_once, 1) - len(free))
    heapq.heapify(free)
    for each in ahead:
        heapq.heapreplace(free, free[0] + length(each.language))
    return free[0]


def slots() -> int:
    """How many versions are built at a time."""
    return sum(worker.processes for worker in workers.alive() if BUILDS in worker.queues)


def _durations(now: datetime) -> tuple[Callable[[str], float], Callable[[str], float]]:
    """Seconds of a turn by language, from what was finished lately: typical, and in nine of ten cases."""
    done = Submission.objects.filter(
        finished_at__isnull=False, started_at__isnull=False, finished_at__gt=F("started_at")
    )
    rows = done.order_by("-finished_at").values_list("language", F("finished_at") - F("started_at"))[:SAMPLE]
    seconds: dict[str, list[float]] = {"": []}
    for language, took in rows:
        for key in ("", language):
            seconds.setdefault(key, []).append(took.total_seconds())

    def middle(language: str) -> float:
        return median(_enough(seconds, language) or [UNKNOWN])

    def slow(language: str) -> float:
        found = _enough(seconds, language)
        return quantiles(found, n=10)[-1] if len(found) > 1 else 2 * middle(language)

    return middle, slow


def _enough(seconds: dict[str, list[float]], language: str) -> list[float]:
    own = seconds.get(language, [])
    return own if len(own) >= 4 else seconds[""]


def mark(versions: Sequence[Submission]) -> None:
    """Set `place` of queued versions, which revisions contain: it changes when they should be shown anew."""
    if not any(version.state == Submission.State.QUEUED for version in versions):
        return
    places = {each.pk: at for at, each in enumerate(order(timezone.now()), 1)}
    for version in versions:
        if at := places.get(version.pk):  # exact among the first ones, in steps beyond
            version.place = at if at <= EXACT else EXACT + (at - EXACT + COARSE - 1) // COARSE * COARSE


# For organisers -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """A version on the desk's page of builds, with its place among all contests', or none if it is being built."""

    version: Submission
    position: int | None


@dataclass(frozen=True, slots=True)
class Desk:
    """The queue as organisers of a contest see it. Other contests' versions only count."""

    running: list[Line]
    waiting: list[Line]
    others: int
    slots: int | None  # None: the broker does not answer


def desk(contest: int, now: datetime) -> Desk:
    queue = order(now)
    mine = Submission.objects.filter(team__contest=contest, state__in=Submission.IN_PROGRESS)
    found = {it.pk: it for it in mine.without_source().with_games_played().select_related("team__contest")}
    running = [it for it in found.values() if it.state in Submission.WORKING]
    running.sort(key=lambda it: it.started_at or it.due_at or now)
    waiting = [Line(found[each.pk], at) for at, each in enumerate(queue, 1) if each.pk in found]
    elsewhere = Submission.objects.filter(state__in=Submission.IN_PROGRESS).exclude(team__contest=contest).count()
    return Desk([Line(it, None) for it in running], waiting, elsewhere, slots())
