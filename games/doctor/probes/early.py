"""An answer that is there before its question."""

from __future__ import annotations

from games.doctor.finding import Finding, shown
from games.doctor.probes import Case
from games.doctor.visit import Visit


def look(visit: Visit, case: Case) -> Finding | None:
    for each in visit.exchanges:
        early = next((line for line, readable in each.unasked if readable and not each.free), None)
        if early is not None:
            return Finding(
                "early-answer",
                f"You answered before you were asked: “{shown(early)}” was there before its question.",
                shown(each.sent),
                f"{shown(early)} (before the question)",
                case.expected(visit, each),
                f"Answer with one {case.unit} for each question, and with nothing when you are only told something.",
            )
    return None
