"""A program that does not end, or fails, when its input ends."""

from __future__ import annotations

from games import explaining
from games.doctor.finding import Finding
from games.doctor.probes import Case
from games.doctor.visit import Visit

STEP = "Leave your loop when there is nothing more to read."


def look(visit: Visit, case: Case) -> Finding | None:
    if visit.spoilt or case.patient.game.protocol in ("socket", "question"):
        return None
    sent, expected = "the end of your input", "the end of your program"
    if visit.ended is None:
        return Finding(
            "no-end", "Your program goes on when its input has ended.", sent, "nothing", expected, STEP, note=True
        )
    if not visit.ended.code and not visit.ended.signal:
        return None
    detail = visit.ended.fault().detail.removesuffix(" without an answer")
    found = explaining.ended(detail, case.patient.language, visit.stderr, case.patient.names)
    said = f"When its input ended, your program {found.sentence}."
    return Finding("end-crash", said, sent, "an error", expected, found.advice or STEP, note=True)
