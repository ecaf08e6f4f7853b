"""contest.shared_pages and contest/server/web/shared.py: pages for strangers, made once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from contest import leaving, shared_pages
from contest.models import Announcement, Contest, Membership, User
from contest.server.complaints import Complaints
from contest.server.web import shared as web
from contest.server.web.copies import Shelf, copy_of, takes, unpacked
from contest.server.web.pace import QUICK, Pace
from contest.server.web.store import Store
from tests import loops
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


def test_another_process_takes_the_copy_over(cast: Cast, copies: Copies) -> None:
    page, other = cast.contest.get_absolute_url(), Copies()
    try:
        copies.look()
        first = copies.ask(page)
        for each in (other, other):
            each.look()
            other.shared.pace.stretch = 1.0
            assert each.ask(page).body == first.body
        assert other.asked == 0
    finally:
        other.close()


def test_etags_and_compression(cast: Cast, copies: Copies) -> None:
    page = reverse("standings", args=[cast.contest.slug])
    copies.look()
    plain = copies.ask(page)
    assert "content-encoding" not in plain.headers
    for offered, encoding in (("gzip, deflate, br", "br"), ("gzip", "gzip"), ("br;q=0, gzip", "gzip")):
        packed = copies.ask(page, accept_encoding=offered)
        assert packed.headers["content-encoding"] == encoding
        assert packed.body == plain.body
        assert packed.headers["etag"] == plain.headers["etag"]
    assert {"Cookie", "Accept-Encoding"} <= set(plain.headers["vary"].split(", "))
    assert plain.headers["cache-control"] == "no-cache"
    copies.look()
    known = copies.ask(page, if_none_match=f'"other", {plain.headers["etag"]}')
    assert (known.status, known.body) == (304, b"")
    head = copies.ask(page, "HEAD")
    assert (head.status, head.body, head.headers["content-length"]) == (200, b"", str(len(plain.body)))
    assert not [name for name in plain.headers if name.startswith("kibitz-")]


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


def test_live_parts_are_nothing_new_without_asking_the_portal(cast: Cast, copies: Copies) -> None:
    page = cast.contest.get_absolute_url()
    copies.look()
    copies.shared.pace.seconds = 8.0
    part = copies.ask(f"{page}?rev=old", hx_request="true")
    assert (part.status, part.headers["kibitz-pace"]) == (200, "8.0")
    copies.shared.pace.seconds = QUICK
    revision = f"{Contest.objects.get(pk=cast.contest.pk).public_revision}p"
    copies.look()
    assert copies.ask(f"{page}?rev={revision}", hx_request="true").status == 204
    assert copies.ask(f"{page}?rev=another", hx_request="true").body == part.body
    assert copies.asked == 1
    cast.contest.touch()
    copies.look()
    assert copies.ask(f"{page}?rev={revision}", hx_request="true").status == 200


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


def test_strangers_behind_a_proxy_get_copies(cast: Cast, copies: Copies) -> None:
    """Caddy and Apache say more than nginx. None of it may be in a copy."""
    said = {"x_forwarded_host": "elsewhere.example", "x_forwarded_port": "99", "forwarded": "host=elsewhere.example"}
    page = cast.contest.get_absolute_url()
    first = copies.ask(page, x_forwarded_for="192.0.2.1", x_forwarded_proto="https", via="1.1 Caddy", **said)
    again = copies.ask(page, x_forwarded_for="192.0.2.7", x_forwarded_proto="https")
    assert (copies.asked, first.body) == (1, again.body)
    assert "elsewhere" not in first.text


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


@pytest.mark.parametrize(
    "query",
    [
        "?odd=1",
        "?page=1&page=2",
        "?rev=1&rev=2",
        "?page=1e9",
        f"?page={'9' * 40}",
        "?stage=%00",
        "?as=public",
        "?" + "&" * 400,
    ],
)
def test_odd_queries_have_no_copies(cast: Cast, copies: Copies, query: str) -> None:
    page = reverse("standings", args=[cast.contest.slug])
    copies.ask(page + query, hx_request="true" if "rev" in query else "")
    assert len(copies.shared.shelf) == 0


def test_the_order_of_a_query_is_the_same_page(cast: Cast, copies: Copies) -> None:
    page = reverse("matches", args=[cast.contest.slug])
    copies.look()
    copies.ask(f"{page}?state=done&page=1")
    copies.look()
    copies.ask(f"{page}?page=1&state=done")
    assert copies.asked == 1


def test_the_time_zone_of_a_stranger(cast: Cast, copies: Copies) -> None:
    page = cast.contest.get_absolute_url()
    copies.look()
    told = {
        zone: copies.ask(page, cookie=f'zone="{zone}"').text for zone in ("Asia/Tokyo", "America/Lima", "Nowhere/X")
    }
    assert "Asia/Tokyo" in told["Asia/Tokyo"]
    assert len(set(told.values())) == 3
    copies.look()
    assert copies.ask(page).text == told["Nowhere/X"]
    assert copies.asked == 3


def test_pages_with_a_form_are_made_for_each(cast: Cast, copies: Copies) -> None:
    """They have a secret of their own (CSRF). The copy is given up, and nobody gets another one's."""
    page = reverse("rules", args=[cast.contest.slug])
    copies_of_it = [copies.ask(page) for _ in range(2)]
    assert all("etag" not in each.headers for each in copies_of_it)


def test_what_is_missing_has_no_copy(cast: Cast, copies: Copies) -> None:
    for number in range(5):
        assert copies.ask(f"/m/{1000 + number}/").status == 404
    assert len(copies.shared.shelf) == 0


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


def test_a_cache_that_is_away_is_told_and_so_is_its_return() -> None:
    said: list[str] = []
    store = Store("unix:///nowhere/redis.sock", "tests", Complaints(lambda _, line: said.append(line)))

    async def ask() -> None:
        await store.take(b"page")
        store.url, store._client = settings.CACHE_URL, None
        for _ in range(100):  # on a busy machine, an answer may take longer than the store waits
            if len(said) == 1:
                store.away_until = 0.0
                await store.take(b"page")
        await store.client.aclose()

    loops.run(ask())
    first, second = said
    assert first.startswith("each process of the web server makes its own copies of pages: ")
    assert second.startswith("again well after ")


def test_a_copy_that_is_not_right_is_sent_for_a_moment_and_no_longer(cast: Cast) -> None:
    served = Copies(exact=False)
    try:
        page = cast.contest.get_absolute_url()
        served.look()
        served.ask(page)
        served.look()
        Contest.objects.filter(pk=cast.contest.pk).update(name="Another name")
        served.commit()
        copy = next(iter(served.shared.shelf._kept.values()))
        served.look()
        assert served.shared._is_hard(copy)
        assert served.shared._may_stay(copy, copy.right_at + 0.9)
        served.shared.pace.stretch = 10.0
        assert not served.shared._may_stay(copy, copy.right_at + 1.1), "names are never stretched"
        copy.right_at = 0.0
        assert "Another name" in served.ask(page).text
    finally:
        served.close()


def test_plans_have_a_bound() -> None:
    shelf = Shelf(100_000)
    for number in range(100):
        page = copy_of(200, [(b"content-type", b"text/html")], b"x" * 5000, {"a:1": "1"}, "", 1.0, 0.1)
        shelf.put(str(number).encode(), page)
        assert shelf.size <= 100_000
    assert len(shelf) > 10
    assert shelf.get(b"99") is not None


def test_what_travels_between_processes() -> None:
    copy = copy_of(200, [(b"content-type", b"text/html")], b"queen " * 500, {"public:1": "7p"}, "7p", 12.5, 0.1)
    assert unpacked(copy.packed()) == copy
    for damaged in (b"", b"{}", copy.packed()[:-1], b"[]\n", b'{"sizes": 3}\n'):
        assert unpacked(damaged) is None


@pytest.mark.parametrize(
    ("offered", "encoding", "yes"),
    [
        (b"br", b"br", True),
        (b"*", b"br", True),
        (b"br;q=0", b"br", False),
        (b"gzip", b"br", False),
        (b"", b"gzip", False),
    ],
)
def test_what_clients_take(offered: bytes, encoding: bytes, yes: bool) -> None:
    assert takes(offered, encoding) is yes


def test_the_pace_slows_down_with_the_crowd_and_comes_back() -> None:
    pace = Pace()
    for _ in range(12):
        pace._since -= 1.0
        pace._polls = int(3000 / pace.seconds)
        pace.tick()
    assert 8 < pace.seconds < 16
    for _ in range(12):
        pace._since -= 1.0
        pace.tick()
    assert pace.seconds < QUICK + 0.1


def test_every_address_is_one_of_ours(cast: Cast) -> None:
    assert web.LIFE <= 10
    for address in (
        "/accounts/login/",
        "/admin/",
        f"/c/{cast.contest.slug}/desk/",
        "/api/v1/contests",
        "/zone/",
        "/play/",
    ):
        scope = {"method": "GET", "raw_path": address.encode(), "query_string": b"", "headers": [], "scheme": "http"}
        assert shared_pages.plan(scope) is None


def session_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def test_live_parts_of_bystanders_are_copies(cast: Cast, copies: Copies) -> None:
    page = f"{reverse('standings', args=[cast.contest.slug])}?rev=old"
    zoe = session_of(cast.zoe)
    copies.look()
    own = copies.ask(page, hx_request="true", cookie=zoe)
    assert "kibitz-reads" not in own.headers
    copies.look()
    stranger = copies.ask(page, hx_request="true")
    copies.look()
    copy = copies.ask(page, hx_request="true", cookie=zoe)
    assert copies.asked == 2
    assert own.body == stranger.body == copy.body
    assert "Log out" in copies.ask(page.split("?", maxsplit=1)[0], cookie=zoe).text, "a whole page is theirs"


@pytest.mark.parametrize("who", ["alice", "bob", "ada", "judy", "root"])
def test_those_of_teams_and_organisers_are_not(cast: Cast, copies: Copies, who: str) -> None:
    page = f"{reverse('standings', args=[cast.contest.slug])}?rev=old"
    cookie = session_of(getattr(cast, who))
    for count in (1, 2, 3):
        copies.look()
        assert "etag" not in copies.ask(page, hx_request="true", cookie=cookie).headers
        assert copies.asked == count


def test_who_joins_a_team_has_parts_of_their_own_again(cast: Cast, copies: Copies) -> None:
    page = reverse("standings", args=[cast.contest.slug])
    cookie = session_of(cast.zoe)
    copies.ask(f"{page}?rev=old", hx_request="true", cookie=cookie)
    Membership.objects.create(team=cast.aces, contest=cast.contest, user=cast.zoe)
    copies.ask(page, cookie=cookie)
    assert "etag" not in copies.ask(f"{page}?rev=old", hx_request="true", cookie=cookie).headers


def test_a_bystander_of_a_private_contest_is_told_nothing_by_copies(cast: Cast, copies: Copies) -> None:
    page = reverse("standings", args=[cast.contest.slug])
    cookie = session_of(cast.zoe)
    copies.ask(f"{page}?rev=old", hx_request="true", cookie=cookie)
    Contest.objects.filter(pk=cast.contest.pk).update(visibility=Contest.Visibility.PRIVATE)
    copies.commit()
    copies.look()
    assert copies.ask(f"{page}?rev=old", hx_request="true", cookie=cookie).status == 404


def test_pages_of_members_give_their_turn_back(cast: Cast, copies: Copies) -> None:
    cookie = session_of(cast.alice)
    for page in (cast.contest.get_absolute_url(), "/m/99999/", reverse("standings", args=[cast.contest.slug])):
        for _ in range(web.OWN_AT_ONCE + 1):
            assert copies.ask(page, cookie=cookie).status in (200, 404)
    assert copies.shared._own.free == web.OWN_AT_ONCE
