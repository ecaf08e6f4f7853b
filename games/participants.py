"""The referee's view of a player: a bot's process, a house player, or a client of a contest server.

A participant plays one seat of one game at a time: `begin`, then `tell` and `decide` as the game goes on, and `finish`
when nothing more will be asked, which is after each game, or after the last one where `Game.lasting`. `close` always
comes last, whatever happened. `decide` raises `Fault` for a bot's mistake; any method may raise `MachineryError`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, Protocol

from games.debug import DebugLog
from games.engine import Action, Event, Game, Options, Seat, Setting
from games.programs import GRACE


class Decision(NamedTuple):
    """What a participant decided, legal or not."""

    action: Action
    ms: float
    """The wall-clock milliseconds it took, without those that were given back."""
    cpu_ms: float | None = None
    """The processor milliseconds since its last decision, where they are known."""
    answer: bytes | None = None
    """As the bot wrote it."""
    late_ms: float = 0.0
    """How long the answer of a client elsewhere had arrived before we read it. Not part of `ms`."""


Decided = tuple[Action, float, float | None, bytes | None, float]
"""A `Decision`, or a plain tuple of its fields, which is made in a tenth of the time."""


AT_ONCE = frozenset({"socket"})
"""The protocols (`Game.protocol`) whose bots are told of events as they happen, not with their next question."""


class Participant(Protocol):
    """One player of a match, as the referee sees it. `place` is the index of the next event in the record."""

    debug: DebugLog

    def introduce(self, game: Game) -> str:
        """Return the bot's own name where the game asks for it (`Game.introduction`), or blank. Never a fault.

        Called at most once, before the first game.
        """

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        """Take a seat in a new game. `random` is for house players."""

    def tell(self, event: Event) -> None:
        """Tell the player an event that its seat may see."""

    def flush(self) -> None:
        """Send what it was told, because somebody else is about to decide, or nobody. Called for protocols in
        `AT_ONCE` only."""

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decided:
        """Decide for the seat, which is in turn. Raises Fault."""

    def listen(self, place: int) -> None:
        """Between two hands, keep what the bot wrote to standard error so far, so that its pipe does not fill up."""

    def settle(self, place: int) -> float:
        """After the game, return the processor milliseconds that no decision has (`Game.exact_cpu`). Never a fault."""

    def finish(self) -> None:
        """Send what is owed and the end of input, because nothing more will be asked. Does not wait."""

    def close(self, place: int, grace: float = GRACE) -> None:
        """End everything that `begin` started, after at most `grace` seconds. Idempotent."""


class PassiveParticipant:
    """Base of participants with nothing to start or to end, no processor time of their own and no separate messages."""

    def introduce(self, game: Game) -> str:
        return ""

    def flush(self) -> None:
        """Nothing is kept."""

    def listen(self, place: int) -> None:
        """Nothing is waiting to be read."""

    def settle(self, place: int) -> float:
        return 0.0

    def finish(self) -> None:
        """Nothing is owed."""

    def close(self, place: int, grace: float = GRACE) -> None:
        """Nothing was started."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A player of a match: its name, the record's `bot` (a file name or `house:NAME`), and the participant."""

    name: str
    bot: str
    player: Participant
    id: int | None = None  # the same throughout a tournament; None: its number among the players
