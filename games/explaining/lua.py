"""Lua."""

from __future__ import annotations

import re

from games.explaining.reading import Files, Found, Hint, Missing

MESSAGE = re.compile(r"^\S*luac?[\d.]*: (?P<file>.+?):(?P<line>\d+): (?P<what>.*)$", re.MULTILINE)
BARE = re.compile(r"^\S*lua[\d.]*: (?P<what>.*)$", re.MULTILINE)
FRAME = re.compile(r"^\t(?P<file>[^\s:]+):(?P<line>\d+): in ", re.MULTILINE)


def running(errors: str, files: Files) -> Found | None:
    if found := MESSAGE.search(errors):
        places = [(found["file"], found["line"]), *FRAME.findall(errors, found.end())]
        return files.first(found["what"].removesuffix(":"), places)
    found = BARE.search(errors)
    return files.first(found["what"], FRAME.findall(errors, found.end())) if found else None


compiling = running
HINTS = (
    Missing(
        r"module '((?:\w+\.)*(\w+))' not found",
        "{0} is not installed here: the rules name the libraries that are. Upload its files, or do without it.",
    ),
    Hint(
        r"attempt to (?:index|call|perform arithmetic on) a nil value",
        "Something is nil here: a spelling mistake, or input that is not what you expect.",
    ),
    Hint(r"expected", "Look for a missing bracket, `end` or comma at or above this line."),
)
