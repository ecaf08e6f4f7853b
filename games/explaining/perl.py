"""Perl."""

from __future__ import annotations

import re

from games.explaining.reading import Files, Found, Hint, Missing

MESSAGE = re.compile(
    r"^(?!BEGIN failed|Execution of )(?P<what>.+?) at (?P<file>\S+) line (?P<line>\d+)[.,]?.*$", re.MULTILINE
)


def compiling(log: str, files: Files) -> Found | None:
    found = MESSAGE.search(log)
    return _found(found, files) if found else None


def running(errors: str, files: Files) -> Found | None:
    """Earlier ones are warnings; it died of the last one."""
    messages = list(MESSAGE.finditer(errors))
    return _found(messages[-1], files) if messages else None


def _found(message: re.Match[str], files: Files) -> Found:
    what = re.sub(r" \(you may need to install.*", "", message["what"])
    near = re.search(r", near (?:\".*)$", message[0])
    return files.found(what + (near[0] if near else ""), message["file"], message["line"])


HINTS = (
    Hint(
        r"Can't locate (?:Data/Dumper|FindBin|IO/Socket|JSON/PP|Socket|Time/HiRes)\b",
        "It belongs to Perl, but only a part of Perl is installed here. On Debian and Ubuntu, run as root: "
        "apt-get install perl",
    ),
    Missing(
        r"Can't locate (\S+)\.pm",
        "Beside Perl's own modules, only those that the rules name are here. Upload its files, or do without it.",
    ),
    Hint(r"requires explicit package name", "Declare it with `my`, or look for a spelling mistake."),
    Hint(r"^syntax error", "Look for a missing semicolon or bracket at or above this line."),
    Hint(
        r"on an undefined value|uninitialized value", "Something is undefined here. Look at where the value comes from."
    ),
    Hint(r"division by zero", "Check the divisor before you divide."),
)
