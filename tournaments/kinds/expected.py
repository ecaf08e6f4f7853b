"""How many matches a stage will have, and how long they will take."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Times:
    """The usual duration of a match, how many run at once, and the rounds whose tables play one after the other."""

    usual: timedelta
    at_once: int
    in_turn: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class ExpectedRound:
    """A round of a plan, and how long it usually takes."""

    name: str
    usual: timedelta


@dataclass(frozen=True, slots=True)
class Expected:
    """Estimates for a whole stage. Play-offs are not included; with series there may be up to `most_matches`.

    A stage that goes on until a set end has no fixed number of matches. It has a rate `an_hour` and a total `in_all`,
    which is None if no end is set.
    """

    rounds: Sequence[ExpectedRound] = ()
    matches: int = 0
    most_matches: int = 0
    an_hour: int | None = None
    in_all: int | None = None
