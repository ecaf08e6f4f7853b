"""Fuzzers of what strangers send to the pages: every form as every role, uploads, archives, tokens."""

from __future__ import annotations

import io
import tarfile
import zipfile
from random import Random

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from contest.models import ApiToken, User
from submissions import sources
from submissions.uploads import Upload
from tests.cast import PASSWORD, Cast, make_cast
from tests.fuzzing import NUMBERS, WORDS, fuzz, mutated
from tests.markup import forms
from tests.tournaments.visitors import addresses
from tournaments.feeds import changes
from tournaments.organising import stages

MARKUP = "<i data-fuzz>'\"&"
"""Must never be on a page as it is."""


@pytest.fixture
def cast(db: None) -> Cast:
    cast = make_cast()
    stages.create(cast.contest, cast.ada, stages.Wish("Final", "single_elimination", {"table_size": 2, "advance": 1}))
    return cast


def hostile(random: Random, value: str) -> str:
    return random.choice(
        [
            lambda: value,
            lambda: MARKUP,
            lambda: random.choice(WORDS),
            lambda: str(random.choice(NUMBERS)),
            lambda: mutated(random, value.encode()).decode("utf-8", "replace"),
            lambda: "2026-13-45T99:99",
            lambda: "9999-12-31T23:59",
        ]
    )()


def attempts(number: int) -> pytest.MarkDecorator:
    """A few by default, all of them in the part that looks for faults."""
    return pytest.mark.parametrize("attempts", [4, pytest.param(number, marks=pytest.mark.long("fuzz"))])


KEPT = ("/accounts/logout/", "/accounts/delete/")  # they would end the story


@pytest.mark.fuzz
@attempts(150)
def test_no_form_answers_with_a_fault_or_with_foreign_markup(cast: Cast, attempts: int) -> None:
    values = {"slug": [cast.contest.slug], "team_id": [cast.aces.pk, cast.clubs.pk], "team": [cast.aces.pk]}
    values |= {"stage_id": list(cast.contest.stages.values_list("pk", flat=True))}
    own = ["/accounts/login/", "/accounts/signup/", "/accounts/email/", "/accounts/password/change/"]
    own += ["/accounts/password/reset/", "/accounts/tokens/", "/accounts/"]
    found: list[tuple[User | None, str, dict[str, str]]] = []
    clients: dict[User | None, Client] = {}
    for person in (None, cast.alice, cast.ada, cast.root):
        client = clients[person] = Client()
        if person:
            client.force_login(person)
        for address in [*addresses(values, r"(c/<slug:slug>/|play/|following|beside)"), *own]:
            answer = client.get(address)
            assert answer.status_code < 500, address
            if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
                for form in forms(answer.text):
                    action = (form.action or address).partition("#")[0]
                    if form.method == "post" and action not in KEPT:
                        found.append((person, action, form.names))
    assert len({address for _, address, _ in found}) > 40

    def attempt(random: Random) -> None:
        person, address, fields = random.choice(found)
        sent = {name: hostile(random, value) for name, value in fields.items() if random.random() < 0.9}
        answer = clients[person].post(address, sent, follow=random.random() < 0.3)
        assert answer.status_code < 500, (address, sent)
        if answer.get("Content-Type", "").startswith("text/html") and not answer.streaming:
            assert "<i data-fuzz>" not in answer.text, (address, sent)

    fuzz(attempt, attempts=attempts)


@pytest.mark.fuzz
@attempts(60)
def test_no_upload_makes_a_page_fail(cast: Cast, attempts: int) -> None:
    client = Client()
    client.force_login(cast.alice)
    own = reverse("my-team", args=[cast.contest.slug])
    part = b'--b\r\nContent-Disposition: form-data; name="%s"%s\r\n%s\r\n%s\r\n'
    whole = part % (b"source", b'; filename="bot.py"', b"Content-Type: text/plain\r\n", b"print(1)")
    whole += part % (b"strategy_text", b"", b"", b"plays low") + part % (b"activate", b"", b"", b"on") + b"--b--\r\n"

    def attempt(random: Random) -> None:
        body = mutated(random, whole, 4)
        kind = random.choice(["multipart/form-data; boundary=b"] * 4 + ["multipart/form-data", "multipart/mixed; b"])
        answer = client.post(own, body, kind)
        assert answer.status_code in (200, 302, 400, 413, 422), answer.status_code

    fuzz(attempt, attempts=attempts)


def archive_of(kind: str) -> bytes:
    files = {"bot/main.py": b"import rules\n", "bot/rules.py": b"X = 1\n" * 50, "bot/plan.md": b"plays low"}
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, data in files.items():
                packed.writestr(name, data)
    else:
        with tarfile.open(fileobj=out, mode="w:gz" if kind == "tar.gz" else "w") as tar:
            for name, data in files.items():
                info = tarfile.TarInfo(name)
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


@pytest.mark.fuzz
@attempts(300)
@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
def test_no_archive_makes_the_reader_fail(cast: Cast, kind: str, attempts: int) -> None:
    whole = archive_of(kind)

    def attempt(random: Random) -> None:
        reading = sources.understand(cast.contest, [Upload(f"bot.{kind}", mutated(random, whole))])
        assert sum(map(len, reading.files.values())) <= (cast.contest.source_kb + 256) * 1024
        assert not any(name.startswith("/") or ".." in name.split("/") for name in reading.files)

    fuzz(attempt, attempts=attempts)


@pytest.mark.fuzz
@attempts(150)
def test_no_changed_token_opens_anything(cast: Cast, attempts: int) -> None:
    _, token = ApiToken.issue(cast.alice, "laptop", ["bot", "team"])
    client = Client()
    client.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    word = changes.unsubscribe_word(cast.alice)
    mine = reverse("api-versions", args=[cast.contest.slug])

    def changed(random: Random, secret: str) -> str:
        while (found := mutated(random, secret.encode(), 3).decode("latin-1")) == secret:
            pass
        return "".join(letter for letter in found if letter.isprintable() and letter not in ';,"')

    def attempt(random: Random) -> None:
        guess = changed(random, token)
        header = random.choice(["Bearer {}", "bearer  {}", "Token {}", "Bearer {} x", "Basic {}", "{}"]).format(guess)
        if guess not in (token, token.strip()):
            assert Client().get(mine, headers={"Authorization": header.encode("latin-1")}).status_code in (401, 403)
        stranger = Client()
        stranger.cookies[settings.SESSION_COOKIE_NAME] = changed(random, session)
        if stranger.cookies[settings.SESSION_COOKIE_NAME].value != session:
            assert stranger.get(reverse("account")).status_code == 302
        link = changed(random, word)
        assert link == word or changes.unsubscribed_by(link) is None

    fuzz(attempt, attempts=attempts)
