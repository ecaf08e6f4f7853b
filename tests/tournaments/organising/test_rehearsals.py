"""Rehearsals: house players play a stage's plan in memory, and nothing of it counts."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from submissions.models import Submission
from tests.cast import make_team
from tests.tournaments.stagecraft import Hall
from tournaments import formats
from tournaments.clock import periodic
from tournaments.models import Match, Rehearsal, Stage
from tournaments.organising import rehearsals, stages

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def long_lease(monkeypatch):
    """It needs no renewal: on PostgreSQL the thread that renews it does not see the rows of a test's transaction."""
    monkeypatch.setattr(rehearsals, "LEASE", timedelta(minutes=10))


@pytest.fixture
def hall():
    return Hall(teams=6)


def rehearsed(hall, stage):
    rehearsals.ask(stage, hall.ada)
    return rehearsals.play_next()


def fresh():
    return Rehearsal.objects.get()


PLANNED = [it for it in formats.FORMATS.values() if it.kind == "planned"]


@pytest.mark.parametrize(
    "format",
    [
        pytest.param(it, id=it.slug, marks=[pytest.mark.long("more")] if it.slug == "combinations" else [])
        for it in PLANNED
    ],
)
def test_every_planned_format_is_played_to_its_end(hall, format):
    stage = stages.create(
        hall.contest, hall.ada, stages.Wish("Cup", format.slug, {} if format.slug == "combinations" else {"games": 1})
    )
    assert rehearsed(hall, stage).pk
    found = fresh()
    assert (found.state, found.error) == ("done", "")
    plan = rehearsals.plan_of(found)
    assert plan.done
    assert len(found.results) == sum(len(table.matches) for table in plan.tables())
    assert {ranked.team for ranked in plan.ranking} == set(hall.ids)
    assert not Match.objects.exists()
    assert Stage.objects.get().state == "draft"


@pytest.mark.long("more")
def test_also_teams_that_have_no_bot_yet(hall):
    Submission.objects.all().delete()
    rehearsed(hall, hall.stage(start=False))
    assert fresh().order == hall.ids


@pytest.mark.long("more")
def test_a_stage_that_does_not_know_its_teams_yet(hall):
    source = hall.stage(start=False, publish=True)
    final = stages.create(hall.contest, hall.ada, stages.Wish("Final", entry="best", source=source, best=4))
    rehearsed(hall, final)
    assert len(fresh().order) == 4
    assert fresh().state == "done"


class TestAsking:
    def test_it_knows_when_it_is_outdated(self, hall):
        stage = hall.stage(start=False)
        assert not rehearsals.is_outdated(rehearsed(hall, stage))
        make_team(hall.contest)
        assert rehearsals.is_outdated(fresh())
        rehearsed(hall, stage)
        stages.edit(stage, hall.ada, stages.Wish("Cup", options={"table_size": 2}))
        assert rehearsals.is_outdated(fresh())
        assert rehearsals.plan_of(fresh()).done, "it is shown as it was played"
        rehearsed(hall, Stage.objects.get(pk=stage.pk))
        assert not rehearsals.is_outdated(fresh())
        order = [team.pk for team in reversed(hall.teams)]
        wish = stages.Wish("Cup", options={"table_size": 2}, seeding="hand", order=order)
        stages.edit(Stage.objects.get(pk=stage.pk), hall.ada, wish)
        assert rehearsals.is_outdated(fresh()), "seeded in another way"


class TestAccidents:
    def test_a_lost_worker(self, hall):
        rehearsals.ask(hall.stage(start=False), hall.ada)
        for attempt in range(1, 4):
            late = rehearsals.claim(fresh().pk)
            assert late.attempt == attempt
            Rehearsal.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
            periodic.tick()
            rehearsals._play(late)
            assert fresh().state == ("queued" if attempt < 3 else "failed"), "who comes too late changes nothing"
        assert "lost 3 times" in fresh().error
