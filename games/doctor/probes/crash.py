"""A program that ends while an answer is due."""

from __future__ import annotations

from games import explaining
from games.doctor.finding import Finding, shown
from games.doctor.probes import Case
from games.doctor.visit import Visit

BY_HAND = "Start it yourself with the command above, and type what was sent."


def look(visit: Visit, case: Case) -> Finding | None:
    last = visit.last
    if last is None or last.exit is None:
        return None
    patient = case.patient
    found = explaining.ended(last.exit.fault().detail, patient.language, visit.stderr, patient.names)
    return Finding(
        "crash",
        f"Your program {found.sentence}.",
        shown(last.sent),
        shown(last.rest) or "nothing",
        case.expected(visit, last),
        found.advice or (f"Look at line {found.line} of {found.file}." if found.file else BY_HAND),
    )
