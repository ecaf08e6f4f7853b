"""The organisers' pages about stages and matches: every action, every refusal, who may see and who may act."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

import games
from contest import contests
from contest.models import Act, Role
from submissions.models import Submission
from tests.cast import make_contest, make_team, make_user, open_until
from tests.tournaments.desks import Desk, text_of
from tests.tournaments.stagecraft import Hall, finish, give_bot, play_out
from tournaments.clock import periodic
from tournaments.models import Match, Stage
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

    def test_changing_a_draft(self, desk):
        stage = desk.hall.stage(start=False)
        assert 'value="Cup"' in desk.get("desk-stage-edit", stage.pk)
        desk.post("desk-stage-edit", stage.pk, **desk.form(name="Grand Cup", games=5))
        stage.refresh_from_db()
        assert (stage.name, stage.options["games"]) == ("Grand Cup", 5)

    @pytest.mark.long("more")
    def test_changing_a_published_stage_draws_it_again(self, desk):
        stage = desk.hall.stage(start=False, publish=True)
        assert "notice-warn" in desk.get("desk-stage-edit", stage.pk)
        desk.post("desk-stage-edit", stage.pk, **desk.form(table_size=2))
        stage.refresh_from_db()
        assert stage.state == "published"
        assert stage.tables.filter(round=1).count() == 4, "two of them byes"


class TestRunningAStage:
    def test_publish_and_take_back(self, desk):
        stage = desk.hall.stage(start=False)
        desk.post("desk-stage-publish", stage.pk)
        stage.refresh_from_db()
        assert (stage.state, stage.order) == ("published", desk.hall.ids)
        desk.post("desk-stage-unpublish", stage.pk)
        stage.refresh_from_db()
        assert (stage.state, stage.order, stage.tables.count()) == ("draft", [], 0)

    def test_start_now_from_a_draft(self, desk):
        stage = desk.hall.stage(start=False)
        desk.post("desk-stage-start", stage.pk)
        stage.refresh_from_db()
        assert stage.state == "running"
        assert stage.matches.count() == 2
        assert len(stage.versions) == 6

    def test_pause_and_resume(self, desk):
        stage = desk.hall.stage()
        page = desk.post("desk-stage-pause", stage.pk, reason="lunch")
        assert "Resume" in page
        assert not Match.objects.claimable(timezone.now()).exists()
        assert Act.objects.get(verb="pause stage").reason == "lunch"
        assert "lunch" in page
        assert page.count('/resume/"') == 1
        assert page.index('/resume/"') < page.index('class="tables"'), "beside the badge, above what is played"
        desk.post("desk-stage-resume", stage.pk, reason="eaten")
        assert Match.objects.claimable(timezone.now()).count() == 2
        assert Act.objects.get(verb="resume stage").reason == "eaten"

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

    @pytest.mark.long("more")
    def test_without_bots_it_does_not_start(self, client):
        hall = Hall(teams=4, bots=False)
        client.force_login(hall.ada)
        desk = Desk(hall, client)
        stage = hall.stage(start=False)
        page = desk.get("desk-stage", stage.pk)
        assert "4 of 4 teams have no active version" in page
        assert "None of the 4 teams has an active bot" in desk.post("desk-stage-start", stage.pk)
        give_bot(hall.teams[0])
        assert "Only one of the 4 teams has an active bot" in desk.post("desk-stage-start", stage.pk)
        give_bot(hall.teams[1])
        desk.post("desk-stage-start", stage.pk)
        stage.refresh_from_db()
        assert stage.state == "running"

    @pytest.mark.long("more")
    def test_a_contest_of_one_team_cannot_be_published(self, client):
        hall = Hall(teams=1)
        client.force_login(hall.ada)
        desk = Desk(hall, client)
        stage = hall.stage(start=False)
        page = desk.get("desk-stage", stage.pk)
        assert "A bracket needs at least two teams. 1 takes part." in page
        assert ">Publish</button>" not in page
        assert "at least two teams" in desk.post("desk-stage-publish", stage.pk)
        stage.refresh_from_db()
        assert stage.state == "draft"

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

    def test_void_and_hold(self, desk):
        stage = desk.hall.stage()
        match = finish(stage.matches.first())
        desk.post("desk-stage-void", stage.pk, match.pk, reason="power cut", hold="on")
        stage.refresh_from_db()
        assert stage.state == "paused"
        assert stage.matches.valid().filter(table=match.table).count() == 1
        assert not Match.objects.claimable(timezone.now()).exists()

    def test_a_reason_is_needed(self, desk):
        stage = desk.hall.stage()
        match = stage.matches.first()
        assert "This field is required" in desk.post("desk-stage-void", stage.pk, match.pk, status=422, reason=" ")
        match.refresh_from_db()
        assert match.state == "queued"

    def test_a_match_of_another_stage_is_not_found(self, desk):
        one, other = desk.hall.stage(), desk.hall.stage()
        desk.get("desk-stage-void", other.pk, one.matches.first().pk, status=404)


class TestRestoring:
    def test_the_page_shows_what_would_change_and_does_it(self, desk):
        stage = desk.hall.stage(games=1, table_size=2)
        play_out(stage)
        first, final = stage.matches.order_by("pk").first(), stage.matches.latest("pk")
        desk.post("desk-stage-void", stage.pk, first.pk, reason="power cut")
        address = desk.url("desk-stage-restore", stage.pk, first.pk)
        assert address in desk.get("desk-stage", stage.pk)
        assert address in text_of(desk.client.get(first.get_absolute_url()))
        waiting = stage.matches.get(state="queued")
        page = desk.get("desk-stage-restore", stage.pk, first.pk)
        assert {str(first), str(final), str(waiting)} <= set(re.findall(r"Match \d+", page))
        assert stage.matches.filter(state="done").exclude(pk=first.pk).exists()
        desk.post("desk-stage-restore", stage.pk, first.pk, reason="the wrong match")
        assert set(stage.matches.done().values_list("pk", flat=True)) >= {first.pk, final.pk}
        assert "the wrong match" in text_of(desk.client.get(first.get_absolute_url()))


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

    def test_a_stage_that_could_not_start_says_why(self, desk):
        """It was only logged, every ten seconds, and shown to nobody."""
        Submission.objects.update(is_active=False)
        stage = desk.hall.stage(start=False, publish=True)
        Stage.objects.filter(pk=stage.pk).update(starts_at=timezone.now() - timedelta(hours=1))
        periodic.tick()
        why = "None of the 6 teams has an active bot"
        assert why in desk.get("desk-stage", stage.pk)
        assert why in desk.get("desk")
        for team in desk.hall.teams:
            give_bot(team, number=2)
        periodic.tick()
        assert why not in desk.get("desk-stage", stage.pk)


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


@pytest.mark.promise
class TestWhoMay:
    def pages(self, stage):
        match = stage.matches.first().pk
        return [
            ("desk",),
            ("desk-stages",),
            ("desk-stage", stage.pk),
            ("desk-queue",),
            ("desk-stage-void", stage.pk, match),
            ("desk-stage-restore", stage.pk, match),
        ]

    def test_a_judge_sees_and_changes_nothing(self, hall, client):
        judge = make_user()
        contests.give_role(hall.contest, hall.ada, judge, Role.Kind.JUDGE)
        client.force_login(judge)
        desk = Desk(hall, client)
        stage = hall.stage()
        for page in self.pages(stage):
            assert '<button class="danger"' not in desk.get(*page)
        desk.get("desk-stage-new", status=403)
        desk.get("desk-stage-edit", stage.pk, status=403)
        for act in ("publish", "unpublish", "start", "pause", "resume", "delete"):
            desk.post(f"desk-stage-{act}", stage.pk, status=403)
        desk.post("desk-stage-void", stage.pk, stage.matches.first().pk, status=403, reason="x")
        assert stage.matches.filter(state="void").count() == 0
        match = finish(stage.matches.first())
        stages.void(match, hall.ada, "power cut")
        assert "<form" not in desk.get("desk-stage-restore", stage.pk, match.pk).partition("<main")[2]
        desk.post("desk-stage-restore", stage.pk, match.pk, status=403, reason="x")
        assert not stage.matches.filter(state="done").exists()

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


@pytest.mark.long("more")
@pytest.mark.parametrize(
    "game", [game for game in games.GAMES.values() if game.seats[1] > 1], ids=lambda game: game.slug
)
def test_the_form_of_a_stage_fits_every_game(client, game):
    """The suggested values are valid: a fair number of games or the rules' own, and the game's own fillers."""
    ada = make_user()
    contest = make_contest(ada, game=game.slug, preset=game.presets[-1].name)
    for _ in range(3):
        make_team(contest)
    client.force_login(ada)
    address = reverse("desk-stage-new", args=[contest.slug])
    page = client.get(address)
    form = page.context["form"]
    assert game.counts in page.text
    data = {name: form[name].value() for name in form.fields}
    sent = {name: value for name, value in data.items() if value is not None and value is not False}
    answer = client.post(address, sent, follow=True)
    assert answer.status_code == 200
    stage = Stage.objects.get()
    assert stage.options["games"] == (None if game.decides else game.fair_games() if game.fair_games() > 4 else 1)
    assert set(stage.options["house"]) == set(game.fillers or [game.house[0].name])
    assert stage.options["table_size"] == min(4, game.seats[1])


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
