"""Rust: its compiler, and panics."""

from __future__ import annotations

import re

from games.explaining.reading import Files, Found, Hint, Missing

ERROR = re.compile(
    r"^error(?:\[E\d+\])?: (?P<what>.*)\n +--> (?P<file>\S+?):(?P<line>\d+):\d+\n(?P<more>(?: *\d* *[|.].*\n)*)",
    re.MULTILINE,
)
LABEL = re.compile(r"\^+ +(?P<what>\S.*)$", re.MULTILINE)
PANIC = re.compile(r"^thread '.*' panicked at '(?P<what>.*)', (?P<file>\S+?):(?P<line>\d+):\d+$", re.MULTILINE)
NEWER_PANIC = re.compile(
    r"^thread '.*'.* panicked at (?P<file>\S+?):(?P<line>\d+):\d+:\n(?P<what>.*)$", re.MULTILINE
)  # from Rust 1.73 on


def compiling(log: str, files: Files) -> Found | None:
    found = ERROR.search(log)
    if found is None:
        return None
    label = LABEL.search(found["more"])
    known = label is None or label["what"] in found["what"] or label["what"].startswith("not found")
    what = found["what"] if label is None or known else f"{found['what']}: {label['what']}"
    return files.found(what, found["file"], found["line"])


def running(errors: str, files: Files) -> Found | None:
    found = NEWER_PANIC.search(errors) or PANIC.search(errors)
    return files.found(found["what"], found["file"], found["line"]) if found else None


HINTS = (
    Hint(
        r"undeclared crate or module|can't find crate|unresolved import",
        "Only the standard library is here. Do without the crate.",
    ),
    Missing(r"file not found for module `(\w+)`", "Upload {0}.rs together with this file."),
    Hint(r"moved value", "Pass a reference (`&`), or clone the value."),
    Hint(r"cannot find", "Look for a spelling mistake, or a missing `use`."),
    Hint(r"mismatched types", "Convert the value, or change the declared type."),
    Hint(r"index out of bounds", "Check the length, or use `get`."),
    Hint(r"unwrap\(\)|Err. value|expect", "Handle the other case with `match` instead of `unwrap`."),
    Hint(r"overflow", "Use a larger type, or `checked_` arithmetic."),
)
