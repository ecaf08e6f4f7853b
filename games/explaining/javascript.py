"""JavaScript: Node's errors."""

from __future__ import annotations

import re

from games.explaining.reading import TOGETHER, Files, Found, Hint, Missing

PLACE = re.compile(r"^(?P<file>\S+?):(?P<line>\d+)\n.*\n *\^+", re.MULTILINE)
THROWN = re.compile(r"^(?P<what>(?:Uncaught )?[\w$.]+(?: \[\w+\])?(?:: .*)?)\n(?:.*\n)*? +at ", re.MULTILINE)
BARE = re.compile(r"^Uncaught:?\s*(?P<what>.+)$", re.MULTILINE)
FRAME = re.compile(r"^ +at .*?\(?(?:file://)?(?P<file>/[^\s:()]+):(?P<line>\d+):\d+\)?$", re.MULTILINE)


def running(errors: str, files: Files) -> Found | None:
    thrown = THROWN.search(errors) or BARE.search(errors)
    if thrown is None:
        return None
    what = re.sub(r" \[Error\]|^Uncaught ", "", thrown["what"])
    places = FRAME.findall(errors, thrown.start())
    if place := PLACE.search(errors):
        places.append((place["file"], place["line"]))
    return files.first(what, places)


compiling = running
HINTS = (
    Missing(
        r"Cannot find module '([^'./][^']*)'",
        "{0} is not installed here. Only Node's own modules are; do without it, or upload its files.",
    ),
    Missing(r"Cannot find module '(\.[^']*)'", TOGETHER),
    Hint(r"Cannot use import statement", "Name the file .mjs, or use `require`."),
    Hint(r"is not defined", "Look for a spelling mistake, or declare it before this line."),
    Hint(r"of (?:undefined|null)", "Something is missing here. Print it with console.error before this line."),
    Hint(r"is not a function", "Its value here is not a function. Print it with console.error before this line."),
    Hint(r"^SyntaxError", "Look for a missing bracket, comma or quote at or above this line."),
    Hint(r"Maximum call stack", "Look for the call that never ends."),
)
