"""How many matches a stage will have, and how long they will take."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Times:
    """The duration of one match, usually and at most (every bot uses all its time), and how many run at once."""

    usual: timedelta
    most: timedelta
    at_once: int


@dataclass(frozen=True, slots=True)
class Expected:
    """Estimates for a whole stage. Play-offs are not included; with series there may be up to `most_matches`.

    A stage that goes on until a set end has no fixed number of matches. It has a rate `an_hour` and a total `in_all`,
    which is None if no end is set.
    """

    rounds: int = 0
    matches: int = 0
    most_matches: int = 0
    usual: timedelta = timedelta()
    most: timedelta = timedelta()
    an_hour: int | None = None
    in_all: int | None = None
