"""A program that writes without end."""

from __future__ import annotations

from games.doctor.finding import Finding, shown
from games.doctor.probes import Case
from games.doctor.visit import Visit
from games.pipes import FLOOD

STEP = "Write one line for each question. What you want to read yourself belongs on standard error."


def look(visit: Visit, case: Case) -> Finding | None:
    last = visit.last
    if not visit.flooded or last is None:
        return None
    came = b"".join(last.early) or b"".join(last.came) or last.rest
    said = f"You wrote more than {FLOOD} bytes that nobody asked for."
    return Finding("flood", said, shown(last.sent), shown(came[:FLOOD]), case.expected(visit, last), STEP)
