"""Clients that wait for something new (`?wait=25`). They wait in the web server (contest/server/web/waiting.py), which
asks this module what has changed.

An answer that is nothing new names its subjects: what it depends on, each with the state that it was made from. The
state of a subject is a short text that changes whenever the answer may have changed, read before the answer is made. It
must not depend on anything that the reader may not know. `settings.SUBJECTS` names tables of the kinds of subjects,
each with a function that takes keys and returns the state of each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from functools import cache

from django.conf import settings
from django.db import close_old_connections, connections
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import urlencode
from django.utils.module_loading import import_string

from contest.server.web.waiting import AGAIN, HEADER, LONGEST

LONGEST_WAIT = LONGEST  # seconds

Read = Callable[[Collection[int]], Mapping[int, str]]
Subjects = Mapping[str, str]
"""Names (`kind:key`), with their states."""


@cache
def kinds() -> Mapping[str, Read]:
    return {kind: read for path in settings.SUBJECTS for kind, read in import_string(path).items()}


def may_wait(request: HttpRequest) -> bool:
    return AGAIN in request.META


def is_asked_again(request: HttpRequest) -> bool:
    """Whether the client has sent this request once and the web server asks a second time."""
    return bool(request.META.get(AGAIN) == "again")


def hold(request: HttpRequest, response: HttpResponseBase, subjects: Subjects) -> None:
    """The response is nothing new: let a client that waits wait for another state of the subjects."""
    if may_wait(request):
        response[HEADER.decode()] = urlencode(subjects)


def nothing_new(request: HttpRequest, subjects: Subjects) -> HttpResponse:
    """The answer to a live part of a page that is up to date."""
    response = HttpResponse(status=204)
    hold(request, response, subjects)
    return response


def state_of(kind: str, key: int) -> Subjects:
    """A subject with its state now."""
    return _read([f"{kind}:{key}"])


def look(names: Collection[str]) -> Subjects:
    """The states of these subjects, for the web server. Closes the connection to the database with the last of them."""
    close_old_connections()
    try:
        return _read(names)
    finally:
        if not names:
            connections.close_all()


def _read(names: Collection[str]) -> dict[str, str]:
    keys: defaultdict[str, list[int]] = defaultdict(list)
    for name in names:
        kind, _, key = name.partition(":")
        keys[kind].append(int(key))
    found: dict[str, str] = {}
    for kind, wanted in keys.items():
        states = kinds()[kind](wanted)
        found |= {f"{kind}:{key}": states.get(key, "") for key in wanted}
    return found
