"""Check-in: exactly once, and what follows for the draw, for the teams and for programs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import contests, teams
from contest.models import Act, Team
from contest.refusal import Refused
from submissions.models import Submission
from tests.cast import make_user
from tests.programs import patch, post, program
from tests.tournaments.desks import Desk
from tests.tournaments.stagecraft import Hall
from tournaments.clock import periodic
from tournaments.models import Stage
from tournaments.organising import admission, endings, rounds, stages

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


@pytest.fixture
def hall() -> Hall:
    return Hall(teams=6)


def check_in_closes(stage: Stage, in_minutes: float) -> Stage:
    closes = timezone.now() + in_minutes * MINUTE
    Stage.objects.filter(pk=stage.pk).update(check_in_closes_at=closes, starts_at=closes)
    return Stage.objects.get(pk=stage.pk)


def check_in(hall: Hall, *present: int, minutes_ago: float = 10) -> None:
    for index in present:
        admission.check_in(hall.teams[index], hall.ada, present=True)
    Team.objects.exclude(checked_in_at=None).update(checked_in_at=timezone.now() - minutes_ago * MINUTE)


def as_member(hall: Hall, index: int) -> Client:
    client = Client()
    client.force_login(hall.teams[index].memberships.get().user)
    return client


def test_a_press_counts_once_and_is_audited(desk: Desk, hall: Hall) -> None:
    team = hall.teams[2]
    for _ in range(2):
        assert f"{team} is checked in." in desk.post("desk-check-in", team=team.pk, present=1)
    came = Team.objects.get(pk=team.pk).checked_in_at
    assert came is not None
    assert Act.objects.filter(verb="check in team", user=hall.ada, data__team=team.pk).count() == 1
    for _ in range(2):
        desk.post("desk-check-in", team=team.pk, present=0)
    assert Team.objects.get(pk=team.pk).checked_in_at is None
    assert Act.objects.filter(verb="undo check-in").count() == 1


def test_the_list_is_searched_and_filtered(desk: Desk, hall: Hall) -> None:
    Submission.objects.filter(team=hall.teams[0]).update(is_active=False)
    check_in(hall, 1)
    names = [team.name for team in hall.teams]
    shown = {state: desk.get("desk-check-in", state=state) for state in ("missing", "present", "no-bot")}
    assert [name for name in names if f"Check in {name}" in shown["missing"]] == [names[0], *names[2:]]
    assert [name for name in names if f"<strong>{name}<" in shown["present"]] == [names[1]]
    assert [name for name in names if f"<strong>{name}<" in shown["no-bot"]] == [names[0]]
    page = desk.get("desk-check-in", q=names[3])
    assert [name for name in names if f"<strong>{name}<" in page] == [names[3]]
    assert hall.teams[3].memberships.get().user.email in page


def test_who_may_tick(hall: Hall) -> None:
    judge, address = make_user(), reverse("desk-check-in", args=[hall.contest.slug])
    contests.give_role(hall.contest, hall.ada, judge, "judge")
    client = Client()
    client.force_login(judge)
    page = client.get(address)
    assert page.status_code == 200
    assert 'name="present"' not in page.content.decode()
    for visitor in (client, as_member(hall, 0)):
        assert visitor.post(address, {"team": hall.ids[0], "present": 1}).status_code == 403
    assert as_member(hall, 0).get(address).status_code == 403
    assert Client().get(address).status_code == 302
    client.force_login(hall.ada)
    elsewhere = Hall(teams=1).ids[0]
    assert client.post(address, {"team": elsewhere, "present": 1}).status_code == 404
    assert not Team.objects.exclude(checked_in_at=None).exists()


def test_a_team_that_is_out_cannot_check_in(hall: Hall) -> None:
    teams.withdraw(hall.teams[0], hall.ada, "ill")
    with pytest.raises(Refused, match="does not take part"):
        admission.check_in(hall.teams[0], hall.ada, present=True)


class TestClosing:
    def test_who_was_not_there_in_time_leaves_the_draw(self, hall: Hall) -> None:
        stage = check_in_closes(hall.stage(start=False, publish=True), -1)
        check_in(hall, 0, 1, 3, 5)
        admission.check_in(hall.teams[4], hall.ada, present=True)  # late
        Submission.objects.filter(team=hall.teams[2]).delete()
        Submission.objects.filter(team=hall.teams[3]).update(is_active=False)
        periodic.start_due_stages(timezone.now())
        stage.refresh_from_db()
        assert stage.state == Stage.State.RUNNING
        assert stage.order == [hall.ids[index] for index in (0, 1, 5)]
        why = admission.why_left_out(stage, stage.left_out).values()
        assert [[team.pk for team in teams] for teams in why] == [[pk] for pk in stage.left_out]

    def test_of_several_each_goes_by_who_was_there_when_it_closed(self, hall: Hall) -> None:
        first, second = (hall.stage(start=False, publish=True) for _ in range(2))
        now, team = timezone.now(), hall.teams[0]
        for stage, closes in ((first, 10), (second, 30)):
            Stage.objects.filter(pk=stage.pk).update(check_in_closes_at=now + closes * MINUTE)
            stage.refresh_from_db()
        for minutes, present in ((5, True), (15, False), (20, True), (25, False), (40, True)):
            with time_machine.travel(now + minutes * MINUTE, tick=False):
                admission.check_in(team, hall.ada, present=present)
        away = [team in admission.missing(stage, hall.ids) for stage in (first, second)]
        assert away == [False, True], "it was not there when the second one closed"

    def test_before_it_nobody_is_left_out(self, hall: Hall) -> None:
        stage = check_in_closes(hall.stage(start=False, publish=True), 30)
        stages.start(stage, hall.ada)
        assert Stage.objects.get(pk=stage.pk).order == hall.ids

    def test_the_start_does_not_wait_for_bots_of_teams_that_are_away(self, hall: Hall) -> None:
        stage = check_in_closes(hall.stage(start=False, publish=True), -1)
        check_in(hall, 0, 1)
        Submission.objects.filter(team=hall.teams[5]).update(is_active=False, state=Submission.State.QUEUED)
        periodic.start_due_stages(timezone.now())
        assert Stage.objects.get(pk=stage.pk).order == hall.ids[:2]

    def test_it_moves_with_the_start(self, hall: Hall) -> None:
        stage = check_in_closes(hall.stage(start=False, publish=True), 10)
        rounds.shift(stage, hall.ada, 1, minutes=15)
        moved = Stage.objects.get(pk=stage.pk)
        assert stage.check_in_closes_at is not None
        assert moved.check_in_closes_at == moved.starts_at == stage.check_in_closes_at + 15 * MINUTE

    def test_a_reset_stage_has_none_any_more(self, hall: Hall) -> None:
        stage = check_in_closes(hall.stage(start=False, publish=True), -1)
        check_in(hall, 0, 1)
        stages.start(stage, hall.ada)
        endings.reset(stage, hall.ada, "again", resets=0)
        stage.refresh_from_db()
        assert (stage.check_in_closes_at, stage.order) == (None, hall.ids)


def test_programs_tick_and_set_the_closing_time(hall: Hall) -> None:
    owner, here = program(hall.ada, "desk"), f"/api/v1/contests/{hall.contest.slug}"
    team = hall.ids[1]
    for _ in range(2):
        told = post(owner, f"{here}/desk/teams/{team}/check-in", {"present": True}).json()
        assert (told["team_id"], told["bot"], bool(told["checked_in_at"])) == (team, "version 1", True)
    assert Act.objects.filter(verb="check in team").count() == 1
    assert post(owner, f"{here}/desk/teams/{team}/check-in", {}).status_code == 422
    rows: list[dict[str, Any]] = owner.get(f"{here}/desk/check-in?state=missing").json()["results"]
    assert {row["team_id"] for row in rows} == {*hall.ids} - {team}
    own = program(hall.teams[1].memberships.get().user, "team").get(f"{here}/team").json()
    assert own["checked_in_at"] == told["checked_in_at"]
    starts = timezone.now().replace(microsecond=0) + timedelta(hours=2)
    stage = post(owner, f"{here}/desk/stages", {"name": "Cup", "starts_at": starts.isoformat()}).json()
    address = f"{here}/desk/stages/{stage['id']}"
    late = patch(owner, address, {"check_in_closes_at": (starts + MINUTE).isoformat()})
    assert (late.status_code, late.json()["errors"][0]["field"]) == (422, "check_in_closes_at")
    patch(owner, address, {"check_in_closes_at": (starts - MINUTE).isoformat()})
    assert Stage.objects.get(pk=stage["id"]).check_in_closes_at == starts - MINUTE
    assert [row["team_id"] for row in owner.get(address).json()["missing"]] == [
        each for each in hall.ids if each != team
    ]
