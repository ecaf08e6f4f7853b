"""The parts of a replay, as the templates get them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from contest.formatting import milliseconds
from contest.names import Name
from contest.words import printable
from games.engine import Event, FaultKind, Game
from games.record import Record, seating_of

CONTROLS = (
    *("first", "prev-round", "prev-trick", "prev-card"),
    *("next-card", "next-trick", "next-round", "last", "next-fault"),
)
"""The steps that have a button, in their order."""

Pieces = Sequence[tuple[int, str]]
"""What a bot wrote to standard error: (index of the event in the record's `events` where it was read, text)."""

FAULTS = {
    FaultKind.ILLEGAL: (
        "Against the rules",
        "Let your bot check what the rules allow before it answers.",
    ),
    FaultKind.GARBLED: (
        "Unreadable answer",
        "Print exactly what the protocol asks for, and debug output to standard error.",
    ),
    FaultKind.TIMEOUT: (
        "Too slow",
        "Look for a loop that never ends, think less, and flush standard output after each answer.",
    ),
    FaultKind.CRASH: ("Crashed", "The last lines on standard error often say why."),
    FaultKind.MEMORY: ("Out of memory", "All memory that the program has at one time counts."),
    FaultKind.OUTPUT: ("Flooded its output", "A bot may write no more than 64 KiB that is not an answer."),
    FaultKind.VIOLATION: (
        "Forbidden system call",
        "Bots may use neither the disk, nor other programs, nor a network beyond what their protocol needs.",
    ),
}
"""By kind: the fault in two or three words, and the rule behind it in a sentence that says more than the fault's own
words do (docs/rulings.md, All games)."""


@dataclass(frozen=True, slots=True)
class ReplaySeat:
    """A seat of this game and who sits there."""

    index: int
    label: str  # "North"
    letter: str  # "N"
    player: int  # the index in the record's `seats`
    name: str
    bot: str
    disqualified: bool

    @property
    def is_house(self) -> bool:
        return self.bot.startswith("house:")

    def plain(self) -> dict[str, Any]:
        return asdict(self) | {"is_house": self.is_house}


def _seconds(ms: float) -> str:
    return f"{ms / 1000:.3g} s"


class Asked(NamedTuple):
    """A question put to a bot: what it was sent since its last answer, and how long it had."""

    sent: bytes
    lines: int
    limit_ms: float
    line_ms: float  # the limit of a question of one line

    @property
    def text(self) -> str:
        return printable(self.sent.decode("utf-8", "backslashreplace"))

    @property
    def allowance(self) -> str:
        """The limit in words: `4 s`, or `8 s (4 s for each of 2 lines)` where it grows with what was sent."""
        return f"{_seconds(self.limit_ms)} ({self._share})" if self._share else _seconds(self.limit_ms)

    @property
    def allowance_without_brackets(self) -> str:
        """The same where brackets follow: `8 s, 4 s for each of 2 lines`."""
        return f"{_seconds(self.limit_ms)}, {self._share}" if self._share else _seconds(self.limit_ms)

    @property
    def _share(self) -> str:
        if self.lines < 2 or self.limit_ms != self.lines * self.line_ms:
            return ""
        return f"{_seconds(self.line_ms)} for each of {self.lines} lines"


@dataclass(frozen=True, slots=True)
class ViewLink:
    """One of the views, at the position that is shown."""

    key: str
    label: str
    href: str
    is_current: bool


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
    deal: int  # where its cards are dealt: the first ply worth a look
    last: int
    hand: Sequence[int] | None  # points of this round per seat; None: not finished
    total: Sequence[int] | None
    href: str
    faults: int


def is_upset(outcome: Event, low_wins: bool) -> bool:
    """Whether `scores` do not tell who is the `winner`: it was decided otherwise, or they are level."""
    scores, winner = outcome["scores"], outcome.get("winner")
    best = (min if low_wins else max)(scores)
    return winner is not None and [index for index, each in enumerate(scores) if each == best] != [winner]


STEPS = (1, 10, 100, 1000, 10_000)
"""Milliseconds: thinking times are counted below each of them, and beyond the last."""


class Spread:
    """Times that are counted: `spread` says how many lie below each of STEPS, and how many beyond the last."""

    __slots__ = ()
    spread: Sequence[int]

    @property
    def bars(self) -> list[tuple[int, int, int]]:
        """As a picture 17 high: where each bar stands, where it begins, and how high it is."""
        most = max(self.spread, default=0)
        heights = [-(-16 * count // most) if most else 0 for count in self.spread]
        return [(9 * index, 17 - height, height) for index, height in enumerate(heights)]

    @property
    def spread_text(self) -> str:
        """`12 under 1 ms, 3 under 10 ms`."""
        names = [*(f"under {milliseconds(step).replace('.0', '')}" for step in STEPS), "longer"]
        return ", ".join(f"{count} {name}" for count, name in zip(self.spread, names, strict=False) if count)


@dataclass(frozen=True, slots=True)
class MatchThinking(Spread):
    """The time that a player spent in all games of a match, in milliseconds."""

    player: int
    decisions: int
    total: float
    median: float
    slowest: float
    href: str  # of the slowest decision
    spread: Sequence[int]  # how many decisions took how long, by STEPS


@dataclass(frozen=True, slots=True)
class Thinking(Spread):
    """The time one seat spent in this game, in milliseconds."""

    seat: ReplaySeat
    decisions: int
    total: float
    median: float | None  # None: none of its decisions was timed
    slowest: float | None
    slowest_ply: int
    share: float  # of its limit that the decision nearest to it took, 0 … 1
    late: Asked | None = None  # the question it did not answer in time; `slowest_ply` is the place of that fault
    cpu: float | None = None  # its processor time, where that is known of all it did
    href: str = ""  # of the slowest decision
    spread: Sequence[int] = ()  # how many decisions took how long, by STEPS

    @property
    def slowest_text(self) -> str:
        return f"no answer in {milliseconds(self.late.limit_ms)}" if self.late else milliseconds(self.slowest)

    @property
    def cpu_text(self) -> str:
        return "–" if self.cpu is None else f"{self.cpu:.1f} ms"


def seats_of(game: Game, record: Record, events: Sequence[Event]) -> list[ReplaySeat]:
    players = record["seats"]
    names = [game.seat_names[index].capitalize() for index in range(len(players))]
    initials = [name[0] for name in names]
    letters = initials if len(set(initials)) == len(initials) else [str(index) for index in range(len(players))]
    out = set(record["result"]["disqualified"])
    return [
        ReplaySeat(index, names[index], letters[index], it, Name(players[it]["name"]), players[it]["bot"], it in out)
        for index, it in enumerate(seating_of(record, events))
    ]


@dataclass(frozen=True, slots=True)
class Key:
    """Keys that belong together, perhaps with others that do the same, and what they do."""

    keys: Sequence[str]
    does: str
    others: Sequence[str] = ()


def keys(game: Game, seats: Sequence[ReplaySeat], *, has_swings: bool) -> list[Key]:
    several = len(seats) > 1
    found = [
        Key(("←", "→"), "previous, next step", ("J", "L")),
        Key(("↑", "↓"), f"previous, next {game.trick_word}"),
        Key(("[", "]"), f"previous, next {game.hand_word}") if game.hand_word else None,
        Key(("Home", "End"), "start, end"),
        Key(("Space",), "play, pause", ("K",)),
        Key(("+", "−"), "faster, slower"),
        Key([str(seat.index + 1) for seat in seats], f"view of {', '.join(seat.label for seat in seats)}"),
        Key(("O", "X"), "all hands, no hands"),
        Key(("F",), "turn the table") if several else None,
        Key(("E",), "next fault"),
        Key(("S",), f"next {game.hand_word or 'hand'} that decided the game") if has_swings else None,
        Key(("⇧ L",), "search the moves"),
        Key(("Z",), "full screen"),
        Key(("P",), "sheet to print"),
        Key(("C",), "copy the link to this position"),
        Key(("?",), "this list"),
    ]
    return [key for key in found if key]
