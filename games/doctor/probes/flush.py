"""An answer that stays in a buffer until the program ends."""

from __future__ import annotations

from games.doctor.finding import Finding, listed, shown
from games.doctor.probes import Case
from games.doctor.visit import Visit

HOW = {
    "c": "fflush(stdout)",
    "cpp": "std::cout << std::flush",
    "go": "writer.Flush()",
    "haskell": "hFlush stdout",
    "java": "System.out.flush()",
    "javascript": "process.stdout.write, and do not call process.exit before it is written",
    "lua": "io.stdout:flush()",
    "pascal": "Flush(Output)",
    "perl": "$| = 1 at the start",
    "php": "fflush(STDOUT)",
    "python": "print(…, flush=True)",
    "ruby": "$stdout.sync = true at the start",
    "rust": "io::stdout().flush()",
    "scala": "Console.flush()",
    "tcl": "flush stdout",
}


def look(visit: Visit, case: Case) -> Finding | None:
    last = visit.last
    if last is None or not last.silent or not last.late or last.rest or last.busy:
        return None
    how = HOW.get(case.patient.language)
    return Finding(
        "no-flush",
        "Your answer arrived only when you exited: flush.",
        shown(last.sent),
        f"nothing; then, at the end of your input, {listed(last.late)}",
        case.expected(visit, last),
        f"Flush after each answer{f': {how}' if how else ''}. If you do, your program waits for the end of its input.",
    )
