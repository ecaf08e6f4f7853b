"""Requests with text that the database cannot hold. Forms refuse it; pages that read an address or a field themselves
would fail with an error of ours."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.db import DataError
from django.http import HttpRequest
from django.http.response import HttpResponseBase

NUL = "\x00"


class Middleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> None:
        """PostgreSQL takes no NUL. Nothing but the query has failed by then, and the transaction is undone."""
        if isinstance(error, DataError) and _has_nul(request):
            raise BadRequest("no text has a NUL character") from error


def _has_nul(request: HttpRequest) -> bool:
    sent = [value for data in (request.GET, request.POST) for values in data.lists() for value in values[1]]
    return any(NUL in text for text in [request.path_info, *map(str, sent)])
