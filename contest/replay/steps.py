"""One position of a replay, as its templates print it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contest.formatting import milliseconds, percent
from contest.replay.parts import FAULTS, Asked, Link, ReplaySeat, Round, ViewLink
from games.engine import Card, Event, FaultKind, Game


@dataclass(frozen=True, slots=True)
class FaultShown:
    """A fault: what the bot did, which rule that breaks, and what became of it."""

    seat: ReplaySeat
    kind: str
    title: str
    rule: str
    detail: str  # "did not answer in time", or the name of a forbidden call; blank where the view may not know it
    limit: str  # how long it had, where it was too slow
    answer: str  # its answer; blank where it gave none
    card: Card | None  # the card that this answer means, if any
    fine: float | None

    @property
    def is_call(self) -> bool:
        """Whether `detail` is the name of a system call."""
        return self.kind == FaultKind.VIOLATION

    @classmethod
    def of(cls, game: Game, event: Event, seat: ReplaySeat, asked: Asked | None) -> FaultShown:
        kind = FaultKind(event["kind"])
        title, rule = FAULTS[kind]
        answer = event.get("answer")
        is_card = kind == FaultKind.ILLEGAL and answer and game.face(answer.strip()) is not None
        return cls(
            seat=seat,
            kind=event["kind"],
            title=title,
            rule=rule,
            detail=event.get("detail", ""),
            limit=asked.allowance if asked and kind == FaultKind.TIMEOUT else "",
            answer="" if answer is None else answer or "(empty)",
            card=answer if is_card else None,
            fine=event.get("points"),
        )


@dataclass(frozen=True, slots=True)
class ThinkingTime:
    """How long a decision took, and how much of its limit that is."""

    ms: float
    cpu_ms: float | None
    late_ms: float | None  # given back, because the contest server was late to read the answer
    asked: Asked | None

    @classmethod
    def of(cls, event: Event, asked: Asked | None) -> ThinkingTime:
        return cls(event["ms"], event.get("cpu_ms"), event.get("late_ms"), asked)

    @property
    def text(self) -> str:
        return milliseconds(self.ms)

    @property
    def late(self) -> str:
        return "" if self.late_ms is None else milliseconds(self.late_ms)

    @property
    def cpu(self) -> str:
        return "" if self.cpu_ms is None else milliseconds(self.cpu_ms)

    @property
    def share(self) -> float | None:
        return self.ms / self.asked.limit_ms if self.asked else None

    @property
    def meter(self) -> str:
        """The share as a meter shows it."""
        return "" if self.share is None else f"{self.share:.3f}"

    @property
    def percent(self) -> str:
        return percent(self.share)


@dataclass(frozen=True, slots=True)
class Step:
    """Everything that changes with the position."""

    ply: int
    event: Event
    seen: Event  # as much of it as the view may know
    table: Mapping[str, Any]
    round: Round
    where: str
    caption: str
    seat: ReplaySeat | None
    is_opening: bool  # nothing has been decided yet
    fault: FaultShown | None
    reason: FaultShown | None  # the fault just before, in whose place this was decided
    time: ThinkingTime | None
    chosen_from: int | None  # among how many legal actions, where the view knows
    asked: str  # what the bot was sent, where this view may read it
    debug: Sequence[tuple[str, str]]  # heading and text
    next_seat: ReplaySeat | None  # who decides next, at a position that is not a decision
    next_href: str
    follows: ReplaySeat | None  # whose decisions one can step through from here
    links: Mapping[str, Link]
    controls: Sequence[Link]  # the links that have a button, in their order
    views: Sequence[ViewLink]
    goes_on: bool = False  # there will be more, though nobody knows yet what

    @property
    def shown_fault(self) -> FaultShown | None:
        return self.fault or self.reason

    @property
    def is_by_referee(self) -> bool:
        return bool(self.event.get("by") == "referee")

    @property
    def is_over(self) -> bool:
        """Whether nobody has anything left to decide."""
        return self.seat is None and self.next_seat is None and not self.is_opening and not self.goes_on

    @property
    def decided(self) -> Hashable:
        """Everything that templates/replay/drawn/decision.html prints, except addresses and texts. None for a fault."""
        if self.shown_fault:
            return None
        time, previous, following = self.time, self.previous_by_seat, self.next_by_seat
        return (
            self.seat and self.seat.index,
            self.next_seat and self.next_seat.index,
            self.follows and self.follows.index,
            previous and previous.ply is None,
            following and following.ply is None,
            time and (time.text, time.cpu, time.late, time.meter, time.percent, time.asked and time.asked.allowance),
            self.chosen_from,
            bool(self.asked),
            self.is_by_referee,
            self.is_opening,
            self.goes_on,
        )

    @property
    def previous_by_seat(self) -> Link | None:
        return self.links[f"prev-seat{self.follows.index}"] if self.follows else None

    @property
    def next_by_seat(self) -> Link | None:
        return self.links[f"next-seat{self.follows.index}"] if self.follows else None
