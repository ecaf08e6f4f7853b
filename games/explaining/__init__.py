"""What a compiler or a crashed program says, read for people: the real error, its place in the author's own files, and
one next step.

There is one reader for each language of games.toolchains, with the same three parts: `compiling` reads the output of
the compiler or of the syntax check, `running` what a program wrote to standard error, and `HINTS` are advice for
messages. Both return None for text that they cannot read. `tests/games/failures` has real failures of every language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import ModuleType

from games.debug import OURS
from games.explaining import c, go, haskell, java, javascript, lua, pascal, perl, php, python, ruby, rust, tcl
from games.explaining.reading import Files, Found, advise, bounded, clip

__all__ = ["Found", "build", "crash", "ended", "last_words", "signal"]

READERS: dict[str, ModuleType] = {
    "c": c, "cpp": c, "go": go, "haskell": haskell, "java": java, "javascript": javascript, "lua": lua,
    "pascal": pascal, "perl": perl, "php": php, "python": python, "ruby": ruby, "rust": rust, "scala": java, "tcl": tcl,
}  # fmt: skip

SIGNALS = {
    4: "an illegal instruction: compilers put it where a program divides by 0, or a function ends without `return`",
    6: "abort(): a failed assertion, an uncaught exception, or memory that was damaged",
    8: "a division by zero, or another impossible calculation",
    11: "a memory violation: usually an index out of range or a bad pointer",
}
"""The most common signals, explained for people who meet them for the first time."""

DISCONNECTED = "Its clock runs on while it is not connected: find out why it closed its connection."
UNCONNECTED_DETAIL = "without having connected"
UNCONNECTED = "It must connect to HOST PORT, its last two arguments unless you gave others, as soon as it starts."


def build(language: str, log: str, names: Mapping[str, str]) -> Found | None:
    """The first error in a compiler's output. None if the language is unknown or its reader finds none.

    `names` are the author's files: from the name that the compiler saw to the author's own."""
    reader = READERS.get(language)
    found = reader.compiling(bounded(log), Files(names)) if reader else None
    return advise(found, reader.HINTS, Files(names)) if reader and found else None


def others(log: str, names: Mapping[str, str]) -> list[Found]:
    """The first error of each source that does not compile beside a Python entry that does (Jailed.checks_all)."""
    found = (build("python", python.START + each, names) for each in log.split(python.START)[1:])
    return [each for each in found if each]


def crash(language: str, errors: str, names: Mapping[str, str]) -> Found | None:
    """What ended a program, from its standard error. `names` as for `build`. None as for `build`."""
    reader = READERS.get(language)
    found = reader.running(bounded(errors), Files(names)) if reader else None
    return advise(found, reader.HINTS, Files(names)) if reader and found else None


def ended(detail: str, language: str, errors: str, names: Mapping[str, str]) -> Found:
    """Why a program ended that still owed something: the detail of its fault (words that follow "it"), and what is
    known about the reason. `errors` is its standard error, `names` as for `build`."""
    if found := crash(language, errors, names):
        return Found(f"{detail}: {found.what}", found.file, found.line, found.advice)
    number = re.search(r"signal (\d+)", detail)
    if meaning := SIGNALS.get(int(number[1])) if number else "":
        detail += f" ({meaning})"
    if said := last_words(errors):
        detail += f"; its standard error ends with “{said}”"
    return Found(detail, advice=UNCONNECTED if UNCONNECTED_DETAIL in detail else "")


def last_words(errors: str, lines: int = 3) -> str:
    """The last lines of standard error that are not blank, on one line, for programs that no reader understands."""
    kept = [line.strip() for line in OURS.sub("", errors).splitlines() if line.strip()][-lines:]
    return clip(" / ".join(kept))
