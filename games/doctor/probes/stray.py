"""Text among the answers that is not an answer."""

from __future__ import annotations

from games.doctor.finding import Finding, listed, shown
from games.doctor.probes import Case
from games.doctor.visit import Visit


def look(visit: Visit, case: Case) -> Finding | None:
    for each in visit.exchanges:
        unreadable = [line for line, readable in (*each.unasked, *each.answers) if not readable]
        unreadable += [line for line, _ in each.unasked if each.free]
        if unreadable and (each.early or len(each.came) > 1):
            line = unreadable[0]
            did = "sent" if case.unit == "message" else "printed"
            return Finding(
                "stray-print",
                f"You {did} “{shown(line)}” among your answers.",
                shown(each.sent),
                listed([*each.early, *each.came]),
                case.expected(visit, each),
                "Print it to standard error instead. The portal shows it to you beside the game."
                if case.unit == "line"
                else "Send nothing but answers over the connection. Print debugging to standard error.",
            )
    return None
