"""The second factor, from setting it up to losing the phone."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.cast import PASSWORD, make_user

pytestmark = [pytest.mark.promise, pytest.mark.django_db]

NOW = 1_800_000_000


@pytest.fixture(autouse=True)
def same_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next code is not due between showing one and looking at it."""
    monkeypatch.setattr(auth, "time", SimpleNamespace(time=lambda: NOW))


def code(secret: str) -> str:
    """What an app shows now. A code counts once, so forget which ones were used."""
    cache.clear()
    return format_hotp_value(hotp_value(secret, NOW // 30))


def log_in(client: Client) -> str:
    answer = client.post(reverse("account_login"), {"login": "nora", "password": PASSWORD})
    assert answer.status_code == 302
    return answer["Location"]


def test_from_setting_up_to_a_lost_phone() -> None:
    make_user("nora")
    client = Client()
    log_in(client)
    assert "Set it up" in client.get(reverse("account")).text
    setup = reverse("mfa_activate_totp")
    assert "Confirm that it is you" in client.get(setup, follow=True).text
    page = client.post(f"{reverse('account_reauthenticate')}?next={setup}", {"password": PASSWORD}, follow=True).text
    secret = re.search(r"<code>(\w+)</code>", page)[1]
    assert 'src="data:image/svg' in page
    client.post(setup, {"code": code(secret)})
    assert "Manage it" in client.get(reverse("account")).text
    stored = Authenticator.objects.get(type="totp")
    assert secret not in str(stored.data)

    recovery = re.findall(r"\b\d{8}\b", client.get(reverse("mfa_view_recovery_codes")).text)[0]
    other = Client()
    assert log_in(other) == reverse("mfa_authenticate")
    assert "One more step" in other.get(reverse("mfa_authenticate")).text
    assert other.get(reverse("account")).status_code == 302  # the password alone is not enough
    assert "code" in other.post(reverse("mfa_authenticate"), {"code": "000000"}).text
    other.post(reverse("mfa_authenticate"), {"code": code(secret)})
    assert other.get(reverse("account")).status_code == 200

    lost = Client()
    log_in(lost)
    lost.post(reverse("mfa_authenticate"), {"code": recovery})
    assert lost.get(reverse("account")).status_code == 200
    again = Client()
    log_in(again)
    again.post(reverse("mfa_authenticate"), {"code": recovery})
    assert again.get(reverse("account")).status_code == 302  # each code counts once

    client.post(reverse("mfa_deactivate_totp"))
    assert not Authenticator.objects.exists()
    assert log_in(Client()) != reverse("mfa_authenticate")
