"""Letting somebody follow a broadcast: what a view answers to a browser's `EventSource`."""

from __future__ import annotations

import json
from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse

from contest.broadcast.feed import Topic
from contest.server.web.streams import FOLLOWS, HEADER


def wants_events(request: HttpRequest) -> bool:
    return bool(request.headers.get("Accept", "").startswith("text/event-stream"))


def let_follow(
    request: HttpRequest, topic: Topic, audience: str, subjects: Mapping[str, str], until: float | None = None
) -> HttpResponse:
    """The answer to somebody who may follow. The view is asked again for each `audience`: all who may follow the topic
    for the same reason. `subjects`: on which that right depends, each with the state that it was read from *before* the
    right was looked at (contest/waiting.py). `until`: the time at which the right may end by the clock alone."""
    if FOLLOWS not in request.META:
        return HttpResponse(status=204)  # a server without an event loop: a browser does not ask again
    response = HttpResponse(content_type="text/event-stream")
    told = {"topic": str(topic), "audience": audience, "subjects": dict(subjects), "until": until}
    response[HEADER.decode()] = json.dumps(told)
    return response
