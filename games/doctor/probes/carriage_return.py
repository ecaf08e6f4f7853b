"""A program that stumbles over the line ends of Windows."""

from __future__ import annotations

from games.doctor.finding import Finding, listed, shown
from games.doctor.probes import Case
from games.doctor.visit import Visit


def look(visit: Visit, case: Case) -> Finding | None:
    last = visit.last
    if last is None or not visit.spoilt:
        return None
    return Finding(
        "carriage-return",
        "Your program fails if lines end as on Windows (CR LF). The portal ends them with LF alone.",
        f"{shown(last.sent)} (with CR LF)",
        listed(last.came) or "nothing",
        case.expected(visit, last),
        "Remove white space from the end of each line that you read. Then files written on Windows work too.",
        note=True,
    )
