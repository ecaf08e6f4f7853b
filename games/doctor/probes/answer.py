"""An answer that cannot be read, or is not allowed."""

from __future__ import annotations

from games.doctor.finding import Finding, shown
from games.doctor.probes import Case
from games.doctor.visit import Visit
from games.engine import FaultKind

STEPS = {
    FaultKind.GARBLED: "Compare your answer with the expected one, character by character.",
    FaultKind.ILLEGAL: "Compare what your program knows with what it was told: print its hand to standard error.",
}


def look(visit: Visit, case: Case) -> Finding | None:
    last = visit.last
    if last is None or last.fault is None:
        return None
    fault = last.fault
    return Finding(
        "illegal-answer" if fault.kind is FaultKind.ILLEGAL else "unreadable-answer",
        f"Your program {fault.detail}.",
        shown(last.sent),
        shown(last.came[0]) if last.came else "nothing",
        case.expected(visit, last),
        STEPS.get(fault.kind, ""),
    )
