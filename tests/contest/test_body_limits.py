"""Nothing of a request is read that is larger than whoever sends it may send."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest, QueryDict
from django.http.multipartparser import MultiPartParser
from django.test import Client
from django.urls import reverse

from contest.body_limits import MEMBER, VISITOR
from tests.cast import Cast

pytestmark = pytest.mark.promise

FORM, PARTS = "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"
TOKEN = "a" * 32


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was read of requests."""
    found: list[str] = []
    for kind in (QueryDict, MultiPartParser):
        begin = kind.__init__

        def noted(self: Any, *args: Any, begin: Any = begin, **more: Any) -> None:
            of_parts = isinstance(self, MultiPartParser) and int(args[0]["CONTENT_LENGTH"]) > VISITOR
            if of_parts or any(isinstance(each, bytes) and len(each) > VISITOR for each in args):
                found.append(type(self).__name__)
            begin(self, *args, **more)

        monkeypatch.setattr(kind, "__init__", noted)
    body = HttpRequest.body.fget  # type: ignore[attr-defined]

    def noted_body(self: HttpRequest) -> bytes:
        sent: bytes = body(self)
        if len(sent) > VISITOR:
            found.append("body")
        return sent

    monkeypatch.setattr(HttpRequest, "body", property(noted_body))
    return found


def bodies(size: int) -> dict[str, tuple[str, bytes]]:
    field = b'--b\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n'
    return {
        "form": (FORM, b"a=" + b"%41" * (size // 3)),
        "many fields": (FORM, b"a&" * (size // 2)),
        "field": (PARTS, field % (b"a", b"") + b"x" * size + b"\r\n--b--\r\n"),
        "file": (PARTS, field % (b"source", b'; filename="a.c"') + b"x" * size + b"\r\n--b--\r\n"),
        "many parts": (PARTS, (field % (b"a", b"") + b"x\r\n") * (size // 50) + b"--b--\r\n"),
        "json": ("application/json", b"[" + b"1," * (size // 2) + b"1]"),
        "unknown": ("application/x-unknown", b"x" * size),
        "text": ("text/plain", b"x" * size),
    }


def places(cast: Cast) -> list[str]:
    slug = cast.contest.slug
    return [
        "/",
        "/accounts/login/",
        "/accounts/signup/",
        "/admin/login/",
        "/nowhere/",
        "/play/1/move/",
        reverse("my-team", args=[slug]),
        reverse("desk-team-upload", args=[slug, cast.aces.pk]),
        reverse("api-versions", args=[slug]),
        reverse("api-join", args=[slug]),
    ]


def visitor() -> Client:
    """With the cookie that forms need, so that the form would be read for its token."""
    client = Client(enforce_csrf_checks=True)
    client.cookies[settings.CSRF_COOKIE_NAME] = TOKEN
    return client


@pytest.mark.parametrize("kind", bodies(0))
def test_a_visitor_cannot_make_the_portal_read_anything_large(cast: Cast, read: list[str], kind: str) -> None:
    content_type, body = bodies(MEMBER * 2)[kind]
    for place in places(cast):
        for headers in ({}, {"Authorization": "Bearer kibitz_wrong"}):
            answer = visitor().post(place, body, content_type, headers=headers)
            assert answer.status_code in (401, 413), (place, answer.status_code)
            expected = "application/problem+json" if place.startswith("/api/") else "text/html"
            assert answer["Content-Type"].startswith(expected)
    assert read == []


@pytest.mark.parametrize("kind", bodies(0))
def test_somebody_signed_in_uploads_only_from_a_page_of_the_portal(cast: Cast, read: list[str], kind: str) -> None:
    content_type, body = bodies(MEMBER * 2)[kind]
    client = visitor()
    client.force_login(cast.alice)
    own = reverse("my-team", args=[cast.contest.slug])
    for place, headers in [
        (own, {}),
        (own, {"Origin": "https://evil.example"}),
        (own, {"Origin": "null"}),
        ("/accounts/", {"Origin": "http://testserver"}),
        ("/following/renew/", {"Origin": "http://testserver"}),
    ]:
        assert client.post(place, body, content_type, headers=headers).status_code == 413, (place, headers)
    assert read == []
    answer = client.post(own, body, content_type, headers={"Origin": "http://testserver"})
    assert (answer.status_code == 413) == (content_type != PARTS)
    if content_type == PARTS:
        assert read == ["MultiPartParser"]
        assert answer.status_code == 400 if kind == "many parts" else answer.status_code == 403, "it has no token"


def test_a_team_uploads_what_it_may(cast: Cast) -> None:
    client = visitor()
    client.force_login(cast.alice)
    own = reverse("my-team", args=[cast.contest.slug])
    large = SimpleUploadedFile("bot.py", b"# a comment\n" * 150_000)
    answer = client.post(own, {"source": large, "csrfmiddlewaretoken": TOKEN}, headers={"Origin": "http://testserver"})
    assert answer.status_code == 422
    assert "Traceback" not in answer.text
    assert "too large" in answer.text or "at most" in answer.text or "KB" in answer.text
