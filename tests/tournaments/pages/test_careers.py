"""The pages of people and of teams across contests: what they show, to whom, and what it costs."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from contest import clubs, contests
from contest.models import Contest, Membership, Team, User
from tests.tournaments.stagecraft import Hall
from tests.tournaments.worlds import play_on
from tournaments.organising import releases

pytestmark = [pytest.mark.long("more"), pytest.mark.django_db]


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
    assert person_page(user, user)[0] == 200


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
