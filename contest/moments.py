"""Moments: pages that are made within one share what was computed for the first of them.

While results come every few milliseconds, each page would be made from another revision of its contest, and standings
that take a quarter of a second would be computed for each. So the web server tells how many seconds the answer to a
request may be behind (`allow`). Such requests read a contest at the same revision until the moment is over, and name
that revision in what they answer: a copy of it, or a live part, is then known to be out of date. Nobody at the desk is
ever behind, and a moment ends at once when something is written that is not a result, or when a reader knows more.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from django.http import HttpRequest

from contest.waiting import is_asked_again

MOST = 1000  # contests of which a process remembers moments
NUMBER = re.compile(r"\d{1,18}")


@dataclass(frozen=True, slots=True)
class Moment:
    """`revision` was the newest one at `began` (Unix time), when `stamp` stood for all that is not a result."""

    revision: str
    began: float
    stamp: str


@dataclass(slots=True)
class Allowance:
    """What a request may read: moments not older than so many `seconds`. `behind`: seconds by which it was."""

    seconds: float
    stamp: str
    wanted: int  # the oldest revision that is of any use: what the reader has, or the next one if they wait for it
    behind: float = 0.0


_latest: dict[int, Moment] = {}


def allow(request: HttpRequest, seconds: float, stamp: str) -> None:
    """Let this request be behind. `stamp`: of what is not a result, read before (contest/changes.py)."""
    known = _number(request.GET.get("rev", ""))
    wanted = known + 1 if known and is_asked_again(request) else known
    request.__dict__["_moments"] = Allowance(seconds, stamp, wanted)


def behind(request: HttpRequest) -> float:
    """Seconds by which the answer is behind at most, apart from the time that it took."""
    allowed: Allowance | None = request.__dict__.get("_moments")
    return allowed.behind if allowed else 0.0


def moment_of(request: HttpRequest, contest: int, revision: str) -> Moment | None:
    """The moment at which this request reads the contest, whose newest revision for the reader is given. None: now."""
    allowed: Allowance | None = request.__dict__.get("_moments")
    if allowed is None or allowed.seconds <= 0:
        return None
    now = time.time()
    found = _latest.get(contest)
    if (
        found is None
        or not 0 <= now - found.began < allowed.seconds
        or found.stamp != allowed.stamp
        or _kind(found.revision) != _kind(revision)
        or not allowed.wanted <= _number(found.revision) <= _number(revision)
    ):
        if len(_latest) >= MOST:
            _latest.clear()
        found = _latest[contest] = Moment(revision, now, allowed.stamp)
    allowed.behind = max(allowed.behind, now - found.began)
    return found


def _number(revision: str) -> int:
    found = NUMBER.match(revision)
    return int(found[0]) if found else 0


def _kind(revision: str) -> str:
    return revision.lstrip("0123456789")
