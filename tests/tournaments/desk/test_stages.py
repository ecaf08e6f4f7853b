"""The organisers' pages about stages and matches: every action, every refusal, who may see and who may act."""

import pytest

from contest.models import Act
from tests.cast import open_until
from tests.tournaments.desks import Desk
from tests.tournaments.stagecraft import Hall, finish, play_out
from tournaments.clock import periodic
from tournaments.models import Stage
from tournaments.organising import stages
from tournaments.playing import play

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall():
    return Hall(teams=6)


class TestRunningAStage:
    @pytest.mark.parametrize(
        ("act", "state"),
        [
            ("publish", "running"),
            pytest.param("unpublish", "draft", marks=pytest.mark.long("more")),
            ("unpublish", "running"),
            pytest.param("start", "running", marks=pytest.mark.long("more")),
            ("start", "done"),
            pytest.param("pause", "draft", marks=pytest.mark.long("more")),
            ("pause", "paused"),
            ("resume", "running"),
        ],
    )
    def test_acts_out_of_season_are_refused(self, desk, act, state):
        stage = desk.hall.stage(start=state not in ("draft", "published"), publish=True)
        Stage.objects.filter(pk=stage.pk).update(state=state)
        acts = Act.objects.count()
        assert '<li class="error">' in desk.post(f"desk-stage-{act}", stage.pk)
        stage.refresh_from_db()
        assert stage.state == state
        assert Act.objects.count() == acts

    def test_a_live_page_gets_nothing_until_something_changes(self, desk):
        stage = desk.hall.stage()
        desk.hall.contest.refresh_from_db()
        url = desk.url("desk-stage", stage.pk)
        query = {"rev": desk.hall.contest.revision}
        assert desk.client.get(url, query, headers={"HX-Request": "true"}).status_code == 204
        finish(stage.matches.first())
        response = desk.client.get(url, query, headers={"HX-Request": "true"})
        assert response.status_code == 200
        assert b"<html" not in response.content
        assert b"hx-trigger" in response.content


class TestVoiding:
    def test_a_match_of_another_stage_is_not_found(self, desk):
        one, other = desk.hall.stage(), desk.hall.stage()
        desk.get("desk-stage-void", other.pk, one.matches.first().pk, status=404)


class TestQueue:
    def test_a_match_that_was_stopped_is_played_again_when_an_organiser_says_so(self, desk, client):
        match = desk.hall.stage().matches.first()
        type(match).objects.filter(pk=match.pk).update(due_at=None, failures=3, last_error="no disk")
        assert "waits for you" in desk.get("desk")
        assert f"/void/{match.pk}/" in desk.get("desk-queue")
        desk.post("desk-queue")
        assert play.claim(match.pk, "apollo:77") is not None

    def test_one_that_waits_after_a_failure_is_played_at_once(self, desk):
        match = desk.hall.stage().matches.first()
        play.put_back(play.claim(match.pk, "apollo:77"), "no disk")
        assert play.claim(match.pk, "apollo:77") is None
        desk.post("desk-queue")
        assert play.claim(match.pk, "apollo:77") is not None


@pytest.mark.promise
class TestWhoMay:
    def test_stages_of_other_contests_are_not_found(self, hall, client):
        client.force_login(hall.ada)
        other = Hall(teams=2).stage()
        desk = Desk(hall, client)
        desk.get("desk-stage", other.pk, status=404)
        desk.post("desk-stage-pause", other.pk, status=404)


@pytest.mark.long("more")
def test_the_page_of_two_hundred_teams(client, django_assert_max_num_queries):
    hall = Hall(teams=200)
    client.force_login(hall.ada)
    stage = hall.stage(advance=2)
    desk = Desk(hall, client)
    desk.get("desk-stage", stage.pk)
    with django_assert_max_num_queries(30):
        page = desk.get("desk-stage", stage.pk)
    assert page.count("Void…") == 50


@pytest.mark.parametrize(
    "format", ["single_elimination", "swiss", "round_robin", "combinations", "ladder", "judged_set"]
)
def test_a_stage_of_every_format_goes_through_its_whole_life(format, client):
    runs = format == "judged_set"
    hall = Hall(teams=5, game="even_steven", target=None) if runs else Hall(teams=5)
    client.force_login(hall.ada)
    desk = Desk(hall, client)
    options = {"draw": 3, "draw_seed": 7} if runs else {}
    stage = stages.create(hall.contest, hall.ada, stages.Wish("Cup", format, options))
    for act, state in (
        ("publish", "published"),
        ("unpublish", "draft"),
        ("start", "running"),
        ("pause", "paused"),
        ("resume", "running"),
    ):
        client.post(desk.url(f"desk-stage-{act}", stage.pk))
        stage.refresh_from_db()
        assert stage.state == state
    assert "Cup" in desk.get("desk-stage", stage.pk)
    assert client.get(stage.get_absolute_url()).status_code == 200
    assert stage.matches.exists()
    if format == "ladder":
        finish(stage.matches.first())
        desk.post("desk-stage-shorten", stage.pk, resets=0, reason="Time is up.")
        play_out(stage)
    elif runs:
        open_until(hall.contest, hours=-1)
    play_out(stage, most=100)
    periodic.tick()
    stage.refresh_from_db()
    assert stage.state == "done"
    assert "Finished" in desk.get("desk-stage", stage.pk)
    desk.post("desk-stage-delete", stage.pk)
    assert Stage.objects.filter(pk=stage.pk).exists()
