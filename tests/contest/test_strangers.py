"""contest.strangers: pages for those who are not logged in, made once for all of them."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from contest import leaving, strangers
from contest.models import Contest
from tests.cast import Cast
from tests.copies import Copies

pytestmark = [pytest.mark.promise, pytest.mark.django_db]

SESSION = settings.SESSION_COOKIE_NAME


@pytest.fixture
def copies() -> Copies:
    return Copies()


def test_a_page_is_made_once_until_results_change(cast: Cast, copies: Copies) -> None:
    page = reverse("standings", args=[cast.contest.slug])
    first = copies.ask(page)
    copies.look()
    assert copies.ask(page).body == first.body
    assert copies.asked == 1
    cast.contest.touch()
    copies.ask(page)
    assert copies.asked == 1, "the revision is looked at twice a second"
    copies.look()
    copies.ask(page)
    assert copies.asked == 2


def test_it_is_what_the_portal_answers(cast: Cast, copies: Copies) -> None:
    for name in ("contest", "standings", "matches", "teams"):
        page = reverse(name, args=[cast.contest.slug])
        direct = Client().get(page)
        for _ in range(2):
            copy = copies.ask(page)
            assert copy.body == direct.content
            for header in ("Content-Security-Policy", "X-Frame-Options", "Content-Type", "Permissions-Policy"):
                assert copy.headers[header] == direct[header]
    assert copies.asked == 4


def test_a_proxy_keeps_for_a_second_what_we_keep(cast: Cast, copies: Copies) -> None:
    for _ in range(2):
        headers = copies.ask(reverse("standings", args=[cast.contest.slug])).headers
        assert headers["Cache-Control"] == strangers.PROXIES
        assert {"Cookie", "Authorization", "HX-Request", "Accept-Encoding"} <= {*re.split(", *", headers["Vary"])}


@pytest.mark.parametrize(
    ("query", "headers"),
    [
        ("", {"cookie": f"{SESSION}=x"}),
        ("", {"cookie": f"csrftoken=a; {SESSION}=x"}),
        ("", {"cookie": "messages=W10"}),
        ("", {"authorization": "Bearer x"}),
        ("?as=public", {}),
        ("?next=/c/", {}),
        ("?page=" + "1" * 300, {}),
    ],
)
def test_who_may_have_an_answer_of_their_own_gets_no_copy(
    cast: Cast, copies: Copies, query: str, headers: dict[str, str]
) -> None:
    page = reverse("standings", args=[cast.contest.slug])
    copies.ask(page)
    for _ in range(2):
        assert "s-maxage" not in copies.ask(page + query, **headers).headers.get("Cache-Control", "")
    assert copies.asked == 3


@pytest.mark.parametrize(
    ("query", "headers"),
    [
        ("?page=2", {}),
        ("?rev=1", {}),
        ("", {"hx_request": "true"}),
        ("", {"host": "localhost"}),
        ("", {"accept_encoding": "gzip"}),
    ],
)
def test_each_question_has_its_own_copy(cast: Cast, copies: Copies, query: str, headers: dict[str, str]) -> None:
    page = reverse("standings", args=[cast.contest.slug])
    copies.ask(page)
    for _ in range(2):
        copies.ask(page + query, **headers)
    assert copies.asked == 2


def test_a_poll_without_news_is_kept_by_its_revision(cast: Cast, copies: Copies) -> None:
    page = reverse("standings", args=[cast.contest.slug])
    cast.contest.refresh_from_db()
    newest = f"{cast.contest.public_revision}p"
    for revision, status, asked in ((newest, 204, 1), (newest, 204, 1), ("old", 200, 2), (newest, 204, 2)):
        assert copies.ask(f"{page}?rev={revision}", hx_request="true").status == status
        assert copies.asked == asked
    cast.contest.touch()
    copies.look()
    assert copies.ask(f"{page}?rev={newest}", hx_request="true").status == 200


def test_a_member_never_fills_a_copy(cast: Cast, copies: Copies) -> None:
    page, client = cast.contest.get_absolute_url(), Client()
    client.force_login(cast.olga)
    assert "Log out" in copies.ask(page, cookie=f"{SESSION}={client.cookies[SESSION].value}").text
    stranger = copies.ask(page, cookie=f"csrftoken={'a' * 32}; theme=dark")
    assert "Log out" not in stranger.text
    assert not stranger.cookies


def test_nothing_is_kept_that_sets_a_cookie_or_is_not_there(cast: Cast, copies: Copies) -> None:
    Contest.objects.update(visibility=Contest.Visibility.PRIVATE)
    for _ in range(2):
        assert copies.ask(cast.contest.get_absolute_url()).status == 404
    assert copies.asked == 2


def test_names_of_people_who_leave_are_gone(cast: Cast, copies: Copies) -> None:
    team = cast.contest.teams.first()
    assert team is not None
    page = reverse("team", args=[cast.contest.slug, team.pk])
    person = team.people()[0].user
    assert str(person) in copies.ask(page).text
    leaving.delete(person)
    copies.later()
    assert str(person.username) not in copies.ask(page).text
