"""Every request has an id, which its log lines and its answer name."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Any

from django.http import HttpRequest
from django.utils.decorators import sync_and_async_middleware

from contest.server import logs

HEADER = "X-Request-ID"
GOOD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")
"""Ids that we take over from a proxy. Anything else could forge log lines, and gets an id of ours."""


@sync_and_async_middleware
def middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """The outermost middleware: what the others log belongs to the request as well."""

    def name(request: HttpRequest) -> str:
        said = request.headers.get(HEADER, "")
        number: str = said if GOOD.fullmatch(said) else secrets.token_hex(8)
        request.META[logs.REQUEST] = number
        return number

    async def answer_later(request: HttpRequest) -> Any:
        with logs.about(**{logs.REQUEST: name(request)}):
            response = await get_response(request)
        response[HEADER] = request.META[logs.REQUEST]
        return response

    def answer(request: HttpRequest) -> Any:
        with logs.about(**{logs.REQUEST: name(request)}):
            response = get_response(request)
        response[HEADER] = request.META[logs.REQUEST]
        return response

    return answer_later if iscoroutinefunction(get_response) else answer
