"""What the address of a page asks for."""

from __future__ import annotations

from django.http import HttpRequest

from contest.words import number_in


def asked_number(request: HttpRequest, name: str) -> int | None:
    """A number of the query such as `?team=12`; None where there is none that could be one."""
    return number_in(request.GET.get(name, ""))


def asked_team(request: HttpRequest) -> int | None:
    """The team that the page is to be about, or to mark."""
    return asked_number(request, "team")
