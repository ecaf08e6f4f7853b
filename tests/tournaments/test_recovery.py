"""Nothing is lost and nobody has to help: real workers, the real broker, real bots in the sandbox, a real accident.

Other accidents are in tests/chaos. Every test ends with the same question: does each match have
exactly one result and one record that verifies, are the ratings those of a run without the accident, and is the bracket
complete?
"""

from __future__ import annotations

from functools import partial

import pytest

from tests.tournaments.accidents import (
    LEASE,
    check_everything,
    frozen_in_a_match,
    hall,
    is_done,
    let_the_lease_end,
    wait_for,
)
from tests.tournaments.stagecraft import refereed
from tournaments.clock import periodic
from tournaments.models import Match
from tournaments.playing import play

__all__ = ["hall"]
pytestmark = [pytest.mark.promise, pytest.mark.django_db(transaction=True)]


def test_a_whole_stage_without_accidents(hall, celery_worker_process):
    celery_worker_process(concurrency=2, **LEASE)
    stage = hall.stage(games=2)
    wait_for(is_done(stage))
    check_everything(hall.contest)
    assert {match.attempt for match in stage.matches.done()} == {1}
    assert {match.games for match in stage.matches.done()} == {2}


def test_a_worker_that_is_killed_in_the_middle_of_a_match(hall, celery_worker_process):
    victim = celery_worker_process(**LEASE)
    stage = hall.stage()
    match = wait_for(partial(frozen_in_a_match, victim))
    victim.kill()
    assert Match.objects.get(pk=match.pk).state == "running", "nobody knows yet"
    let_the_lease_end(match)
    celery_worker_process(**LEASE)
    wait_for(is_done(stage), ticking=True)
    match.refresh_from_db()
    assert (match.state, match.attempt, match.failures) == ("done", 2, 1)
    check_everything(hall.contest)


def test_the_process_is_lost_between_a_result_and_its_consequences(hall):
    """The tick schedules the next round when the worker that should have done it is lost."""
    stage = hall.stage()
    for match in stage.matches.all():
        claimed = play.claim(match.pk, "one")
        play.finish(claimed, refereed(claimed))
    assert stage.matches.open().count() == 0
    periodic.tick()
    assert stage.matches.open().count() > 0
