"""Ruby."""

from __future__ import annotations

import re

from games.explaining.reading import Files, Found, Hint, Missing

SYNTAX = re.compile(r"^(?:\S+: )?(?P<file>\S+?\.rb):(?P<line>\d+): (?P<what>syntax error.*)$", re.MULTILINE)
RAISED = re.compile(r"^(?P<file>\S+?):(?P<line>\d+):in [`'].*?': (?P<what>.*) \((?P<type>[\w:]+)\)$", re.MULTILINE)
FRAME = re.compile(r"^\s+from (?P<file>\S+?):(?P<line>\d+):in ", re.MULTILINE)


def compiling(log: str, files: Files) -> Found | None:
    found = SYNTAX.search(log)
    return files.found(found["what"], found["file"], found["line"]) if found else None


def running(errors: str, files: Files) -> Found | None:
    found = RAISED.search(errors)
    if found is None:
        return None
    places = [(found["file"], found["line"]), *FRAME.findall(errors, found.end())]
    return files.first(f"{found['type']}: {found['what']}", places)


HINTS = (
    Missing(
        r"cannot load such file -- (\S+)",
        "{0} is not installed here: only Ruby's own library is. Do without it, or upload its files.",
    ),
    Hint(r"for nil", "Something is nil here. Print it with `warn` before this line."),
    Hint(r"undefined local variable|undefined method", "Look for a spelling mistake, or define it before this line."),
    Hint(r"unexpected end-of-input", "Look for a missing `end`."),
    Hint(r"^ZeroDivisionError", "Check the divisor before you divide."),
)
