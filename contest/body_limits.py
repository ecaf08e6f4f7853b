"""How large a request may be, decided before anything of it is read.

A visitor needs no more than a form for a name and a password. People with an account, and programs with a token, may
send `MEMBER` bytes. More is read only where files are uploaded, only from somebody who is signed in, and only from a
page of the portal itself: the browser says so in the header `Origin`, and the token of the form is checked afterwards
as always.

What is larger than any upload, or than a form of somebody without an account, does not get here (contest/asgi.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve

from contest.api import problems
from contest.models import ApiToken

VISITOR = 64 << 10
MEMBER = 1 << 20
UPLOAD = 72 << 20
"""More than any upload may have. Beyond that the form is not read to its end, and the page says so."""

JSON = 8 << 20
IN_PARTS = "multipart/form-data"
MARK = "takes_uploads"

V = TypeVar("V")


def takes_uploads(view: V) -> V:
    """Mark a view, or the class of one, to which files are uploaded."""
    setattr(view, MARK, True)
    return view


def most_of(request: HttpRequest) -> int:
    """Bytes that may be read of this request."""
    is_api = request.path_info.startswith("/api/")
    token = request.headers.get("Authorization", "") if is_api else ""
    if not token and not request.user.is_authenticated:
        return VISITOR
    if not _is_for_uploads(request):
        return MEMBER  # the API looks at the token before it reads anything
    if token:
        words = token.split()
        known = len(words) == 2 and ApiToken.find(words[1]) is not None
    else:
        known = _comes_from_us(request)
    # Files are sent in parts. JSON takes thirty times as long to read, and a form of one line a hundred times.
    larger = {IN_PARTS: UPLOAD, "application/json": JSON if is_api else MEMBER}
    return larger.get(request.content_type or "", MEMBER) if known else MEMBER


def _is_for_uploads(request: HttpRequest) -> bool:
    try:
        view = resolve(request.path_info).func
    except Resolver404:
        return False
    return any(getattr(each, MARK, False) for each in (view, getattr(view, "cls", None)))


def _comes_from_us(request: HttpRequest) -> bool:
    """Whether a page of the portal sends it. Its scripts name the token in a header, which a page of another site
    cannot; whether the token is right is looked at afterwards."""
    if origin := request.headers.get("Origin"):
        try:
            own = f"{request.scheme}://{request.get_host()}"
        except DisallowedHost:
            return False
        return origin in (own, *settings.CSRF_TRUSTED_ORIGINS)
    return settings.CSRF_HEADER_NAME in request.META


class Middleware:
    """Refuses what is too large. After the middleware that knows who asks, and before all that read forms."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdecimal() and int(length) > VISITOR:
            most = most_of(request)
            # Of an upload, the form says what is too large about it.
            if int(length) > most and most < UPLOAD:
                return too_large(request)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> None:
        """Who is refused, for example for want of a role, does not make the portal read the form. Django's pages for
        errors would look for its token, where the view did not."""
        request.csrf_processing_done = True  # type: ignore[attr-defined]


def too_large(request: HttpRequest) -> HttpResponseBase:
    if request.path_info.startswith("/api/"):
        problem = problems.too_large()
        return JsonResponse(problems.body_of(problem), status=413, content_type=problems.CONTENT_TYPE)
    return render(request, "413.html", status=413)
