"""A program that needs its input in one piece."""

from __future__ import annotations

from games.doctor.finding import Finding, listed, shown
from games.doctor.probes import Case
from games.doctor.visit import Visit


def look(visit: Visit, case: Case) -> Finding | None:
    last = visit.last
    if last is None or not visit.spoilt:
        return None
    return Finding(
        "pieces",
        "Your program fails if the lines before a question arrive a moment earlier than the question.",
        f"{shown(last.sent)} (a moment after the lines before it)",
        listed(last.came) or "nothing",
        case.expected(visit, last),
        "Read line by line. Pipes may split what is sent anywhere.",
    )
