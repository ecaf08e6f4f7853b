"""The ladder: who is there is matched, again and again, until its time is over."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.tournaments.stagecraft import Hall, finish
from tournaments import ladder, stages
from tournaments.models import Client, MatchSeat, Stage, Table

pytestmark = pytest.mark.django_db


def climb(hall, *, ends_in=None, start=True, **options):
    """A ladder of tables of two unless the options say otherwise."""
    ends_at = timezone.now() + ends_in if ends_in else None
    wish = stages.Wish("Ladder", "ladder", {"table_size": 2} | options, ends_at=ends_at)
    stage = stages.create(hall.contest, hall.ada, wish)
    Stage.objects.filter(pk=stage.pk).update(seed=17)
    if start:
        stages.start(stage, hall.ada)
    stage.refresh_from_db()
    return stage


def open_(stage):
    return list(stage.matches.open().order_by("pk"))


def line_up(match):
    return {seat.team_id for seat in match.seats.all()} - {None}


def connect(*teams):
    now = timezone.now()
    for team in teams:
        Client.objects.update_or_create(team=team, defaults={"connected_since": now, "seen_at": now})


class TestRunning:
    def test_it_starts_with_a_few_matches_at_one_table(self):
        hall = Hall(teams=20)
        stage = climb(hall)
        made = open_(stage)
        assert [match.number for match in made] == list(range(1, ladder.QUEUED + 1))
        assert Table.objects.get(stage=stage).name == "Ladder"
        met = [team for match in made for team in line_up(match)]
        assert len(met) == len(set(met)) == 2 * ladder.QUEUED

    def test_results_bring_the_next_matches_at_once(self):
        hall = Hall(teams=6)
        stage = climb(hall)
        for _ in range(12):
            finish(open_(stage)[0])
        assert stage.matches.done().count() == 12
        assert open_(stage), "it goes on without a tick"
        seats = MatchSeat.objects.filter(match__stage=stage, match__state="done")
        assert {seats.filter(team=team).count() for team in hall.teams} <= {3, 4, 5}
