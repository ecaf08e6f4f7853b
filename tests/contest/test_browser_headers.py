"""What every answer tells browsers."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from tests.cast import Cast


@pytest.mark.parametrize("place", ["/", "/accounts/login/", "/nowhere/", "/healthz", "/api/v1/contests", "/admin/"])
def test_every_answer_says_what_its_page_may_do(cast: Cast, place: str) -> None:
    told = Client().get(place).headers
    policy = told["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'self'" in policy
    assert re.search(r"frame-ancestors 'none'", policy)
    assert told["X-Content-Type-Options"] == "nosniff"
    assert told["X-Frame-Options"] == "DENY"
    assert told["Referrer-Policy"] == told["Cross-Origin-Opener-Policy"] == "same-origin"
    assert told["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in told["Permissions-Policy"]


def test_whom_to_tell_about_a_hole(cast: Cast, settings: Any) -> None:
    assert Client().get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = ["mailto:security@example.org", "https://example.org/security"]
    lines = Client().get("/.well-known/security.txt").text.splitlines()
    assert lines[:2] == ["Contact: mailto:security@example.org", "Contact: https://example.org/security"]
    assert re.fullmatch(r"Expires: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", lines[2])
