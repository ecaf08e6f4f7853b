"""Teams' own programs: tokens, addresses, what people see of them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client as Browser
from django.urls import reverse
from django.utils import timezone

from contest import contests
from contest import teams as team_actions
from contest.models import Act, Team
from contest.refusal import Refused
from tests.cast import Cast, make_cast, make_contest, make_team
from tournaments.clock import periodic
from tournaments.models import Client, Match
from tournaments.organising import stages
from tournaments.playing import play
from tournaments.seating import programs, queue

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(game="barracuda", preset="open", live=True, options={"games_to_win": 1, "target": 3})


def connect(team: Team, address: str = "10.2.88.12") -> None:
    client, now = programs.of(team), timezone.now()
    client.connected_since, client.connected_from = now - timedelta(minutes=3), address
    client.seen_at = now + timedelta(hours=1)  # however slow this machine is, it is not silent in the middle of a test
    client.save()


def page_of(browser: Browser, team: Team, **query: object) -> str:
    answer = browser.get(team.get_absolute_url(), query)
    assert answer.status_code == 200
    return answer.text


class TestDeeds:
    def test_an_address_of_two_teams_is_nobodys(self, cast: Cast) -> None:
        for team in (cast.aces, cast.clubs):
            programs.set_address(team, cast.ada, "10.0.0.1")
        assert programs.neighbours(programs.of(cast.aces)) == 1
        team_actions.disqualify(cast.clubs, cast.ada, "It cheats.")
        assert programs.neighbours(programs.of(cast.aces)) == 0

    @pytest.mark.parametrize("state", ["approved", "withdrawn", "disqualified"])
    def test_nobody_takes_anothers_address_away(self, cast: Cast, state: str) -> None:
        """It would identify neither, and a program that cannot send a token would be disconnected in the middle of a
        match. A team that waits or has left may come back without anybody checking addresses."""
        rival = make_team(make_contest(game="barracuda", preset="open", live=True))
        captain = rival.people().get().user
        programs.set_address(cast.aces, cast.alice, "10.0.0.1")
        Team.objects.filter(pk=cast.aces.pk).update(state=state)
        if state == "disqualified":
            programs.set_address(rival, captain, "10.0.0.1")
            return
        for team, by in ((rival, captain), (cast.clubs, cast.carl)):
            with pytest.raises(Refused):
                programs.set_address(team, by, "::ffff:10.0.0.1")
            assert programs.of(team).address is None
        programs.set_address(cast.clubs, cast.ada, "10.0.0.1")
        assert programs.of(cast.clubs).address == "10.0.0.1"
        contests.end(cast.contest, cast.ada, "Everything is played.")
        programs.set_address(rival, captain, "10.0.0.1")

    def test_the_audit_log_mentions_a_new_token_without_showing_it(self, cast: Cast) -> None:
        before = programs.of(cast.aces).token
        programs.renew_token(cast.aces, cast.alice)
        after = programs.of(cast.aces).token
        assert after != before
        act = Act.objects.get(verb="renew token of program")
        assert after not in str(act.data) + act.reason + act.target


class TestThePage:
    def test_a_judge_sees_what_went_wrong_and_is_given_no_token_to_play_with(self, cast: Cast, client: Browser) -> None:
        connect(cast.aces)
        Client.objects.filter(team=cast.aces).update(error="sent something that is not JSON", address="10.9.9.9")
        client.force_login(cast.judy)
        text = page_of(client, cast.aces)
        for words in ("10.2.88.12", "10.9.9.9", "not JSON"):
            assert words in text
        assert programs.of(cast.aces).token not in text
        answer = client.post(reverse("program-token", args=[cast.contest.slug, cast.aces.pk]))
        assert answer.status_code == 403

    def test_an_organiser_has_the_token_until_he_looks_as_the_public(self, cast: Cast, client: Browser) -> None:
        connect(cast.aces)
        client.force_login(cast.olga)
        assert programs.of(cast.aces).token in page_of(client, cast.aces)
        text = page_of(client, cast.aces, **{"as": "public"})
        for words in (programs.of(cast.aces).token, "10.2.88.12"):
            assert words not in text

    def test_a_member_sets_the_address_and_renews_the_token(self, cast: Cast, client: Browser) -> None:
        client.force_login(cast.alice)
        before = programs.of(cast.aces).token
        address = reverse("program-address", args=[cast.contest.slug, cast.aces.pk])
        for typed in ("10.1.1.1", "here"):
            client.post(address, {"address": typed})
            assert programs.of(cast.aces).address == "10.1.1.1"
        text = client.post(reverse("program-token", args=[cast.contest.slug, cast.aces.pk]), follow=True).text
        assert before not in text
        assert programs.of(cast.aces).token in text


def test_workers_are_not_woken_for_matches_of_the_contest_server(cast: Cast) -> None:
    connect(cast.aces)
    connect(cast.clubs)
    stages.start(stages.create(cast.contest, None, stages.Wish("Ladder", "ladder")), None)
    assert Match.objects.get().live
    periodic.wake_workers(timezone.now())
    assert queue.waiting() == 0
    assert play.play_next() is None, "a worker does not take it either"
