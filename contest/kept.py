"""Answers about what is kept no longer."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render


class NoLonger(Http404):
    """It was here, and is not kept any longer. The text says why, as a sentence."""


class Middleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """A page that says so. The API has its own answers (contest/api/problems.py)."""
        if isinstance(error, NoLonger):
            return render(request, "410.html", {"why": str(error)}, status=410)
        return None
