"""The parts of a replay, as the templates get them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.engine import Event, FaultKind

CONTROLS = (
    *("first", "prev-round", "prev-trick", "prev-card"),
    *("next-card", "next-trick", "next-round", "last", "next-fault"),
)
"""The steps that have a button, in their order."""

Pieces = Sequence[tuple[int, str]]
"""What a bot wrote to standard error: (index of the event in the record's `events` where it was read, text)."""

FAULTS = {
    FaultKind.ILLEGAL: ("Against the rules", "The answer could be read, but the rules did not allow it."),
    FaultKind.GARBLED: ("Unreadable answer", "The answer could not be read as an answer of this protocol."),
    FaultKind.TIMEOUT: ("Too slow", "The answer did not come within the time allowed."),
    FaultKind.CRASH: ("Crashed", "The program ended, died or closed its output without an answer."),
    FaultKind.MEMORY: ("Out of memory", "The program used more memory than the contest allows."),
    FaultKind.OUTPUT: ("Flooded its output", "The program wrote more than 64 KiB that is not an answer."),
    FaultKind.VIOLATION: ("Forbidden system call", "The program tried what contestants may not do: disk or network."),
}
"""By kind: the fault in two or three words, and the rule behind it in a sentence (rulings.md, "All games")."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat of this game and who sits there."""

    index: int
    seat: str  # "North"
    letter: str  # "N"
    player: int  # the index in the record's `seats`
    name: str
    bot: str
    disqualified: bool

    @property
    def is_house(self) -> bool:
        return self.bot.startswith("house:")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question put to a bot: what it was sent since its last answer, and how long it had."""

    text: str
    lines: int
    limit_ms: float


@dataclass(frozen=True, slots=True)
class Link:
    """One way to step. Without `ply` there is nowhere to go."""

    key: str
    label: str
    ply: int | None
    href: str

    @property
    def icon(self) -> str:
        return "fault" if self.key.endswith("fault") else self.key


@dataclass(frozen=True, slots=True)
class Round:
    """The plies `first` … `last` of one hand, and what it brought."""

    number: int
    first: int
    last: int
    hand: Sequence[int] | None  # points of this round per seat; None: not finished
    total: Sequence[int] | None
    href: str
    faults: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A decision or a fault in the list of moves."""

    ply: int
    event: Event
    href: str
    leads: bool
    wins: bool


@dataclass(slots=True)
class Group:
    """A line of the list of moves: a trick, or what stands between tricks."""

    label: str
    entries: list[Entry] = field(default_factory=list)
    outcome: Event | None = None
    ply: int | None = None  # of the outcome
    href: str = ""


@dataclass(frozen=True, slots=True)
class Thinking:
    """The time one seat spent in this game, in milliseconds."""

    chair: Chair
    decisions: int
    total: float
    median: float
    slowest: float
    slowest_ply: int
    share: float  # of its limit that the decision nearest to it took, 0 … 1
