"""Every request has an id, is timed and counted."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from time import perf_counter

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from contest import counting
from contest.server import logs

HEADER = "X-Request-ID"
GOOD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")
"""Ids that we take over from a proxy. Anything else could forge log lines, and gets an id of ours."""


def id_of(said: str) -> str:
    """The id of a request whose header said this."""
    return said if GOOD.fullmatch(said) else secrets.token_hex(8)


def counted(view: str, status: int, seconds: float) -> None:
    """Count an answer. `view` is the name of a page in urls.py."""
    counting.count("answers", status=str(status))
    counting.observe("request", seconds, view=view)


class Middleware:
    """The outermost middleware: what the others log belongs to the request as well."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = perf_counter()
        number = id_of(request.headers.get(HEADER, ""))
        request.META[logs.REQUEST] = number
        with logs.about(**{logs.REQUEST: number}):
            response = self.get_response(request)
        response[HEADER] = number
        match = request.resolver_match
        # Static files and addresses that do not exist have no page, and so no name that strangers could choose.
        counted((match and match.view_name) or "none", response.status_code, perf_counter() - began)
        return response
