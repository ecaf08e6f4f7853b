"""Go: its compiler, and panics."""

from __future__ import annotations

import re

from games.explaining.reading import Files, Found, Hint, Missing

ERROR = re.compile(r"^(?:\./)?(?P<file>\S+\.go):(?P<line>\d+):(?:\d+:)? (?P<what>.*?)(?: in any of:)?$", re.MULTILINE)
PANIC = re.compile(r"^(?P<what>(?:panic|fatal error): .*)$", re.MULTILINE)
FRAME = re.compile(r"^\t(?P<file>\S+\.go):(?P<line>\d+)", re.MULTILINE)


def compiling(log: str, files: Files) -> Found | None:
    found = ERROR.search(log)
    return files.found(found["what"], found["file"], found["line"]) if found else None


def running(errors: str, files: Files) -> Found | None:
    found = PANIC.search(errors)
    return files.first(found["what"], FRAME.findall(errors, found.end())) if found else None


HINTS = (
    Missing(
        r"cannot find package \"([^\"]+)\"|no required module provides package (\S+)",
        "Only the standard library is here. Do without this package, or upload its files.",
    ),
    Hint(
        r"\"\./(\S+)\" is relative",
        "Import it as `bot/{0}`, or with the name in your go.mod in place of `bot`.",
    ),
    Hint(
        r"declared (?:and|but) not used|imported and not used", "Go wants unused names removed: delete it, or use it."
    ),
    Hint(r"^undefined: ", "Look for a spelling mistake, or a missing import."),
    Hint(r"index out of range|slice bounds", "Check the length before you index."),
    Hint(r"nil map", "Make the map first: `make(map[…]…)`."),
    Hint(r"nil pointer", "A pointer is nil here. Look at where the value comes from."),
    Hint(r"all goroutines are asleep", "Every goroutine waits for another one. Nobody sends on that channel."),
    Hint(r"possibly missing", "Go needs a comma before a line break inside brackets."),
)
