"""The page of a person: what it shows, and to whom."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from contest import contests
from contest.models import Contest, Membership, Team, User
from tests.tournaments.stagecraft import Hall
from tests.tournaments.worlds import play_on

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


def test_it_lists_their_teams_and_places(hall: Hall) -> None:
    user, second = captain(hall.teams[0]), Hall(4, name="Summer Cup")
    Membership.objects.filter(team=second.teams[3]).update(user=user)
    play_on(second.stage(table_size=2, advance=1))
    assert "Champion" not in person_page(user)[1], "the contest goes on"
    for each in (hall, second):
        contests.end(each.contest, each.ada, "It is over.")
    rows = re.findall(r"<tr>.*?</tr>", person_page(user)[1], re.DOTALL)[1:]
    assert all(title in row for title, row in zip(("Summer Cup", "Winter Cup"), rows, strict=True))
    assert second.teams[3].get_absolute_url() in rows[0]
    assert "shared 3rd of 4" in rows[0]
    assert "Champion" in rows[1]


def test_who_hides_their_page_sees_it_alone(hall: Hall) -> None:
    user, other = captain(hall.teams[0]), captain(hall.teams[1])
    team = hall.teams[0].get_absolute_url()
    link = f'href="{reverse("person", args=[user.username])}"'
    assert link in Client().get(team).text
    User.objects.filter(pk=user.pk).update(is_public=False)
    assert person_page(user)[0] == person_page(user, other)[0] == 404
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
