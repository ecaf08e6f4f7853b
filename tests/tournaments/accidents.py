"""A stage played by real workers, to which something happens, and what must be true afterwards."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.db import transaction
from django.utils import timezone

from contest.ledger import hold
from contest.models import Contest
from games import record as records
from tests import waiting
from tests.conftest import WorkerProcess
from tests.submissions import bots
from tests.tournaments.stagecraft import Hall
from tournaments.models import Match, MatchSeat, PracticeGame, Rating, Record, Stage
from tournaments.results import ratings

SLOW = bots.python_bot(take="import time; time.sleep(0.02)", play="import time; time.sleep(0.02)")
# Long enough for a machine that stalls. Tests that need an expired lease arrange it themselves.
PATIENCE = 240.0  # seconds for what must happen, such as a whole stage: only a hang takes so long
LEASE = {"MATCH_LEASE": "60", "LOG_LEVEL": "INFO"}


@pytest.fixture
def hall(transactional_db: None) -> Hall:
    return Hall(teams=5, source=SLOW)


def wait_for(condition: Callable[[], object], seconds: float = PATIENCE, *, ticking: bool = False) -> Any:
    """Wait for something that the workers do; `ticking` does the work of the beat."""

    def look() -> object:
        found = condition()
        if ticking and not found:  # one that comes late does nothing, else a slow worker would do nothing else
            current_app.send_task("tournaments.tasks.tick", expires=1)
        return found

    def told() -> list[Any]:
        games = PracticeGame.objects.values("number", "state", "attempt", "failures", "last_error")
        return [*Match.objects.values("pk", "state", "last_error"), *games[:20]]

    return waiting.wait_for(look, told, seconds, pause=0.5 if ticking else 0.1)


def is_done(stage: Stage) -> Callable[[], bool]:
    return lambda: Stage.objects.get(pk=stage.pk).state == Stage.State.DONE


def being_played() -> Match | None:
    """A match that has really begun: its bots run as children of the process that plays it."""
    match = Match.objects.filter(state=Match.State.RUNNING).order_by("started_at").first()
    return match if match and len(waiting.descendants(player_of(match))) >= match.seats.count() else None


def player_of(match: Match | PracticeGame) -> int:
    return int(match.worker.rpartition(":")[2])


def frozen_in_a_match(worker: WorkerProcess) -> Match | None:
    """Freeze a worker. Returns the match in progress, or None: then the worker goes on."""
    if being_played() is None:
        return None
    os.killpg(worker.pid, signal.SIGSTOP)
    match = Match.objects.filter(state=Match.State.RUNNING).first()
    if match is None:  # it has just ended
        os.killpg(worker.pid, signal.SIGCONT)
    return match


def let_the_lease_end(match: Match) -> None:
    """As if its lease had expired; the process that plays it does not live to renew it."""
    held = Match.objects.filter(pk=match.pk, state=Match.State.RUNNING, attempt=match.attempt)
    assert held.update(lease_until=timezone.now() - timedelta(seconds=1)) == 1


def check_everything(contest: Contest) -> None:
    """One result, one record, right ratings, right bracket, nothing left to do."""
    done = Match.objects.done().filter(contest=contest)
    assert not Match.objects.open().exists()
    assert set(Record.objects.values_list("match", flat=True)) == {match.pk for match in done}
    for match in done.select_related("record").prefetch_related("seats"):
        record = records.loads(match.record.text())
        assert records.verify(record) is None
        assert [seat.place for seat in match.seats.all()] == record["result"]["places"]
        assert [seat.score for seat in match.seats.all()] == record["result"]["scores"]
        assert not record["result"]["disqualified"], "no bot was blamed for the accident"
    tables = {match.table_id for match in done}
    assert len(tables) <= done.count()
    for stage in contest.stages.all():
        assert all(table.decided for table in stage.tables.all())
    before = ratings_of(contest)
    with transaction.atomic():
        ratings.start_over(hold(contest.pk))
    steps = list(iter(lambda: ratings.catch_up(contest.pk), None))
    assert steps
    assert not any(steps), "nothing in the chain changes"
    assert ratings_of(contest) == before
    matches = {seat.team_id: 0 for seat in MatchSeat.objects.filter(team__isnull=False)}
    for seat in MatchSeat.objects.filter(match__in=done, team__isnull=False):
        matches[seat.team_id] += 1
    assert dict(Rating.objects.values_list("team", "matches")) == matches


def ratings_of(contest: Contest) -> list[tuple[object, ...]]:
    return list(Rating.objects.filter(contest=contest).order_by("team").values_list("team", "mu", "sigma", "matches"))
