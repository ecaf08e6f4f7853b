"""The queue of mail, with mail servers that behave as real ones do: what is sent, tried again or dropped. Pages never
wait for them or fail with them."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import letters
from contest.models import Letter, User
from tests.cast import PASSWORD, make_user
from tests.markup import tags

pytestmark = pytest.mark.django_db
Answer = Callable[[str, str], str]
"""What the server answers to a verb (GREET, RCPT, DATA) about a recipient."""


class Server(socketserver.ThreadingTCPServer):
    """A mail server on a free port. `taken`: the recipients and subjects of what it took."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Talk)
        self.taken: list[tuple[str, str]] = []
        self.answer: Answer = lambda verb, to: "250 ok"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Talk(socketserver.StreamRequestHandler):
    server: Server

    def handle(self) -> None:
        to = ""
        greeting = self.server.answer("GREET", "")
        self.say(greeting.replace("250", "220"))
        while line := self.rfile.readline().decode().strip():
            verb = line[:4].upper()
            if verb == "RCPT":
                to = line.partition("<")[2].partition(">")[0]
                self.say(self.server.answer("RCPT", to))
            elif verb == "DATA":
                self.say("354 go on")
                subject = ""
                while (text := self.rfile.readline()) not in (b".\r\n", b""):
                    subject = text.decode().partition(": ")[2].strip() if text.startswith(b"Subject") else subject
                answer = self.server.answer("DATA", to)
                if answer.startswith("250"):
                    self.server.taken.append((to, subject))
                self.say(answer)
            else:
                self.say(self.server.answer("EHLO" if verb == "HELO" else verb, to))

    def say(self, line: str) -> None:
        self.wfile.write(line.encode() + b"\r\n")


@pytest.fixture
def server(settings: Any) -> Iterator[Server]:
    with Server() as server:
        settings.EMAIL_URL, settings.EMAIL_BACKEND = "smtp://there", "contest.letters.QueueBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
        yield server
        server.shutdown()


@pytest.fixture
def away(server: Server, settings: Any) -> None:
    """Nobody listens where the mail server should be."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        settings.EMAIL_PORT = free.getsockname()[1]


def write(*names: str) -> None:
    for name in names:
        EmailMessage(f"To {name}", "Hello", to=[f"{name}@example.org"]).send()


def send(minutes: float = 0) -> int:
    return letters.send_due(timezone.now() + timedelta(minutes=minutes))


def took(server: Server) -> list[str]:
    return [to.partition("@")[0] for to, _ in server.taken]


@pytest.mark.parametrize("verb", ["RCPT", "DATA"])
@pytest.mark.parametrize("code", [550, 552, 554])
def test_what_is_refused_for_good_goes_and_the_others_are_sent_in_the_same_run(
    server: Server, verb: str, code: int
) -> None:
    server.answer = lambda at, to: f"{code} never" if at == verb and to.startswith("bad") else "250 ok"
    write("ann", "bad", "cid")
    assert send() == 2
    assert took(server) == ["ann", "cid"]
    assert send(60) == 0
    assert not Letter.objects.exists()


@pytest.mark.parametrize("verb", ["RCPT", "DATA"])
@pytest.mark.parametrize("code", [421, 450, 451, 452])
def test_what_must_wait_is_sent_later_and_the_others_in_the_same_run(server: Server, verb: str, code: int) -> None:
    refused = []

    def grey(at: str, to: str) -> str:
        if at == verb and to.startswith("new") and not refused:
            refused.append(to)
            return f"{code} later"
        return "250 ok"

    server.answer = grey
    write("ann", "new", "cid")
    assert send() == 2
    assert took(server) == ["ann", "cid"]
    assert send(1) == 0, "greylisting asks for a pause"
    assert send(6) == 1
    assert took(server) == ["ann", "cid", "new"]


def test_what_nobody_takes_is_given_up_after_days(server: Server) -> None:
    server.answer = lambda at, to: "451 later" if at == "RCPT" else "250 ok"
    write("ann")
    for hours in range(0, 80, 4):
        send(60 * hours)
    assert not Letter.objects.exists()


@pytest.mark.parametrize(
    ("verb", "code"), [("GREET", 421), ("GREET", 554), ("EHLO", 550), ("MAIL", 530), ("MAIL", 550)]
)
def test_what_a_server_says_of_the_portal_loses_no_message(server: Server, verb: str, code: int) -> None:
    server.answer = lambda at, to: f"{code} no" if at == verb else "250 ok"
    write("ann", "bob")
    assert send() == 0
    server.answer = lambda at, to: "250 ok"
    assert send(10) == 2
    assert took(server) == ["ann", "bob"]


def test_one_message_for_each_recipient(server: Server) -> None:
    server.answer = lambda at, to: "550 no" if to.startswith("bob") else "250 ok"
    EmailMessage("Hello", "Hello", to=["ann@example.org", "bob@example.org"]).send()
    assert send() == 1
    assert took(server) == ["ann"]


def test_text_is_sent_as_written(server: Server) -> None:
    EmailMessage("{{ a }} {% b", "{% load x %}", to=["ann@example.org"], headers={"X-One": "1"}).send()
    letter = Letter.objects.get()
    assert letter.message().body == "{% load x %}"
    assert send() == 1
    assert server.taken == [("ann@example.org", "{{ a }} {% b")]


def test_a_header_of_two_lines_is_refused_where_it_is_written(server: Server) -> None:
    with pytest.raises(ValueError, match="Header"):
        EmailMessage("One\nBcc: eve@example.org", "Hello", to=["ann@example.org"]).send()
    assert not Letter.objects.exists()


@pytest.mark.usefixtures("away")
def test_with_the_server_away_accounts_are_made_and_passwords_reset(client: Client, server: Server) -> None:
    typed = {"username": "nora", "email": "nora@example.org", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post(reverse("account_signup"), typed, follow=True).status_code == 200
    assert User.objects.filter(username="nora").exists()
    reset = Client().post(reverse("account_reset_password"), {"email": "nora@example.org"}, follow=True)
    assert reset.status_code == 200
    waiting = list(Letter.objects.values_list("recipient", flat=True))
    assert send() == 0
    assert list(Letter.objects.values_list("recipient", flat=True)) == waiting == ["nora@example.org"] * 2


class TestLogIn:
    """With a mail server, addresses must be confirmed. Who has none is let in."""

    @pytest.mark.parametrize("email", ["", "root@example.org"])
    @pytest.mark.usefixtures("server")
    def test_a_superuser_gets_in(self, client: Client, email: str) -> None:
        user = User.objects.create_superuser("organiser", email=email, password=PASSWORD)
        assert self.log_in(client, "organiser") == user.pk
        page = client.get(reverse("account")).content.decode()
        assert reverse("account_email") in [link.get("href") for link in tags(page, "a")]

    @pytest.mark.usefixtures("server")
    def test_who_has_no_address_gets_in(self, client: Client) -> None:
        user = make_user("ann", email="")
        assert self.log_in(client, "ann") == user.pk

    def test_whoever_has_one_must_confirm_it_first(self, client: Client, server: Server) -> None:
        user = make_user("ann")
        assert self.log_in(client, "ann") is None
        assert send() == 1
        assert took(server) == ["ann"]
        EmailAddress.objects.filter(user=user).update(verified=True)
        assert self.log_in(client, "ann") == user.pk

    def log_in(self, client: Client, name: str) -> int | None:
        """The account that is logged in afterwards."""
        client.post(reverse("account_login"), {"login": name, "password": PASSWORD})
        number = client.session.get("_auth_user_id")
        return int(number) if number else None
