"""What pages tell people about mail, and when they try too often."""

from typing import Any

import pytest
from allauth.core.internal import ratelimit
from django.core import mail
from django.test import Client

from tests.cast import PASSWORD

pytestmark = pytest.mark.django_db


def sign_up(client: Client, name: str) -> Any:
    return client.post(
        "/accounts/signup/",
        {"username": name, "email": f"{name}@example.org", "password1": PASSWORD, "password2": PASSWORD},
    )


def test_without_a_mail_server_nobody_is_promised_a_message(settings: Any) -> None:
    settings.EMAIL_URL = ""
    client = Client()
    page = client.get("/accounts/password/reset/").content.decode()
    assert "does not send email" in page
    assert "Send the link" not in page
    assert sign_up(client, "nora").status_code == 302
    assert "Confirmation" not in client.get("/").content.decode()
    assert mail.outbox == []


def test_a_computer_room_signs_up_at_once_and_a_flood_is_answered_in_our_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = ratelimit.time.time()
    monkeypatch.setattr(ratelimit.time, "time", lambda: now)  # a busy machine needs more than the minute of the limit
    for number in range(40):
        assert sign_up(Client(), f"pupil{number}").status_code == 302
    answers = [Client().post("/accounts/signup/", {}) for _ in range(120)]
    assert answers[-1].status_code == 429
    page = answers[-1].content.decode()
    assert "One moment, please" in page
