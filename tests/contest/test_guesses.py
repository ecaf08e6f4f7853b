"""Guessing is hopeless and shuts nobody out: passwords, second factors, codes in links."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from axes.models import AccessAttempt, AccessLog
from django.conf import settings
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache.backends.locmem import LocMemCache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import guesses
from contest.models import ApiToken, Contest, User
from tests.cast import PASSWORD, Cast, make_user
from tests.contest.test_views import text_of

pytestmark = pytest.mark.promise

NOW = 1_800_000_000
LOGIN, TOO_MANY = "/accounts/login/", "Too many failed login attempts"


@pytest.fixture(autouse=True)
def same_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next code is not due between showing one and looking at it."""
    monkeypatch.setattr(auth, "time", SimpleNamespace(time=lambda: NOW))


def at(address: str) -> Client:
    """A browser at this address."""
    return Client(REMOTE_ADDR=address)


def try_password(client: Client, name: str = "ada", password: str = "wrong") -> Any:
    return client.post(LOGIN, {"login": name, "password": password})


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


# Passwords ------------------------------------------------------------------------------------------------------------


def test_a_rival_who_guesses_is_stopped_and_locks_nobody_else_out(cast: Cast) -> None:
    answers = [try_password(at("192.0.2.1")).status_code for _ in range(8)]
    assert answers == [200] * 4 + [429] * 4
    rival = at("192.0.2.1")
    try_password(rival, password=PASSWORD)
    assert not is_in(rival), "the right one is not looked at either"
    victim = at("198.51.100.7")
    try_password(victim, password=PASSWORD)
    assert is_in(victim), "from her own address"
    another = at("192.0.2.1")
    try_password(another, "olga", PASSWORD)
    assert is_in(another), "who shares the address logs in under another name"


def test_a_right_password_takes_the_wrong_ones_back(cast: Cast) -> None:
    for _ in range(3):
        for _ in range(4):
            try_password(at("192.0.2.1"))
        right = at("192.0.2.1")
        try_password(right, password=PASSWORD)
        assert is_in(right)


def test_user_name_and_address_of_one_account_count_as_one(cast: Cast) -> None:
    names = ["ada", "Ada@Example.org", "ADA ", "ada@example.org", "ada"]
    assert [try_password(at("192.0.2.1"), name).status_code for name in names] == [200] * 4 + [429]
    assert try_password(at("192.0.2.1"), "ada@example.org", PASSWORD).status_code == 429


def test_the_address_is_told_by_the_trusted_proxy_alone(cast: Cast, settings: Any) -> None:
    """The web server takes such headers away from everybody who is no proxy (tests/contest/server/test_web.py)."""

    def try_through(forwarded: str) -> int:
        answer = Client(REMOTE_ADDR="127.0.0.1").post(
            LOGIN, {"login": "ada", "password": "wrong"}, headers={"X-Forwarded-For": forwarded}
        )
        return int(answer.status_code)

    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    invented = [try_through(f"203.0.113.{number}, 192.0.2.1") for number in range(6)]
    assert invented == [200] * 4 + [429] * 2, "what the client says of itself does not count"
    assert try_through("192.0.2.2") == 200
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 0
    assert [try_through(f"203.0.113.{number}") for number in range(6)] == [200] * 4 + [429] * 2


def test_a_provider_gives_one_customer_many_addresses_of_ipv6(cast: Cast) -> None:
    tried = [try_password(at(f"2001:db8:1:{number:x}::1")).status_code for number in range(6)]
    assert tried == [200] * 4 + [429] * 2
    assert try_password(at("2001:db8:9::1")).status_code == 200


def test_a_server_that_listens_for_both_counts_each_address_of_ipv4(cast: Cast) -> None:
    tried = [try_password(at(address)).status_code for address in ["::ffff:192.0.2.1", "192.0.2.1"] * 3]
    assert tried == [200] * 4 + [429] * 2
    assert try_password(at("::ffff:192.0.2.2")).status_code == 200


@pytest.mark.long("more")
def test_a_computer_room_logs_in_at_once_from_one_address_although_some_mistype(db: None) -> None:
    for number in range(60):
        make_user(f"pupil{number}")
    for number in range(60):
        pupil = at("192.0.2.1")
        for _ in range(number % 5):
            try_password(pupil, f"pupil{number}")
        try_password(pupil, f"pupil{number}", PASSWORD)
        assert is_in(pupil), number


@pytest.mark.long("more")
def test_guessing_at_many_names_from_one_address_is_slowed(cast: Cast) -> None:
    answers = [try_password(at("192.0.2.1"), f"name{number}").status_code for number in range(302)]
    assert answers == [200] * 300 + [429] * 2
    elsewhere = at("192.0.2.2")
    try_password(elsewhere, password=PASSWORD)
    assert is_in(elsewhere)


def test_people_log_in_while_redis_is_away_and_guesses_are_counted(
    cast: Cast, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CACHES = settings.CACHES | {
        "default": {**settings.CACHES["default"], "LOCATION": "unix:///nowhere.sock?db=1"}
    }
    monkeypatch.setattr(guesses.Counts, "away_until", 0.0)
    monkeypatch.setattr(guesses, "BY_ADDRESS", 2)
    assert [try_password(at("192.0.2.3")).status_code for _ in range(6)] == [200] * 4 + [429] * 2
    for client, name in ((at("192.0.2.4"), "ada"), (at("192.0.2.3"), "olga@example.org")):
        try_password(client, name, PASSWORD)
        assert is_in(client)
        assert client.get(reverse("account")).status_code == 200
    watching = reverse("spectate", args=[cast.contest.slug, "wrong"])
    assert [at("192.0.2.5").get(watching).status_code for _ in range(3)] == [404, 404, 429]
    LocMemCache("while Redis is away", {}).clear()


def test_nothing_that_was_typed_is_kept_and_old_attempts_are_forgotten(cast: Cast) -> None:
    typed = "my password, in the wrong field " + "ŉ" * 200
    assert try_password(at("192.0.2.1"), typed, "Some Secret").status_code == 200
    kept = repr(AccessAttempt.objects.values())
    assert "password, in" not in kept.lower()
    assert "secret" not in kept.lower()
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=11))
    try_password(at("192.0.2.9"), "ada", PASSWORD)
    assert not AccessAttempt.objects.exists()
    assert not AccessLog.objects.exists()


@pytest.mark.parametrize(("known", "unknown"), [("ada", "eve"), ("ADA", "EVE"), ("ada@example.org", "eve@example.org")])
def test_an_account_that_exists_takes_as_long_and_reads_the_same(
    cast: Cast, known: str, unknown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nearly all of the time goes into hashing passwords."""
    hashed = []
    encode = MD5PasswordHasher.encode

    def counted(*args: Any) -> Any:
        hashed.append(1)
        return encode(*args)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    told = []
    for name in (known, unknown):
        answers = [try_password(at("192.0.2.1"), name) for _ in range(7)]
        told.append([text_of(answer).replace(name, "") for answer in answers])
        assert len(hashed) == 5, "what is refused is not looked at"
        hashed.clear()
    assert told[0] == told[1]
    assert "not correct" in told[0][0]


# The administration ---------------------------------------------------------------------------------------------------


def test_the_administration_asks_for_the_second_factor(cast: Cast) -> None:
    secret = with_second(cast.root)
    client = at("192.0.2.1")
    assert try_password(client, "root", PASSWORD)["Location"] == reverse("mfa_authenticate")
    assert client.get("/admin/").status_code == 302
    client.post(reverse("mfa_authenticate"), {"code": code_now(secret)})
    assert client.get("/admin/").status_code == 200


# The second factor ----------------------------------------------------------------------------------------------------


def with_second(user: User) -> str:
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    assert Authenticator.objects.filter(user=user).exists()
    return secret


def code_now(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, NOW // 30))


def test_codes_of_the_second_factor_cannot_be_guessed(cast: Cast) -> None:
    secret = with_second(cast.ada)
    rival = at("203.0.113.1")
    try_password(rival, password=PASSWORD)  # they know the password
    answers = [text_of(rival.post(reverse("mfa_authenticate"), {"code": "12345x"})) for _ in range(8)]
    assert [TOO_MANY in answer for answer in answers] == [False] * 5 + [True] * 3
    rival.post(reverse("mfa_authenticate"), {"code": code_now(secret)})
    assert not is_in(rival), "the right one is not looked at either"


# Sessions and ways back -----------------------------------------------------------------------------------------------


def test_a_session_changes_its_name_at_the_log_in_and_with_the_password(cast: Cast) -> None:
    client, elsewhere = Client(), Client()
    client.get(reverse("spectate", args=[cast.contest.slug, "x"]))
    session = client.session
    session["watching"] = {}
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    before = session.session_key
    try_password(client, password=PASSWORD)
    after = client.session.session_key
    assert before != after
    fixed = Client()
    fixed.cookies[settings.SESSION_COOKIE_NAME] = before
    assert fixed.get(reverse("account")).status_code == 302
    chosen = Client()
    chosen.cookies[settings.SESSION_COOKIE_NAME] = "a" * 32
    try_password(chosen, password=PASSWORD)
    assert chosen.session.session_key != "a" * 32

    try_password(elsewhere, password=PASSWORD)
    _, token = ApiToken.issue(cast.ada, "laptop", [])
    new = {"oldpassword": PASSWORD, "password1": "nine of hearts", "password2": "nine of hearts"}
    assert client.post(reverse("account_change_password"), new).status_code == 302
    assert client.get(reverse("account")).status_code == 200
    assert client.session.session_key != after
    assert elsewhere.get(reverse("account")).status_code == 302
    assert ApiToken.find(token) is None


@pytest.mark.parametrize(
    "where",
    [
        "https://evil.example/",
        "//evil.example/",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "http:evil.example",
        "javascript:alert(1)",
        "http://localhost/",
        "http://127.0.0.1:1234/",
        "https://testserver@evil.example/",
        "/\t/evil.example",
        "http://testserver.evil.example/",
    ],
)
def test_no_page_sends_people_to_another_place(cast: Cast, where: str) -> None:
    client = Client()
    answer = client.post(LOGIN, {"login": "ada", "password": PASSWORD, "next": where})
    assert answer.status_code == 302
    assert answer["Location"] == "/"
    for address, sent in [
        (reverse("account_logout"), {"next": where}),
        (reverse("follow"), {"contest": str(cast.contest.pk), "next": where}),
    ]:
        signed_in = Client()
        signed_in.force_login(cast.ada)
        answer = signed_in.post(address, sent)
        there = answer.headers.get("Location", "/")
        assert there.startswith("/"), (address, there)
        assert not there.startswith(("//", "/\\")), (address, there)


def test_cookies_are_for_the_portal_alone(cast: Cast, settings: Any) -> None:
    client = Client()
    client.get(LOGIN)
    client.post(LOGIN, {"login": "ada", "password": PASSWORD})
    session, token = client.cookies[settings.SESSION_COOKIE_NAME], client.cookies[settings.CSRF_COOKIE_NAME]
    assert session["httponly"]
    assert session["samesite"] == token["samesite"] == "Lax"
    assert not session["domain"]
    assert session["path"] == "/"


# Codes in links -------------------------------------------------------------------------------------------------------


def test_codes_in_links_cannot_be_guessed(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    contest = cast.contest
    Contest.objects.filter(pk=contest.pk).update(visibility=Contest.Visibility.PRIVATE, spectator_code="right")
    stranger = make_user("stranger")
    watching, entering = reverse("spectate", args=[contest.slug, "wrong"]), reverse("enter", args=[contest.slug])
    feed, unsubscribe = reverse("following-feed", args=["wrong"]), reverse("unsubscribe", args=["1:wrong"])
    pages = [watching, f"{entering}?code=wrong", feed, unsubscribe]
    assert [Client().get(page).status_code for page in pages] == [404] * 4
    monkeypatch.setattr(guesses, "BY_ADDRESS", 1)
    assert [Client().get(page).status_code for page in pages] == [429] * 4
    elsewhere = at("198.51.100.7")
    elsewhere.force_login(stranger)
    assert elsewhere.get(f"{entering}?code={cast.clubs.code}").status_code == 200
