"""Records for tests of pages: real games of house players, with faults and debug output as needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import games
from games.debug import LIMIT, DebugLog
from games.engine import Action, Fault, FaultKind
from games.players import Decision, HousePlayer, Seated
from games.referee import Match, play

NAMES = ("North High", "Cardinal Sharks of the East", "South Side", "Westward Ho")


class Scripted(HousePlayer):
    """The house's random player, which writes to standard error and makes a fault at one of its decisions."""

    def __init__(self, fault: Fault | None = None, at: int = 20, says: str = "") -> None:
        super().__init__(games.get("tricky_eights").house[0])
        self.debug = DebugLog(LIMIT)
        self._fault, self._at, self._says, self._count = fault, at, says, 0

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        self._count += 1
        if self._says:
            self.debug.add(place, f"{self._says} {self._count}\n".encode())
        if self._fault and self._count == self._at:
            raise self._fault
        return super().decide(legal, place)


def played(
    *, seed: int = 5, target: int = 50, games_: int = 1, names: Sequence[str] = NAMES, **seats: Scripted
) -> Match:
    """A match of Tricky Eights; `south=Scripted(…)` seats a player of the test's own."""
    game = games.get("tricky_eights")
    players = [
        Seated(name, f"{name.split()[0].lower()}.cpp", seats.get(where) or Scripted())
        for name, where in zip(names, game.seat_names, strict=True)
    ]
    return play(game, players, seed=seed, options=game.options({"target": target}), preset="utah-1998", games=games_)


def with_a_fault(kind: FaultKind = FaultKind.GARBLED, **kwargs: int) -> Match:
    """South answers nonsense at its tenth decision, writes to standard error, and is disqualified."""
    fault = Fault(kind, "answered with something that is not a card", b"<h9>")
    return played(south=Scripted(fault, at=10, says="I hold on to my eights"), **kwargs)
