"""Failures of the portal: the broker, the workers, the clock, and whatever is retried because of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from contest.formatting import duration
from contest.languages import lacking
from games.phrases import counted
from submissions.models import Submission
from tournaments.attention.look import Concern, Level, Look
from tournaments.models import Duty

STILL = timedelta(minutes=2)  # without a tick: the clock has stopped
STARTED = timezone.now()  # this process: after a start, the clock has as long for its first tick
OPERATORS = "Tell the people who operate the portal."


def machinery(look: Look) -> Iterator[Concern]:
    queue = look.url("desk-queue")
    if not look.load.broker_answers:
        yield Concern(
            Level.ACT,
            "The portal’s queue is not responding. Nothing is lost: builds and matches continue when it is back.",
        )
        return
    if not look.ended:
        settings = look.url("desk-settings")
        for lack in lacking(look.contest.game, look.contest.languages):
            yield Concern(Level.ACT, lack, settings, "Settings")
    at_work = any(worker.is_alive() and worker.confinement for worker in look.workforce)
    if at_work and not look.load.players and (look.load.running or look.load.queued.exists()):
        yield Concern(Level.ACT, "No worker is playing matches. They wait until a worker comes back.", queue, "Queue")
    gone = [worker for worker in look.workforce if worker.confinement and not worker.is_alive()]
    if gone and look.operates:
        names = ", ".join(f"{worker.name}, {duration(look.now - worker.seen)} ago" for worker in gone)
        yield Concern(Level.LOOK, f"{counted(len(gone), 'worker')} stopped responding: {names}.", "#workers", "Workers")
    ticked = Duty.objects.filter(name="tick").values_list("until", flat=True).first()
    if ticked is not None and max(ticked, STARTED) < look.now - STILL:
        yield Concern(
            Level.ACT,
            f"The portal’s clock stopped {duration(look.now - ticked)} ago: no stage starts by itself, and matches "
            f"that lost their worker are not retried. {'Check the worker “clock”.' if look.operates else OPERATORS}",
            *(("#workers", "Workers") if look.operates else ()),
        )


def matches(look: Look) -> Iterator[Concern]:
    queue = look.url("desk-queue")
    why = "failed because of the portal, not a bot, and"
    retried = [match for match in look.load.troubled if match.due_at is not None]
    for level, troubled, one, many in (
        (Level.ACT, look.load.stopped, "waits for you: play it again or void it", "wait for you: play or void them"),
        (Level.LOOK, retried, "is retried", "are retried"),
    ):
        if troubled:
            had = counted(len(troubled), f"match {why} {one}", f"matches {why} {many}")
            about = tuple((f"{match}: {match.failures}×", match.get_absolute_url()) for match in troubled[:10])
            yield Concern(level, f"{had}.", queue, "Queue", about)
    slow = look.load.slow(look.now)
    if slow and look.load.usual is not None:
        usual = duration(look.load.usual)
        text = f"{counted(len(slow), 'match takes', 'matches take')} much longer than the usual {usual}."
        about = tuple(
            (f"{match}, since {duration(look.now - match.started_at)}", match.get_absolute_url())
            for match in slow[:10]
            if match.started_at
        )
        yield Concern(Level.LOOK, text, queue, "Queue", about)


def builds(look: Look) -> Iterator[Concern]:
    mine = Submission.objects.filter(team__contest=look.contest)
    troubled = mine.in_progress().filter(failures__gt=0).count()
    if troubled:
        text = f"{counted(troubled, 'version')} failed to build or check because of the portal, and are retried."
        yield Concern(Level.LOOK, text, look.url("desk-versions"), "Versions")
