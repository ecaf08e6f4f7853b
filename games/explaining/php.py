"""PHP."""

from __future__ import annotations

import re

from games.explaining.reading import TOGETHER, Files, Found, Hint, Missing

FATAL = re.compile(
    r"^(?:PHP )?(?:Parse|Fatal) error: +(?:Uncaught )?(?P<what>.*?)(?:, called)?"
    r" in (?P<file>\S+?)(?::| on line )(?P<line>\d+)",
    re.MULTILINE | re.DOTALL,
)


def running(errors: str, files: Files) -> Found | None:
    found = FATAL.search(errors)
    return files.found(found["what"], found["file"], found["line"]) if found else None


compiling = running
HINTS = (
    Missing(r"Failed opening required '([^']+)'", TOGETHER),
    Hint(r"undefined function (?:mb_|curl_|gmp_|bc)", "This extension is not installed here. Do without it."),
    Hint(r"undefined function", "Look for a spelling mistake, or define the function."),
    Hint(r"on null", "Something is null here. Look at where the value comes from."),
    Hint(r"^syntax error", "Look for a missing semicolon or bracket at or above this line."),
)
