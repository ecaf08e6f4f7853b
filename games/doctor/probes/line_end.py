"""An answer without the end of its line."""

from __future__ import annotations

from games.doctor.finding import Finding, shown
from games.doctor.probes import Case
from games.doctor.visit import Visit


def look(visit: Visit, case: Case) -> Finding | None:
    last = visit.last
    if case.unit != "line" or last is None or not last.rest or not (last.silent or last.came):
        return None
    what = "What you printed after your answer has" if last.came else "Your answer has"
    return Finding(
        "no-line-end",
        f"{what} no line end, so nobody knows whether it is complete.",
        shown(last.sent),
        shown(last.rest) + (" (and no line end)"),
        case.expected(visit, last),
        "Print a line feed after each answer, and flush.",
    )
