"""A TCP client that never connects."""

from __future__ import annotations

from games import explaining
from games.doctor.finding import Finding
from games.doctor.probes import Case
from games.doctor.visit import Visit


def look(visit: Visit, case: Case) -> Finding | None:
    if visit.connected:
        return None
    patient, step = case.patient, explaining.UNCONNECTED
    came = f"no connection within {patient.startup:g} seconds"
    said = f"Your program never connected to {visit.address} (HOST PORT)."
    if visit.ended is not None:
        found = explaining.ended(
            visit.ended.fault("having connected").detail, patient.language, visit.stderr, patient.names
        )
        said, came, step = f"{said} It {found.sentence}.", "the end of your program", found.advice or step
    elif words := explaining.last_words(visit.stderr):
        came += f", and on standard error “{words}”"
    return Finding("never-connected", said, f"HOST PORT as arguments: {visit.address}", came, "a connection", step)
