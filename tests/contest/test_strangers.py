"""contest.strangers: pages for those who are not logged in, made once for all of them."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

import pytest
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import reverse

from contest import leaving, strangers, turns
from contest.models import Contest
from tests.cast import Cast
from tests.copies import Copies, scope_of

pytestmark = [pytest.mark.promise, pytest.mark.django_db]

SESSION = settings.SESSION_COOKIE_NAME


@pytest.fixture
def copies() -> Copies:
    return Copies()


def test_a_page_is_made_once_a_second_while_results_come_in(cast: Cast, copies: Copies) -> None:
    page = cast.contest.get_absolute_url()
    revisions = []
    for asked in (1, 1, 2, 2):
        if asked > copies.asked > 0:
            copies.later()
        cast.contest.touch()
        revisions.append(copies.ask(page).body)
        assert copies.asked == asked
    assert revisions[0] == revisions[1] != revisions[2] == revisions[3]


def test_nobody_is_shown_what_is_older_than_a_second(cast: Cast, copies: Copies) -> None:
    page = cast.contest.get_absolute_url()
    assert copies.ask(page).status == 200
    Contest.objects.update(visibility=Contest.Visibility.PRIVATE)
    copies.now += 0.99
    assert copies.ask(page).status == 200
    copies.now += 0.01
    assert [copies.ask(page).status for _ in range(2)] == [404, 404]
    assert copies.asked == 3, "what is not there is not kept"


def test_its_age_counts_from_when_it_began_to_be_made(cast: Cast, copies: Copies) -> None:
    page = cast.contest.get_absolute_url()
    copies.meanwhile = copies.later
    for asked in (1, 2):
        copies.ask(page)
        assert copies.asked == asked


def test_nor_does_a_clock_that_is_set_back_keep_it(cast: Cast, copies: Copies) -> None:
    page = cast.contest.get_absolute_url()
    copies.ask(page)
    Contest.objects.update(visibility=Contest.Visibility.PRIVATE)
    copies.now -= 3600
    assert copies.ask(page).status == 404


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
        assert "s-maxage=1" in headers["Cache-Control"]
        assert {"Cookie", "Authorization", "HX-Request", "Accept-Encoding"} <= {*re.split(", *", headers["Vary"])}


@pytest.mark.parametrize("address", ["/", "/c/a/", "/c/a/matches/", "/c/a/bracket/1/poster/", "/m/1/", "/m/1/2/7/"])
def test_nginx_lets_readers_wait_only_for_what_it_may_keep(address: str) -> None:
    (kept,) = re.findall(r'"~(.+)" "";', (settings.BASE_DIR / "docker" / "nginx.conf").read_text())
    assert strangers.PAGES.fullmatch(address)
    assert re.search(kept, address)
    for other in ("healthz", "readyz", "accounts/login/", "api/v1/contests", "c/a/rules/"):
        assert not re.search(kept, f"/{other}")


@pytest.mark.parametrize(
    ("query", "headers"),
    [
        ("", {"cookie": f"{SESSION}=x"}),
        ("", {"cookie": f"csrftoken=a; {SESSION}=x"}),
        ("", {"cookie": f"{settings.MESSAGES_COOKIE_NAME}=W10"}),
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


def test_polls_share_an_answer_whatever_they_know(cast: Cast, copies: Copies) -> None:
    def poll(revision: str) -> int:
        return copies.ask(f"{page}?rev={revision}", hx_request="true").status

    page = reverse("standings", args=[cast.contest.slug])
    cast.contest.refresh_from_db()
    newest = f"{cast.contest.public_revision}p"
    for asked in (1, 2):
        for known, status in ((newest, 204), ("0p", 200), (newest, 204), ("old", 200)):
            assert poll(known) == status
        assert copies.asked == asked
        copies.later()
    cast.contest.touch()
    assert poll(newest) == 200


def test_who_has_seen_news_is_never_shown_what_was_before(cast: Cast) -> None:
    """Two processes that know nothing of each other."""
    page = cast.contest.get_absolute_url()
    behind, ahead = Copies(), Copies()
    behind.ask(f"{page}?rev=0p", hx_request="true")
    cast.contest.touch()
    news = ahead.ask(f"{page}?rev=0p", hx_request="true").text
    cast.contest.refresh_from_db()
    known = f"{cast.contest.public_revision}p"
    assert f"rev={known}" in news
    assert behind.ask(f"{page}?rev={known}", hx_request="true").status == 204


def test_a_page_never_tells_a_revision_that_is_newer_than_its_content(cast: Cast, copies: Copies) -> None:
    page = cast.contest.get_absolute_url()
    cast.contest.refresh_from_db()
    before = cast.contest.public_revision
    copies.meanwhile = cast.contest.touch
    for _ in range(2):
        assert f"rev={before}p" in copies.ask(f"{page}?rev=0p", hx_request="true").text
        copies.meanwhile = lambda: None
    assert copies.ask(f"{page}?rev={before}p", hx_request="true").status == 204
    copies.later()
    assert copies.ask(f"{page}?rev={before}p", hx_request="true").status == 200


def test_a_member_never_fills_a_copy(cast: Cast, copies: Copies) -> None:
    page, client = cast.contest.get_absolute_url(), Client()
    client.force_login(cast.olga)
    assert "Log out" in copies.ask(page, cookie=f"{SESSION}={client.cookies[SESSION].value}").text
    stranger = copies.ask(page, cookie=f"csrftoken={'a' * 32}; theme=dark")
    assert "Log out" not in stranger.text
    assert "Set-Cookie" not in stranger.headers


def test_the_portal_learns_nothing_about_who_asks_for_what_others_get(cast: Cast, copies: Copies) -> None:
    own = {"cookie": "csrftoken=a", "x_forwarded_for": "192.0.2.1", "accept_language": "de", "if_none_match": '"a"'}
    copies.ask(cast.contest.get_absolute_url(), accept_encoding="br, gzip", hx_request="maybe", referer="/m/1/", **own)
    assert copies.told == {b"host": b"testserver", b"accept-encoding": b"gzip"}


def served(page: Callable[[HttpRequest], Awaitable[HttpResponse]]) -> strangers.Strangers:
    async def portal(scope: strangers.Scope, receive: strangers.Receive, send: strangers.Send) -> None:
        await receive()
        response = await turns.middleware(page)(ASGIRequest(scope, BytesIO()))
        await send({"type": "http.response.start", "status": response.status_code, "headers": []})

    return strangers.Strangers(portal)


async def ask(
    front: strangers.Strangers, path: str, method: str = "GET", sent: asyncio.Event | None = None, **headers: str
) -> int:
    answers = asyncio.Queue[Mapping[str, Any]]()

    async def receive() -> Mapping[str, Any]:
        if sent:
            await sent.wait()
        return {"type": "http.request"}

    await front(scope_of(path, **headers) | {"method": method}, receive, answers.put)
    return int(answers.get_nowait()["status"])


def happens(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    with ThreadPoolExecutor(1) as thread:  # a browser of another test may have a loop in this one
        thread.submit(asyncio.run, story()).result()


def test_whoever_is_busy_or_slow_keeps_no_stranger_waiting() -> None:
    """Members whom the portal works for, and people who never finish what they send."""
    busy: list[HttpRequest] = []

    async def page(request: HttpRequest) -> HttpResponse:
        if request.path == "/c/":
            busy.append(request)
            await done.wait()
        return HttpResponse()

    async def story() -> None:
        asked = [asyncio.create_task(ask(front, "/c/", **member)) for _ in range(10)]
        asked += [asyncio.create_task(ask(front, "/upload/", sent=done, **own)) for own in (member, {}) * 10]
        assert await asyncio.create_task(ask(front, "/static/portal.css")) == 200
        assert await asyncio.create_task(ask(front, "/upload/", "POST", **member)) == 200
        asked += [asyncio.create_task(ask(front, "/c/", "HEAD", **member)) for _ in range(2)]
        assert 0 < len(busy) < 10
        asked += [asyncio.create_task(ask(front, "/c/")) for _ in range(10)]
        await others_go_on()
        assert await asyncio.create_task(ask(front, "/healthz")) == 200
        assert await ask(front, "/c/?rev=1", hx_request="true", **member) == 204, "it comes again"
        asked += [asyncio.create_task(ask(front, "/c/", **member)) for _ in range(strangers.LINE)]
        await others_go_on()
        assert await ask(front, "/c/", sec_fetch_mode="navigate", **member) == 503, "it comes again, too"
        assert await ask(front, "/c/a/desk/", sec_fetch_mode="navigate", **member) == 200, "organisers do not"
        asked.append(asyncio.create_task(ask(front, "/c/?rev=1", "POST", hx_request="true", **member)))
        done.set()
        assert await asyncio.gather(*asked) == [200] * len(asked)

    member = {"cookie": f"{SESSION}=x"}
    front, done = served(page), asyncio.Event()
    happens(story)


async def others_go_on() -> None:
    """Let everything that is ready have its turn in the loop."""
    ready = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_soon(ready.set_result, None)
    await ready


def test_who_leaves_keeps_the_turn_until_the_work_is_done() -> None:
    """Whatever the web server cancels, and however often."""

    async def story() -> None:
        async with ThreadSensitiveContext():
            request = ASGIRequest(scope_of("/c/") | {"turn": (turn := asyncio.Semaphore(1))}, BytesIO())
            asked = asyncio.create_task(turns.middleware(sync_to_async(lambda _: done.wait()))(request))
            for step in range(99):
                await others_go_on()
                if step % 40 == 20:
                    asked.cancel()
            was_given_back = not turn.locked()
            done.set()
            assert not was_given_back
            await turn.acquire()

    done = threading.Event()
    happens(story)


def test_names_of_people_who_leave_are_gone(cast: Cast, copies: Copies) -> None:
    team = cast.contest.teams.first()
    assert team is not None
    page = reverse("team", args=[cast.contest.slug, team.pk])
    person = team.people()[0].user
    assert str(person) in copies.ask(page).text
    leaving.delete(person)
    copies.later()
    assert str(person.username) not in copies.ask(page).text
