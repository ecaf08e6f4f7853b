"""A slow start."""

from __future__ import annotations

from games.doctor.finding import Finding, shown
from games.doctor.probes import Case
from games.doctor.visit import Visit


def look(visit: Visit, case: Case) -> Finding | None:
    """The first answer may take what is allowed for starting, but half of that is close: the portal is busier."""
    if not visit.exchanges or visit.exchanges[0].silent:
        return None
    first, allowed = visit.exchanges[0], case.patient.startup
    if first.seconds <= allowed / 2:
        return None
    return Finding(
        "slow-start",
        f"Your first answer took {first.seconds:.1f} seconds. Starting may take {allowed:g}.",
        shown(first.sent),
        f"the answer after {first.seconds:.1f} seconds",
        f"an answer within {allowed:g} seconds, on a busier machine than yours",
        "Load or compute less before your first answer.",
        note=first.seconds <= allowed,
    )
