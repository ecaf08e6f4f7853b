"""Pascal: Free Pascal and its runtime errors."""

from __future__ import annotations

import re

from games.explaining.reading import Files, Found, Hint, Missing

ERROR = re.compile(r"^(?P<file>\S+)\((?P<line>\d+)(?:,\d+)?\) (?:Error|Fatal): (?P<what>.*)$", re.MULTILINE)
ABORTED = re.compile(r"^(?:Error|Fatal): (?!Compilation aborted)(?P<what>.*)$", re.MULTILINE)
UNHANDLED = re.compile(r"^An unhandled exception occurred at \S+:\n(?P<what>.*)$", re.MULTILINE)
NUMBERED = re.compile(r"^Runtime error (?P<number>\d+) at", re.MULTILINE)
LINE = re.compile(r"^\s+\$\w+ .*\bline (?P<line>\d+) of (?P<file>\S+)$", re.MULTILINE)  # of a program built with -gl
MEANINGS = {
    2: "file not found", 3: "path not found", 4: "too many open files", 5: "file access denied",
    100: "nothing left to read", 101: "the disk is full", 103: "the file is not open",
    106: "what was read is not a number",
    200: "division by zero", 201: "an index or a value is out of range", 202: "the stack is full",
    203: "no memory left", 204: "an invalid pointer", 205: "a number is too large", 207: "an invalid calculation",
    210: "an object is not initialised", 211: "an abstract method was called", 215: "an arithmetic overflow",
    216: "a bad pointer", 217: "an unhandled exception", 219: "an invalid type cast", 227: "an assertion failed",
}  # fmt: skip
"""https://www.freepascal.org/docs-html/user/userap4.html"""


def compiling(log: str, files: Files) -> Found | None:
    if found := ERROR.search(log):
        return files.found(found["what"], found["file"], found["line"])
    found = ABORTED.search(log)
    return files.found(found["what"]) if found else None


def running(errors: str, files: Files) -> Found | None:
    places = [(found["file"], found["line"]) for found in LINE.finditer(errors)]
    if found := UNHANDLED.search(errors):
        return files.first(found["what"], places)
    if found := NUMBERED.search(errors):
        number = int(found["number"])
        meaning = f": {MEANINGS[number]}" if number in MEANINGS else ""
        return files.first(f"Runtime error {number}{meaning}", places)
    return None


HINTS = (
    Missing(
        r"Can.t find unit (\w+)",
        "Only Free Pascal's own units are here. Upload {0} with your program, or do without it.",
    ),
    Hint(r'found "(?:Result|TArray)"', "Write {{$mode delphi}} into the first line of the file."),
    Hint(r"Identifier not found", "Declare it, or add the unit that has it to `uses`."),
    Hint(r'";" expected', "Look for a missing semicolon at the end of the line above."),
    Hint(r"Runtime error 100\b", "The game is over when your input ends. Test `eof` before you read."),
    Hint(r"Runtime error 106\b|invalid integer", "Your program read something else than the number it expected."),
    Hint(r"^Runtime error|^E[A-Z]", "Compile with `-gl` at home and play again: it then names the line."),
)
