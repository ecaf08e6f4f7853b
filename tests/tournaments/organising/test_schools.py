"""A stage that keeps schools apart: what its preview says, and that later changes of schools draw nothing anew."""

from __future__ import annotations

import pytest
from django.urls import reverse

from contest.models import Scope
from tests.programs import post, program
from tests.tournaments.stagecraft import Hall, play_out
from tests.tournaments.visitors import visitor
from tournaments import kinds
from tournaments.models import Stage
from tournaments.organising import endings, stages, substitutes
from tournaments.results import replay

pytestmark = pytest.mark.django_db


def hall_of(*schools: str) -> Hall:
    """A team with each of these schools, in the order of their seeds."""
    hall = Hall(len(schools))
    for number, (team, school) in enumerate(zip(hall.teams, schools, strict=True), start=1):
        team.seed, team.school = number, school
        team.save()
    return hall


def first_round(stage: Stage) -> list[set[int]]:
    stage = Stage.objects.get(pk=stage.pk)
    return [set(table.teams) for table in kinds.of(stage).plan(stage).rounds[0]]


@pytest.mark.parametrize("format", ["single_elimination", "swiss"])
def test_the_schools_are_those_of_the_draw(format: str) -> None:
    hall = hall_of(*("North", "north", "South", "South", "", "South ", "North", "North"))
    wish = stages.Wish("Cup", format, {"table_size": 2, "schools_apart": True})
    stage = stages.create(hall.contest, hall.ada, wish)
    stages.publish(stage, hall.ada)
    north, south = (
        {team.pk for team in hall.teams if team.school.strip().lower() == name} for name in ("north", "south")
    )
    drawn = first_round(stage)
    assert not any(len(pair & school) > 1 for pair in drawn for school in (north, south))
    for team in hall.teams:
        team.school = "East"
        team.save()
    assert first_round(stage) == drawn
    stages.start(Stage.objects.get(pk=stage.pk), hall.ada)
    assert first_round(stage) == drawn
    play_out(Stage.objects.get(pk=stage.pk))
    assert first_round(stage) == drawn
    assert list(replay.differences(hall.contest)) == []
    endings.reset(Stage.objects.get(pk=stage.pk), hall.ada, "Again")
    stage.refresh_from_db()
    assert set(stage.schools.values()) == {"east"}, "it is drawn anew"


def test_who_takes_a_seat_moves_nobody() -> None:
    """Neither instead of a team nor in the place of a bye, whatever its school."""
    hall = hall_of("North", "South", "South", "North", "South", "North", "East", "North", "South")
    *first, reserve, last = hall.teams
    stage = stages.create(
        hall.contest,
        hall.ada,
        stages.Wish(
            "Cup",
            options={"table_size": 2, "schools_apart": True},
            entry=Stage.Entry.INVITED,
            invited=[team.pk for team in first],
        ),
    )
    stages.publish(stage, hall.ada)
    drawn = first_round(stage)
    substitutes.substitute(stage, hall.ada, reserve, "A cold", instead_of=first[4])
    assert first_round(stage) == [{reserve.pk if team == first[4].pk else team for team in pair} for pair in drawn]
    then = first_round(stage)
    substitutes.substitute(Stage.objects.get(pk=stage.pk), hall.ada, last, "Came late")
    added = [now - before for now, before in zip(first_round(stage), then, strict=True)]
    assert sorted(map(len, added)) == [0, 0, 0, 1]


def test_the_preview_says_who_still_meets_their_own_school() -> None:
    hall = hall_of("North", "North", "North", "South")
    stage = stages.create(hall.contest, hall.ada, stages.Wish("Cup", options={"table_size": 2, "schools_apart": True}))
    desk = reverse("desk-stage", args=[hall.contest.slug, stage.pk])
    shown = visitor(hall.ada).get(desk)
    (said,) = shown.context["preview"].same_school
    assert said in shown.text
    assert "of North" in said
    address = f"/api/v1/contests/{hall.contest.slug}/desk/stages/{stage.pk}/publish"
    told = post(program(hall.ada, Scope.DESK), address, {"dry_run": True}).json()
    assert told["draw"]["same_school"] == [said]
    hall.teams[2].school = "South"
    hall.teams[2].save()
    assert visitor(hall.ada).get(desk).context["preview"].same_school == ()
