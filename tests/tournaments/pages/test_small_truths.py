"""Pages say nothing that is not so."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import games
from contest.setup_forms import LOCAL
from tests.markup import submitted, tags
from tests.tournaments.stagecraft import Hall, any_match, finish
from tournaments.models import Stage
from tournaments.organising import endings, stages
from tournaments.templatetags import stage_tags
from tournaments.view_models import front

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall(client: Client) -> Hall:
    hall = Hall(4)
    client.force_login(hall.ada)
    return hall


@pytest.mark.parametrize("bots", [0, 1, 3])
def test_teams_without_a_bot_are_left_out_below_only_where_they_are(client: Client, bots: int) -> None:
    hall = Hall(4, bots=False)
    hall.teams = hall.teams[:bots]
    hall.enter_bots(b"pass\n", "python", "bot.py")
    stage = hall.stage(start=False)
    client.force_login(hall.ada)
    context = client.get(reverse("desk-stage", args=[hall.contest.slug, stage.pk])).context
    drawn = {
        seat.team.pk
        for round in context["preview"].rounds
        for table in round.tables
        for seat in table.seats
        if seat.team
    }
    absent = {team.pk for team in context["preview"].absent}
    assert len(absent) == 4 - bots
    assert context["without_absent"] == (not absent & drawn)


def test_nothing_is_to_come_in_an_abandoned_stage(client: Client, hall: Hall) -> None:
    stage = hall.stage(table_size=2, games=1)
    finish(stage.matches.earliest("pk"))

    def words() -> list[str]:
        rounds = client.get(stage.get_absolute_url()).context["rounds"]
        return [table.state[1] for round in rounds for table in round.tables if not table.decided]

    before = words()
    endings.abandon(stage, hall.ada, "a power cut")
    assert len(words()) == len(before)
    assert not {*words()} & {*before}


@pytest.mark.parametrize("format", ["single_elimination", "swiss", "ladder", "combinations"])
def test_links_on_the_page_of_a_draft_lead_somewhere(client: Client, hall: Hall, format: str) -> None:
    stage = stages.create(hall.contest, hall.ada, stages.Wish("Cup", format))
    found = tags(client.get(stage.get_absolute_url()).content.decode(), "a")
    pages = {link["href"].partition("#")[0] for link in found if link.get("href", "").startswith("/c/")}
    assert {page: status for page in pages if (status := client.get(page).status_code) >= 400} == {}


class TestAStartInThePast:
    """It is taken only if its organiser says so, and nothing else is."""

    @pytest.mark.parametrize(
        ("format", "name"),
        [("swiss", "starts_at"), ("ladder", "starts_at"), ("swiss", "check_in_closes_at"), ("ladder", "ends_at")],
    )
    def test_of_a_new_stage(self, client: Client, hall: Hall, format: str, name: str) -> None:
        page = reverse("desk-stage-new", args=[hall.contest.slug]) + f"?format={format}"
        typed = submitted(client.get(page).content.decode())
        typed[name] = [f"{timezone.localtime() - timedelta(hours=1):{LOCAL}}"]
        answer = client.post(page, typed)
        assert set(answer.context["form"].errors) == ({name, "at_once"} if name == "starts_at" else {name})
        can_say_so = "at_once" in submitted(answer.content.decode().replace("checkbox", "text"))
        client.post(page, {**typed, "at_once": ["on"]})
        assert can_say_so == Stage.objects.exists() == (name == "starts_at")

    def test_one_that_has_passed_meanwhile_stops_no_other_change(self, client: Client, hall: Hall) -> None:
        stage = hall.stage(start=False)
        Stage.objects.filter(pk=stage.pk).update(starts_at=timezone.now() - timedelta(hours=1))
        page = reverse("desk-stage-edit", args=[hall.contest.slug, stage.pk])
        typed = submitted(client.get(page).content.decode())
        assert client.post(page, {**typed, "name": "Renamed"}).status_code == 302

    def test_by_the_api(self, client: Client, hall: Hall) -> None:
        sent = {"format": "swiss", "name": "Late", "starts_at": (timezone.now() - timedelta(hours=1)).isoformat()}
        address = f"/api/v1/contests/{hall.contest.slug}/desk/stages"
        refused = client.post(address, sent, content_type="application/json").json()
        assert {error["field"] for error in refused["errors"]} == {"starts_at", "at_once"}, "what would make it right"
        assert client.post(address, {**sent, "at_once": True}, content_type="application/json").status_code == 201


def test_all_teams_are_said_to_play_only_before_the_start(hall: Hall) -> None:
    stage = hall.stage(start=False)
    before = stage_tags.entry_count(stage)
    stages.start(stage, hall.ada)
    stage.refresh_from_db()
    assert (before, stage_tags.entry_count(stage)) == (stage_tags.entry_words(stage), "4 teams")


@pytest.mark.parametrize("game", sorted(games.GAMES))
def test_a_position_shows_the_cards_that_it_asks_about(game: str) -> None:
    match = any_match(games.get(game))
    record = match.record.loaded()
    for pick in range(8):
        position = front.hardest(match, record, pick)
        if position is not None:
            held = sum(len(suit) for suit in position.decides.suits)
            assert position.legal <= held
