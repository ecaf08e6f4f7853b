"""How many matches a stage will have, and how long they take."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Times:
    """Of one match, as a rule and when every bot uses all of its time; so many matches are played at once."""

    usual: timedelta
    most: timedelta
    at_once: int


@dataclass(frozen=True, slots=True)
class Expected:
    """Of a whole stage. Play-offs are not foreseen; in a series there may be `most_matches`.

    A stage that goes on until its end has no matches to count, but so many `an_hour` and `in_all`; the latter is None
    where no end is set.
    """

    rounds: int = 0
    matches: int = 0
    most_matches: int = 0
    usual: timedelta = timedelta()
    most: timedelta = timedelta()
    an_hour: int | None = None
    in_all: int | None = None
