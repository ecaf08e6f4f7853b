"""More than one answer to a question."""

from __future__ import annotations

from games.doctor.finding import Finding, listed, shown
from games.doctor.probes import Case
from games.doctor.visit import Visit

CODE = "double-answer"
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def look(visit: Visit, case: Case) -> Finding | None:
    for each in visit.exchanges:
        if (count := len(each.came)) > 1:
            many = NUMBERS[count] if count < len(NUMBERS) else str(count)
            did = "sent" if case.unit == "message" else "printed"
            return Finding(
                CODE,
                f"You {did} {many} {case.unit}s for one question.",
                shown(each.sent),
                listed(each.came),
                case.expected(visit, each),
                f"Answer with one {case.unit}: a second one is taken for the answer to the next question.",
            )
    return None
