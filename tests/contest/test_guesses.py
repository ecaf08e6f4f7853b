"""Guessing is hopeless and shuts nobody out: passwords, second factors, codes in links."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.conf import settings
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from contest import guesses
from contest.models import ApiToken, Contest, User
from tests.cast import PASSWORD, Cast, make_cast, make_user
from tests.contest.test_views import text_of

pytestmark = pytest.mark.promise

NOW = 1_800_000_000
LOGIN, TOO_MANY = "/accounts/login/", "Too many failed login attempts"


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


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


def addresses(network: str) -> Iterator[str]:
    return (f"{network}.{high}.{low}" for high in range(256) for low in range(1, 255))


# Passwords ------------------------------------------------------------------------------------------------------------


def test_guesses_from_one_place_end_and_shut_out_nobody_elsewhere(cast: Cast) -> None:
    answers = [text_of(try_password(at("192.0.2.1"))) for _ in range(8)]
    assert [TOO_MANY in answer for answer in answers] == [False] * 5 + [True] * 3
    rival = at("192.0.2.1")
    try_password(rival, password=PASSWORD)
    assert not is_in(rival), "the right one is not looked at either"
    victim = at("198.51.100.7")
    try_password(victim, password=PASSWORD)
    assert is_in(victim)
    another = at("192.0.2.1")
    try_password(another, "olga", PASSWORD)
    assert is_in(another), "who shares the address logs in under another name"


@pytest.mark.long("more")
def test_a_computer_room_logs_in_at_once_from_one_address_although_some_mistype(db: None) -> None:
    for number in range(60):
        make_user(f"pupil{number}")
    for number in range(60):
        pupil = at("192.0.2.1")
        for _ in range(number % 3):
            try_password(pupil, f"pupil{number}")
        try_password(pupil, f"pupil{number}", PASSWORD)
        assert is_in(pupil), number


@pytest.mark.long("more")
def test_guessing_at_many_names_from_one_address_ends(cast: Cast) -> None:
    make_user("last")
    cache.set(key_of(guesses.PASSWORD_BY_ADDRESS, "192.0.2.1"), guesses.PASSWORD_BY_ADDRESS.most, 3600)
    assert TOO_MANY not in text_of(try_password(at("192.0.2.1"), "last")), "each name is tried once"
    assert TOO_MANY in text_of(try_password(at("192.0.2.1"), "last"))
    assert TOO_MANY not in text_of(try_password(at("192.0.2.2"), "last"))


def key_of(limit: guesses.Limit, whose: str) -> str:
    attempt = guesses.Attempt()
    guesses._count(attempt, limit, whose)
    return attempt.counted[0]


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
        assert len(hashed) == 2 * 5, "by two backends; what is refused is not looked at"
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


@pytest.mark.long("more")
def test_codes_of_the_second_factor_cannot_be_guessed_and_guesses_shut_nobody_out(cast: Cast) -> None:
    secret = with_second(cast.ada)
    victim = at("198.51.100.7")
    try_password(victim, password=PASSWORD)
    victim.post(reverse("mfa_authenticate"), {"code": code_now(secret)})
    assert is_in(victim)
    victim.post(reverse("account_logout"))

    looked_at = 0
    for address, _ in zip(addresses("203.0"), range(20), strict=False):
        rival = at(address)
        try_password(rival, password=PASSWORD)  # they know the password
        answers = [text_of(rival.post(reverse("mfa_authenticate"), {"code": "12345x"})) for _ in range(7)]
        looked_at += sum(TOO_MANY not in answer for answer in answers)
        assert not is_in(rival)
    assert looked_at == guesses.SECOND_IN_ALL[0].most
    try_password(victim, password=PASSWORD)
    cache.delete(TOTP(Authenticator.objects.get(user=cast.ada))._get_used_cache_key(code_now(secret)))
    victim.post(reverse("mfa_authenticate"), {"code": code_now(secret)})
    assert is_in(victim), "on a known device"


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
    session, token = client.cookies["sessionid"], client.cookies["csrftoken"]
    assert session["httponly"]
    assert session["samesite"] == token["samesite"] == "Lax"
    assert not session["domain"]
    assert session["path"] == "/"


# Codes in links -------------------------------------------------------------------------------------------------------


def wrong_codes(most: int) -> None:
    """Pretend that so many wrong ones came from the usual address."""
    for kind in ("team", "spectators", "feed", "unsubscribe"):
        cache.set(key_of(guesses.CODES_BY_ADDRESS[0], f"{kind} 127.0.0.1"), most, 3600)


def test_codes_in_links_cannot_be_guessed(cast: Cast) -> None:
    contest = cast.contest
    Contest.objects.filter(pk=contest.pk).update(visibility=Contest.Visibility.PRIVATE, spectator_code="right")
    stranger = make_user("stranger")
    watching, entering = reverse("spectate", args=[contest.slug, "wrong"]), reverse("enter", args=[contest.slug])
    feed, unsubscribe = reverse("following-feed", args=["wrong"]), reverse("unsubscribe", args=["1:wrong"])
    pages = [watching, f"{entering}?code=wrong", feed, unsubscribe]
    assert [Client().get(page).status_code for page in pages] == [404] * 4
    wrong_codes(guesses.CODES_BY_ADDRESS[0].most)
    assert [Client().get(page).status_code for page in pages] == [429] * 4
    elsewhere = at("198.51.100.7")
    elsewhere.force_login(stranger)
    assert elsewhere.get(f"{entering}?code={cast.clubs.code}").status_code == 200
