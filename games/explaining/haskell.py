"""Haskell: ghc and its runtime."""

from __future__ import annotations

import re

from games.explaining.reading import Files, Found, Hint, Missing

ERROR = re.compile(
    r"^(?P<file>\S+\.hs):\(?(?P<line>\d+)[:,].*?error:(?: \[.*\])*(?P<what>(?: .*)?(?:\n {4}.*)*)", re.MULTILINE
)
PLACED = re.compile(r"^\S+: (?P<file>\S+?\.hs):\(?(?P<line>\d+)[:,]\S*: (?P<what>.*)$", re.MULTILINE)
RAISED = re.compile(r"^\w[\w.-]*: (?P<what>.*)$", re.MULTILINE)
CALLED = re.compile(r"called at (?P<file>\S+?):(?P<line>\d+):\d+ in ")


def compiling(log: str, files: Files) -> Found | None:
    found = ERROR.search(log)
    if found is None:
        return None
    points = [it for it in re.split(r"•|\n(?=    \S)", found["what"]) if it.strip()]
    return files.found(points[0], found["file"], found["line"]) if points else None


def running(errors: str, files: Files) -> Found | None:
    if found := PLACED.search(errors):
        return files.found(found["what"], found["file"], found["line"])
    found = RAISED.search(errors)
    return files.first(found["what"], CALLED.findall(errors, found.end())) if found else None


HINTS = (
    Missing(
        r"Could not (?:find|load) module ‘(?:\w+\.)*(\w+)",
        "Beside ghc's own packages, only those that the rules name are here. Upload its modules, or do without it.",
    ),
    Hint(r"not in scope", "Look for a spelling mistake, or a missing import."),
    Hint(r"Couldn.t match|No instance", "Two types disagree here. Write the type of each function above it."),
    Hint(r"empty list|Non-exhaustive|Maybe.fromJust", "Add a case for what is missing here."),
    Hint(r"no parse", "What was read is not what you expect. `readMaybe` tells you so without a crash."),
    Hint(r"parse error|Unexpected|indentation", "Align this line with its block."),
)
