"""Why a program ended in a game, for those who may read its standard error."""

from __future__ import annotations

import re
from pathlib import PurePath

from contest.replay.parts import Pieces
from games import explaining
from games.engine import Event, FaultKind
from games.toolchains import recognise

STARTED = re.compile(r"^[ \t]+at [\w.$]+\.main\(([\w.$-]+):\d+\)$", re.MULTILINE)
"""Where a stack trace of Java or Scala begins: a program is built under the name of its class (games.compiled)."""


def ended(fault: Event, bot: str, pieces: Pieces, place: int) -> explaining.Found | None:
    """Why a program crashed, where what it wrote says more than the fault does.

    `bot` is the name of its entry, `pieces` its standard error, and `place` the index of the fault in the record.
    """
    if fault["kind"] != FaultKind.CRASH:
        return None
    recipe, suffix = recognise(bot), PurePath(bot).suffix
    errors = "".join(text for at, text in pieces if at <= place)
    built = (f"bot{suffix}", f"entry{suffix}", *STARTED.findall(errors))  # perhaps under another name
    names = {bot: bot} | dict.fromkeys(built, bot)
    found = explaining.ended(fault["detail"], recipe.language if recipe else "", errors, names)
    return found if found.what != fault["detail"] or found.advice else None


def in_words(found: explaining.Found) -> str:
    """The explanation as sentences about "it"."""
    return f"It {found.sentence}.{f' {found.advice}' if found.advice else ''}"
