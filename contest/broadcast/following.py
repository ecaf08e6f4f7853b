"""Letting somebody follow a broadcast: what a view answers to a browser's `EventSource`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from allauth.account.adapter import get_adapter
from django.http import HttpRequest, HttpResponse

from contest.broadcast.feed import GameView
from contest.server.web.streams import FOLLOWS, HEADER

# Streams that a process of the web server has open for one address: a room of 60 computers with five windows each. And
# for one account: a browser keeps one only while its window can be seen.
PER_ADDRESS, PER_ACCOUNT = 300, 20

LASTS = 300.0
"""Seconds after which somebody must come back who follows what not everybody may."""


def wants_events(request: HttpRequest) -> bool:
    return bool(request.headers.get("Accept", "").startswith("text/event-stream"))


def let_follow(
    request: HttpRequest,
    followed: GameView,
    audience: str,
    subjects: Mapping[str, str],
    until: float | None = None,
    *,
    public: bool = False,
) -> HttpResponse:
    """The answer to somebody who may follow. The view is asked again for each `audience`: all who may follow the topic
    for the same reason. `subjects`: on which that right depends, each with the state that it was read from *before* the
    right was looked at (contest/waiting.py). `until`: the time at which the right may end by the clock alone.
    `public`: it is everybody's, so nobody loses it by themselves."""
    if FOLLOWS not in request.META:
        return HttpResponse(status=204)  # a server without an event loop: a browser does not ask again
    response = HttpResponse(content_type="text/event-stream")
    told: dict[str, Any] = {"topic": str(followed), "audience": audience, "subjects": dict(subjects), "until": until}
    told["limits"] = limits_of(request)
    if not public:
        told["lasts"] = LASTS
    response[HEADER.decode()] = json.dumps(told)
    return response


def limits_of(request: HttpRequest) -> dict[str, int]:
    """How many streams somebody may have open, by what they count for."""
    found = {f"address {get_adapter(request).get_client_ip(request)}": PER_ADDRESS}
    if request.user.is_authenticated:
        found[f"account {request.user.pk}"] = PER_ACCOUNT
    return found
