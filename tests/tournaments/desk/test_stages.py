"""The organisers' pages about stages and matches: every action, every refusal, who may see and who may act."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

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


class TestMakingAStage:
    def test_it_becomes_a_draft_with_a_preview(self, desk):
        page = desk.post("desk-stage-new", **desk.form(advance=2))
        stage = Stage.objects.get()
        assert (stage.state, stage.options["advance"], stage.order) == ("draft", 2, [])
        for team in desk.hall.teams:
            assert team.name in page
        assert ">Publish</button>" in page
        assert "Semi-final 2" in page
        assert "House player" in page
        assert "Second of semi-final 1" in page
        assert Act.objects.filter(verb="create stage", user=desk.hall.ada).exists()

    @pytest.mark.parametrize(
        ("changes", "text"),
        [
            ({"name": ""}, "This field is required"),
            ({"name": "\u200b"}, "at least one visible character"),
            ({"table_size": 2, "advance": 2}, "Only one team can advance"),
            ({"games": 0}, "greater than or equal to 1"),
            ({"games": "many"}, "whole number"),
            ({"seeding": "dice"}, "Select a valid choice"),
        ],
    )
    def test_refusals_keep_what_was_typed(self, desk, changes, text):
        page = desk.post("desk-stage-new", status=422, **desk.form(**{"name": "My cup", **changes}))
        assert text in page
        if changes.get("name") is None:
            assert 'value="My cup"' in page
        assert not Stage.objects.exists()

    def test_seeding_by_hand(self, desk):
        teams = desk.hall.ids
        places = {f"place_{team}": number for number, team in enumerate(reversed(teams), start=1)}
        del places[f"place_{teams[0]}"]
        desk.post("desk-stage-new", **desk.form(seeding="hand", **places))
        assert Stage.objects.get().order == [*reversed(teams[1:]), teams[0]]

    def test_two_teams_at_one_place_are_refused_beside_the_field(self, desk):
        first, second = desk.hall.ids[:2]
        page = desk.post(
            "desk-stage-new", status=422, **desk.form(seeding="hand", **{f"place_{first}": 1, f"place_{second}": 1})
        )
        assert f"{desk.hall.teams[0]} has the same seed" in page


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
    def test_the_page_shows_what_else_would_be_void(self, desk):
        stage = desk.hall.stage()
        play_out(stage)
        first = stage.matches.order_by("pk").first()
        final = stage.matches.get(table__name="Final")
        page = desk.get("desk-stage-void", stage.pk, first.pk)
        assert "1 more match would be voided" in page
        assert str(final) in page
        assert "No longer decided: Semi-final 1, Final." in page
        assert "Standings by rating: " in page
        assert stage.matches.filter(state="void").count() == 0

    def test_a_match_of_another_stage_is_not_found(self, desk):
        one, other = desk.hall.stage(), desk.hall.stage()
        desk.get("desk-stage-void", other.pk, one.matches.first().pk, status=404)


@pytest.mark.long("more")
class TestBeforeTheStart:
    def test_a_draft_that_is_late_starts_as_soon_as_it_is_published(self, desk):
        stage = desk.hall.stage(start=False)
        page = desk.get("desk-stage", stage.pk)
        assert "when you start it" in page
        now = timezone.now()
        for away, said in ((1, "if you publish it by then"), (-1, "as soon as you publish it")):
            Stage.objects.filter(pk=stage.pk).update(starts_at=now + away * timedelta(minutes=5))
            assert said in desk.get("desk-stage", stage.pk)


class TestQueue:
    def test_it_shows_what_is_played_and_what_waits(self, desk):
        stage = desk.hall.stage()
        first, second = stage.matches.all()
        play.claim(first.pk, "apollo:77")
        page = desk.get("desk-queue")
        assert "apollo:77" in page
        assert str(second) in page
        assert "No worker that plays matches is running" in page

    def test_trouble_is_named_with_the_next_try(self, desk):
        stage = desk.hall.stage()
        claimed = play.claim(stage.matches.first().pk, "apollo:77")
        play.put_back(claimed, "bwrap: no such file", timezone.now() + timedelta(minutes=20))
        page = desk.get("desk-queue")
        assert "bwrap: no such file" in page
        assert re.search(r"in \d+ minutes", page)
        assert "1 match failed" in desk.get("desk")

    def test_a_match_that_was_stopped_is_played_again_when_an_organiser_says_so(self, desk, client):
        match = desk.hall.stage().matches.first()
        type(match).objects.filter(pk=match.pk).update(due_at=None, failures=3, last_error="no disk")
        assert "waits for you" in desk.get("desk")
        assert f"/void/{match.pk}/" in desk.get("desk-queue")
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
