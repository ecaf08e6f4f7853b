"""The pages of people and of teams across contests: what they show, to whom, and what it costs."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import clubs, contests
from contest.models import Contest, Membership, Team, User
from tests.cast import make_contest, make_team, make_user
from tests.tournaments.stagecraft import Hall
from tests.tournaments.worlds import play_on
from tournaments.models import CasualGame, CasualSeat
from tournaments.organising import releases
from tournaments.view_models import careers

pytestmark = [pytest.mark.long("more"), pytest.mark.django_db]
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunte"


def captain(team: Team) -> User:
    return Membership.objects.get(team=team, is_captain=True).user


def person_page(user: User, by: User | None = None) -> tuple[int, str]:
    client = Client()
    if by:
        client.force_login(by)
    answer = client.get(reverse("person", args=[user.username]))
    return answer.status_code, answer.text


@pytest.fixture
def hall() -> Hall:
    """A bracket that the first team has won."""
    hall = Hall(4, name="Winter Cup")
    play_on(hall.stage(table_size=2, advance=1))
    return hall


def end(hall: Hall) -> None:
    contests.end(hall.contest, hall.ada, "It is over.")
    cache.clear()


def test_a_place_is_a_trophy_when_the_contest_has_ended(hall: Hall) -> None:
    first, *_, last = hall.teams
    assert "Champion" not in person_page(captain(first))[1]
    end(hall)
    status, text = person_page(captain(first))
    assert status == 200
    assert "<strong>Champion</strong>" in text
    assert "1 contest, 2 matches, 2 won" in text
    assert "Python" in text
    assert "OpenSkill rating in Winter Cup" in text
    assert "Champion" not in person_page(captain(last))[1]


def test_it_never_shows_a_name_or_an_address(hall: Hall) -> None:
    user = captain(hall.teams[0])
    User.objects.filter(pk=user.pk).update(first_name="Ada", last_name="Lovelace")
    text = person_page(user)[1]
    assert "Lovelace" not in text
    assert user.email not in text


def test_who_hides_their_page_sees_it_alone(hall: Hall) -> None:
    user, other = captain(hall.teams[0]), captain(hall.teams[1])
    team = hall.teams[0].get_absolute_url()
    link = f'href="{reverse("person", args=[user.username])}"'
    assert link in Client().get(team).text
    User.objects.filter(pk=user.pk).update(is_public=False)
    assert person_page(user)[0] == person_page(user, other)[0] == 404
    assert Client().get(reverse("person-picture", args=[user.username])).status_code == 404
    page = Client().get(team).text
    assert link not in page
    assert user.username in page
    status, text = person_page(user, user)
    assert status == 200
    assert "Only you see this page" in text


def test_who_is_unknown_gone_or_locked_has_no_page(hall: Hall) -> None:
    user = captain(hall.teams[0])
    User.objects.filter(pk=user.pk).update(is_active=False)
    unknown = Client().get(reverse("person", args=["nobody"]))
    assert person_page(user)[0] == unknown.status_code == 404


@pytest.mark.parametrize(
    "hidden",
    [
        {"visibility": Contest.Visibility.PRIVATE},
        {"visibility": Contest.Visibility.UNLISTED},
    ],
)
def test_contests_that_are_not_public_are_not_named(hall: Hall, hidden: dict) -> None:
    Contest.objects.filter(pk=hall.contest.pk).update(**hidden)
    for by in (None, hall.ada, captain(hall.teams[0])):
        text = person_page(captain(hall.teams[0]), by)[1].split("<main")[1]
        assert "Winter Cup" not in text
        assert hall.teams[0].name not in text
    assert "No public contest yet." in text


@pytest.mark.parametrize("state", [Team.State.PENDING, Team.State.REFUSED])
def test_teams_that_nobody_may_know_of_are_not_named(hall: Hall, state: str) -> None:
    Team.objects.filter(pk=hall.teams[0].pk).update(state=state)
    assert "Winter Cup" not in person_page(captain(hall.teams[0]))[1]


def test_a_freeze_hides_later_results_from_everybody(hall: Hall) -> None:
    other = Hall(2)
    stage = other.stage(table_size=2, games=1)
    releases.freeze(other.contest, other.ada)
    play_on(stage)
    other.contest.refresh_from_db()
    contests.end(other.contest, other.ada, "It is over.")
    user = captain(other.teams[0])
    for by in (None, other.ada, user):
        assert "1 contest, 0 matches, 0 won" in person_page(user, by)[1]
    other.contest.refresh_from_db()
    releases.lift(other.contest, other.ada)
    assert "1 contest, 1 match, 1 won" in person_page(user)[1]


def test_casual_games_only_if_they_wish_and_only_those_that_everybody_can_watch() -> None:
    user = make_user()
    over = {"state": CasualGame.State.OVER, "game_slug": "hearts", "preset": "open", "seed": 1}
    for more in ({}, {"private": True}, {"state": CasualGame.State.PLAYING}, {"lesson": True}):
        game = CasualGame.objects.create(**over | more, ended_at=timezone.now())
        CasualSeat.objects.create(game=game, index=0, kind=CasualSeat.Kind.PERSON, user=user, name=user.username)
    assert "Casual games" not in person_page(user)[1]
    client = Client()
    client.force_login(user)
    client.post(reverse("account"), {"is_public": "on", "shows_casual": "on"})
    assert len(re.findall(r'href="/play/\d', person_page(user)[1])) == 1


@pytest.fixture
def club(hall: Hall) -> tuple[Hall, Hall]:
    """The first two teams of a second contest are those of the first."""
    second = Hall(4, name="Summer Cup")
    for old, new in zip(hall.teams[:2], second.teams[:2], strict=True):
        Membership.objects.filter(team=new).update(user=captain(old))
        clubs.link(new, old, captain(old))
    play_on(second.stage(table_size=2, advance=1))
    end(second)
    return hall, second


def test_a_team_across_contests(club: tuple[Hall, Hall]) -> None:
    _, second = club
    team = second.teams[0]
    url = reverse("club", args=[team.club_id])
    assert url in Client().get(team.get_absolute_url()).text
    text = Client().get(url).text
    assert "Winter Cup" in text
    assert "Summer Cup" in text
    assert f'<h1 class="long">{team.name}' in text
    pair = reverse("club-pair", args=[team.club_id, second.teams[1].club_id])
    assert pair in text
    text = Client().get(pair).text
    assert "Summer Cup" in text
    assert Client().get(reverse("club-picture", args=[team.club_id])).content.startswith(b"\x89PNG")
    assert Client().get("/oembed", {"url": url}).json()["title"] == team.name


def test_a_hidden_team_across_contests(club: tuple[Hall, Hall]) -> None:
    team = club[1].teams[0]
    clubs.show(team, captain(team), public=False)
    pages = [
        reverse("club", args=[team.club_id]),
        reverse("club-picture", args=[team.club_id]),
        reverse("club-pair", args=[team.club_id, club[1].teams[1].club_id]),
        reverse("club-pair", args=[club[1].teams[1].club_id, team.club_id]),
    ]
    assert [Client().get(page).status_code for page in pages] == [404] * 4
    assert pages[0] not in Client().get(team.get_absolute_url()).text


def test_its_name_is_that_of_a_team_that_may_be_seen(club: tuple[Hall, Hall]) -> None:
    _, second = club
    team = second.teams[0]
    Team.objects.filter(pk=team.pk).update(name="Secret Aces")
    Contest.objects.filter(pk=second.contest.pk).update(visibility=Contest.Visibility.PRIVATE)
    text = Client().get(reverse("club", args=[team.club_id])).text
    assert "Secret Aces" not in text
    assert "Summer Cup" not in text
    Contest.objects.update(visibility=Contest.Visibility.PRIVATE)
    assert Client().get(reverse("club", args=[team.club_id])).status_code == 404


def many(user: User, count: int) -> None:
    owner = make_user()
    for number in range(count):
        contest = make_contest(owner, f"{LONG} {number}")
        make_team(contest, user, f"{LONG[:50]} {number}")
        now = timezone.now()
        Contest.objects.filter(pk=contest.pk).update(opens_at=now - timedelta(days=number), play_started_at=now)


def test_many_contests_cost_a_constant_number_of_queries(django_assert_max_num_queries: object) -> None:
    user = make_user()
    many(user, 3)
    person_page(user)
    counts = []
    for more in (0, 37):
        many(user, more)
        person_page(user)
        with django_assert_max_num_queries(8) as asked:  # type: ignore[operator]
            status, text = person_page(user)
        counts.append(len(asked))
        assert status == 200
    assert counts[0] == counts[1]
    assert "Page 1 of 2" in text


def test_what_takes_too_long_is_told_on_the_next_visit(monkeypatch: pytest.MonkeyPatch) -> None:
    user = make_user()
    many(user, 2)
    monkeypatch.setattr(careers, "SECONDS", -1.0)
    assert "2 contests still to calculate" in person_page(user)[1]
    monkeypatch.setattr(careers, "SECONDS", 9.0)
    assert "still to calculate" not in person_page(user)[1]
