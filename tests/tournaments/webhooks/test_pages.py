"""The pages of a team's webhooks and of the desk's, and what the documentation says to receivers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client

from contest import followers
from contest.clone import Wish
from tests.cast import Cast
from tests.tournaments.visitors import visitor
from tests.tournaments.webhooks.receiver import Receiver
from tournaments.exports.archive import archive
from tournaments.models import Delivery, Webhook
from tournaments.organising import clone
from tournaments.webhooks import changes, following, sending

pytestmark = pytest.mark.django_db

URL = "https://example.org/kibitz?key=sesame"
OWNERS = ["team", "desk", "following"]
DOCUMENTATION = Path(django_settings.BASE_DIR) / "docs/webhooks.md"


def home(cast: Cast, of: str) -> str:
    if of == "following":
        return "/following/webhooks/"
    return f"/c/{cast.contest.slug}/{'my' if of == 'team' else 'desk'}/webhooks/"


def who(cast: Cast, of: str) -> Client:
    return visitor({"team": cast.alice, "desk": cast.olga, "following": cast.zoe}[of])


def hear() -> None:
    """The workers have followed."""
    followers.catch_up()
    following.read_new()


@pytest.mark.parametrize(
    ("name", "team", "desk"),
    [("zoe", 302, 403), ("alice", 200, 403), ("judy", 302, 403), ("olga", 302, 200), ("ada", 302, 200)],
)
def test_who_may_open_them(name: str, team: int, desk: int, cast: Cast) -> None:
    client = visitor(getattr(cast, name))
    for of, expected in (("team", team), ("desk", desk)):
        changes.create(cast.contest, *((cast.aces, cast.alice) if of == "team" else (None, cast.ada)), URL, [])
        hook = Webhook.objects.latest("pk")
        test = changes.test(hook, cast.ada)
        one = f"{home(cast, of)}{hook.pk}/"
        for page in (home(cast, of), one, f"{one}deliveries/{test.pk}/"):
            answer = client.get(page)
            assert answer.status_code == expected, page
            assert expected == 200 or b"sesame" not in answer.content
        for act in ("test", "off", "on", "skip", "rotate", "redeliver", "delete"):
            status = client.post(f"{one}{act}/").status_code
            assert status in ((403,) if expected == 403 else (302, 422)), act
        assert Webhook.objects.filter(pk=hook.pk).exists() == (expected != 200)


@pytest.mark.parametrize("of", OWNERS)
def test_one_is_made_and_tested(of: str, cast: Cast, receiver: Receiver) -> None:
    client, here = who(cast, of), home(cast, of)
    refused = client.post(here, {"url": "http://10.0.0.1/", "kinds": []})
    assert refused.status_code == 422
    assert not Webhook.objects.exists()

    made = client.post(here, {"url": receiver.url, "kinds": ["team_withdrawn", "match_result"]})
    hook = Webhook.objects.get()
    one = f"{here}{hook.pk}/"
    assert (made.status_code, made["Location"]) == (302, one)
    page = client.get(one)
    assert hook.secret in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    assert hook.secret not in client.get(one).content.decode()
    assert receiver.url in client.get(here).content.decode()

    client.post(f"{one}test/")
    test = hook.deliveries.get()
    receiver.answers.append(lambda it: _say(it, b"<script>alert(1)</script>"))
    sending.send_due()
    part = client.get(f"{one}deliveries/{test.pk}/", headers={"HX-Request": "true"}).content.decode()
    assert "&lt;script&gt;" in part


def _say(request: Any, body: bytes) -> None:
    request.send_response(200)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


def test_no_copy_and_no_download_has_webhooks_or_secrets(cast: Cast) -> None:
    hook = changes.create(cast.contest, None, cast.ada, URL, [])
    changes.create(cast.contest, cast.aces, cast.alice, URL, [])
    copy = clone.clone(cast.contest, cast.ada, Wish("Again", cast.contest.opens_at, teams=True))
    assert not copy.webhooks.exists()
    everything = b"".join(archive(cast.contest, cast.ada))
    for pages in ("desk/audit-log/", "desk/data/acts.csv"):
        everything += visitor(cast.judy).get(f"/c/{cast.contest.slug}/{pages}").getvalue()
    assert hook.secret.encode() not in everything
    assert b"sesame" not in everything
    assert b"example.org" in everything, "the audit log names the host"


# The documentation ----------------------------------------------------------------------------------------------------


def snippet(language: str) -> str:
    return re.findall(rf"```{language}\n(.*?)```", DOCUMENTATION.read_text(encoding="utf-8"), re.S)[0]


@pytest.fixture
def genuine(cast: Cast, receiver: Receiver) -> tuple[str, dict[str, str], str]:
    """Secret, headers and body of a message that came, with signatures of two secrets."""
    hook = changes.create(cast.contest, None, cast.ada, receiver.url, [])
    changes.rotate(hook, cast.ada)
    changes.test(hook, cast.ada)
    sending.send_due()
    hook.refresh_from_db()
    assert Delivery.objects.get().state == "delivered"
    return hook.old_secret, receiver.got[0].headers, receiver.got[0].body


def test_the_check_in_python_is_right(genuine: tuple[str, dict[str, str], str]) -> None:
    secret, headers, body = genuine
    names: dict[str, Any] = {}
    exec(snippet("python"), names)
    check = names["is_genuine"]
    assert check(secret, headers, body.encode())
    assert not check(secret, headers, body.encode() + b" ")
    assert not check("whsec_" + "A" * 32, headers, body.encode())
    assert not check(secret, headers | {"webhook-id": "msg_other"}, body.encode())
    assert not check(secret, headers | {"webhook-timestamp": "1"}, body.encode())
