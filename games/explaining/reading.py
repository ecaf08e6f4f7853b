"""What all readers of compilers' and programs' complaints share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from games.debug import OURS

LONGEST = 300
"""Characters of a message that are shown."""

LINES, WIDTH = 200, 400
"""Of what a compiler or program wrote, so many lines are read at its beginning and at its end, and so much of each."""


@dataclass(frozen=True, slots=True)
class Found:
    """What went wrong, in the words of the compiler or the program, and where in the author's own files.

    `file` is the author's name for it, empty if no own line is to blame or the language does not say; `line` counts
    from 1. `advice` is one next step, empty if there is none better than reading the message.
    """

    what: str
    file: str = ""
    line: int = 0
    advice: str = ""

    @property
    def sentence(self) -> str:
        """The message with its place, without a full stop: "NameError: name 'x' is not defined (shark.py, line 5)"."""
        return f"{self.what} ({self.file}, line {self.line})" if self.file else self.what


class Files:
    """The author's files. `names` maps each name as compilers and programs know it to the author's name for it."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = dict(names)

    def own(self, path: str) -> str:
        """The author's name for the file at `path`, as found in a message; empty if it is not the author's."""
        path = path.removeprefix("./")
        for name, known_as in self._names.items():
            if path == name or path.endswith(f"/{name}"):
                return known_as
        return ""

    def like(self, path: str, asking: str = "") -> str:
        """The author's file that a missing file or module may be: it lies elsewhere, or its name differs in case or
        signs, or has what people and systems add: `hand (1).h`, `hand-old.h`, `hand.h.txt`. Not the file `asking`."""
        name = _name(path)
        stem, _, ending = name.partition(".")
        letters = r"[\W_]*".join(re.sub(r"[\W_]", "", stem)) or "$."
        kind = re.escape((ending or _name(asking).rpartition(".")[2])[:1])  # `.hpp` is like `.h`, and `.pm` like `.pl`
        alike = re.compile(rf"{letters}(?![^\W\d_])[^.]*(?:\.{kind}|$)")
        found = [it for it in self._names.values() if it != asking and alike.match(_name(it))]
        return min(found, key=lambda it: (_name(it) != name, len(it)), default="")

    def found(self, what: str, path: str = "", line: int | str = 0) -> Found:
        """The message at that place, or without a place if the file is not the author's."""
        file = self.own(path) if path else ""
        return Found(clip(what), file, int(line) if file else 0)

    def first(self, what: str, places: Iterable[tuple[str, str]]) -> Found:
        """The message at the first of these places (path, line) that is the author's."""
        for path, line in places:
            if self.own(path):
                return self.found(what, path, line)
        return self.found(what)


def _name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2].lower()


def bounded(text: str) -> str:
    """The first and the last lines of a text without ours, each cut, so that no text can take long to read."""
    lines = OURS.sub("", text).splitlines()
    if len(lines) > 2 * LINES:
        lines = lines[:LINES] + lines[-LINES:]
    return "".join(f"{line[:WIDTH]}\n" for line in lines)


def clip(text: str) -> str:
    """The text on one line, cut if it is too long."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


@dataclass(frozen=True, slots=True)
class Hint:
    """Advice for messages that match a pattern. Groups of the pattern can be used in it, as in `str.format`."""

    pattern: str
    advice: str

    def for_message(self, found: Found, files: Files) -> str:
        match = re.search(self.pattern, found.what)
        return self.advice.format(*match.groups()) if match else ""


TOGETHER = "Upload {0} together with this file. If it comes with a starter kit, this bot is for another game."
"""The kit of the own game is always there."""


class Missing(Hint):
    """Advice for messages about a file or module that is not there. The last group of the pattern is its bare name."""

    def for_message(self, found: Found, files: Files) -> str:
        match = re.search(self.pattern, found.what)
        names = list(filter(None, match.groups())) if match else []
        if names and (there := files.like(names[-1], found.file)):
            return (
                f"It is in your upload as {there}. Use exactly this name, with its folder and case, or rename the file."
            )
        return super().for_message(found, files)


def advise(found: Found, hints: Iterable[Hint], files: Files) -> Found:
    """The same with the advice of the first hint that matches, unless it has one."""
    for hint in () if found.advice else hints:
        if advice := hint.for_message(found, files):
            return replace(found, advice=advice)
    return found
