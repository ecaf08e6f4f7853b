"""A message whose first four bytes are not its length."""

from __future__ import annotations

from games.doctor.finding import Finding, shown
from games.doctor.probes import Case
from games.doctor.visit import Visit
from games.frames import HEADER, LONGEST

BIG_ENDIAN = "Send the number of bytes first, as four bytes with the highest first (network order), then the JSON."


def look(visit: Visit, case: Case) -> Finding | None:
    last = visit.last
    if case.unit != "message" or last is None or not last.rest or not (last.silent or last.fault):
        return None
    raw = last.rest
    length, wrong_way = int.from_bytes(raw[:HEADER], "big"), int.from_bytes(raw[:HEADER], "little")
    if raw[:1] in (b"{", b"["):
        said = "You sent JSON without the four bytes before it that say how long it is."
    elif not 1 <= length <= LONGEST and wrong_way == len(raw) - HEADER:
        said = "You sent the length of your message with its lowest byte first."
    elif not 1 <= length <= LONGEST:
        said = f"You announced a message of {length} bytes. It may have 1 to {LONGEST}."
    else:
        said = f"You announced {length} bytes and sent {len(raw) - HEADER}."
    return Finding("wrong-length", said, shown(last.sent), shown(raw), case.expected(visit, last), BIG_ENDIAN)
