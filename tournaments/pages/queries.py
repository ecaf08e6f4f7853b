"""What the address of a page asks for."""

from __future__ import annotations

from django.http import HttpRequest


def asked_number(request: HttpRequest, name: str) -> int | None:
    """A number of the query such as `?team=12`; None where there is none that could be one."""
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def asked_team(request: HttpRequest) -> int | None:
    """The team that is to be marked on the page."""
    return asked_number(request, "team")
