"""contest.shared_pages and contest/server/web/shared.py: pages for strangers, made once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from contest import leaving
from contest.models import Announcement, Contest, User
from tests.cast import Cast, make_cast
from tests.copies import Copies
from tests.tournaments.visitors import CHANCE, MOMENT

pytestmark = [pytest.mark.long("more"), pytest.mark.django_db]


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def copies() -> Iterator[Copies]:
    served = Copies()
    yield served
    served.close()


def test_a_page_is_made_once_until_something_changes(cast: Cast, copies: Copies) -> None:
    page = cast.contest.get_absolute_url()
    copies.look()
    first = copies.ask(page)
    copies.look()
    for extra in ("", "?utm_source=letter&fbclid=1234"):
        again = copies.ask(page + extra)
        assert (again.status, again.body, again.headers["etag"]) == (200, first.body, first.headers["etag"])
    assert copies.asked == 1
    Announcement.objects.create(contest=cast.contest, text="Lunch at noon", posted_by=cast.olga)
    copies.commit()
    copies.look()
    assert "Lunch at noon" in copies.ask(page).text
    assert copies.asked == 2


def test_it_is_what_the_portal_answers(cast: Cast, copies: Copies) -> None:
    for name in ("contest", "standings", "matches", "teams"):
        page = reverse(name, args=[cast.contest.slug])
        copies.look()
        direct = Client().get(page)
        copy = copies.ask(page)
        assert steady(copy.text) == steady(direct.content.decode())
        for header in ("Content-Security-Policy", "X-Frame-Options", "Content-Type", "Permissions-Policy"):
            assert copy.headers[header.lower()] == direct[header]


def steady(text: str) -> str:
    """A page without the times that the next minute changes."""
    return MOMENT.sub(r"\1", CHANCE.sub("", text))


@pytest.mark.parametrize(
    "headers",
    [
        {"cookie": f"{settings.SESSION_COOKIE_NAME}=x"},
        {"cookie": f"csrftoken=a; {settings.SESSION_COOKIE_NAME}=x"},
        {"cookie": "messages=W10"},
        {"authorization": "Bearer x"},
        {"hx_request": "true"},
        {"x_forwarded_proto": "gopher"},
    ],
)
def test_who_may_have_an_answer_of_their_own_gets_no_copy(cast: Cast, copies: Copies, headers: dict[str, str]) -> None:
    page = cast.contest.get_absolute_url()
    for _ in range(2):
        assert "etag" not in copies.ask(page, **headers).headers
    assert copies.asked == 2


def test_a_member_never_fills_a_copy(cast: Cast, copies: Copies) -> None:
    page, client = cast.contest.get_absolute_url(), Client()
    client.force_login(cast.olga)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    copies.look()
    assert "Log out" in copies.ask(page, cookie=f"{settings.SESSION_COOKIE_NAME}={session}").text
    stranger = copies.ask(page, cookie="csrftoken=abcdef; theme=dark")
    assert "Log out" not in stranger.text
    assert "Log in" in stranger.text
    assert "set-cookie" not in stranger.headers


def test_names_of_people_who_leave_are_gone(cast: Cast, copies: Copies) -> None:
    team = cast.contest.teams.first()
    assert team is not None
    page = reverse("team", args=[cast.contest.slug, team.pk])
    person = team.people()[0].user
    copies.look()
    assert str(person) in copies.ask(page).text
    leaving.delete(person)
    copies.commit()
    copies.look()
    assert str(person.username) not in copies.ask(page).text


def test_without_redis_pages_still_come(cast: Cast) -> None:
    alone = Copies(url="unix:///nowhere/redis.sock")
    try:
        page = cast.contest.get_absolute_url()
        alone.look()
        assert alone.ask(page).status == 200
        alone.look()
        assert alone.ask(page).status == 200
        assert alone.asked == 1
    finally:
        alone.close()


def session_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


@pytest.mark.parametrize("who", ["alice", "bob", "ada", "judy", "root"])
def test_those_of_teams_and_organisers_are_not(cast: Cast, copies: Copies, who: str) -> None:
    page = f"{reverse('standings', args=[cast.contest.slug])}?rev=old"
    cookie = session_of(getattr(cast, who))
    for count in (1, 2, 3):
        copies.look()
        assert "etag" not in copies.ask(page, hx_request="true", cookie=cookie).headers
        assert copies.asked == count


def test_a_bystander_of_a_private_contest_is_told_nothing_by_copies(cast: Cast, copies: Copies) -> None:
    page = reverse("standings", args=[cast.contest.slug])
    cookie = session_of(cast.zoe)
    copies.ask(f"{page}?rev=old", hx_request="true", cookie=cookie)
    Contest.objects.filter(pk=cast.contest.pk).update(visibility=Contest.Visibility.PRIVATE)
    copies.commit()
    copies.look()
    assert copies.ask(f"{page}?rev=old", hx_request="true", cookie=cookie).status == 404
