"""Tcl."""

from __future__ import annotations

import re

from games.explaining.reading import TOGETHER, Files, Found, Hint, Missing

MESSAGE = re.compile(r"^(?P<what>.*)\n +while (?:executing|compiling)$", re.MULTILINE)
INSIDE = re.compile(r'^ +\(procedure "(?P<name>[^"]*)" line (?P<line>\d+)\)$', re.MULTILINE)
FRAME = re.compile(r'^ +\(file "(?P<file>[^"]*)" line (?P<line>\d+)\)$', re.MULTILINE)


def running(errors: str, files: Files) -> Found | None:
    """Tcl counts the lines of a procedure from its own first line, and names the line of the file that called it."""
    message = MESSAGE.search(errors)
    if message is None:
        return None
    inside = INSIDE.search(errors, message.end())
    what = f"{message['what']}, in line {inside['line']} of procedure {inside['name']}" if inside else message["what"]
    return files.first(what, FRAME.findall(errors, message.end()))


compiling = running
HINTS = (
    Missing(
        r"can't find package (\S+)",
        "{0} is not installed here: the rules name the libraries that are. Upload its files, or do without it.",
    ),
    Missing(r"couldn't read file \"([^\"]+)\"", TOGETHER),
    Hint(r"no such variable", "Look for a spelling mistake, or set it first (`global` inside a procedure)."),
    Hint(r"invalid command name", "Look for a spelling mistake, or define it with `proc`."),
    Hint(r"missing close-brace", "Look for the missing brace in the command that begins here."),
    Hint(r"non-numeric", "Your program got something else than the number it expected."),
)
