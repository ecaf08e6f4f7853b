"""The players of a match: bots by the protocol of their game, and the house's own players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from time import perf_counter
from typing import Protocol

from games.debug import DebugLog
from games.engine import Action, Event, Game, House, MachineryError, Options, Seat, Setting
from games.engine import Player as HouseBot
from games.lines import ProcessPlayer
from games.participants import Decision, Participant, PassiveParticipant, Seated
from games.programs import Program
from games.questions import QuestionPlayer
from games.routines import RoutinePlayer
from games.sockets import SocketPlayer

__all__ = ["PROTOCOLS", "Decision", "HousePlayer", "Participant", "ProcessPlayer", "Seated", "Speaker"]


class HousePlayer(PassiveParticipant):
    """One of the house's own bots."""

    def __init__(self, house: House) -> None:
        self.debug = DebugLog(0)
        self._house = house
        self._bot: HouseBot

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        self._bot = self._house.make(seat, options, random)

    def tell(self, event: Event) -> None:
        self._bot.tell(event)

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        choices = legal()
        started = perf_counter()
        action = self._bot.choose(choices)
        ms = 1000 * (perf_counter() - started)
        if action not in choices:
            raise MachineryError(f"the house player {self._house.name} chose {action!r} among {choices!r}")
        return Decision(action, ms)


class Speaker(Protocol):
    """Makes the participant that speaks one of the protocols with a program."""

    def __call__(self, program: Program, *, startup: float = ..., debug_limit: int = ...) -> Participant: ...


PROTOCOLS: dict[str, Speaker] = {
    "lines": ProcessPlayer,
    "question": QuestionPlayer,
    "routines": RoutinePlayer,
    "socket": SocketPlayer,
}
"""The participant for each `Game.protocol`."""
