"""No answer at all."""

from __future__ import annotations

from games.doctor.finding import Finding, shown
from games.doctor.probes import Case
from games.doctor.visit import Visit


def look(visit: Visit, case: Case) -> Finding | None:
    last = visit.last
    if last is None or not last.silent:
        return None
    did = "was still computing" if last.busy else "was waiting, and did nothing"
    step = (
        "Look for a loop that never ends, or think less."
        if last.busy
        else f"Answer as soon as you have read the {case.unit} that asks, and do not wait for more input."
    )
    return Finding(
        "silent",
        f"You did not answer within {last.seconds:.1f} seconds. Your program {did}.",
        shown(last.sent),
        "nothing",
        case.expected(visit, last),
        step,
    )
