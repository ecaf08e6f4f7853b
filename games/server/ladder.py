"""Continuous play: whoever is connected and free meets an opponent with a similar rating, and Elo ratings follow.

These ratings are only for `games serve`. They are simpler than the portal's on purpose: games use only the standard
library and know nothing of the portal.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from secrets import randbelow
from threading import Event as Signal
from threading import Lock, Thread
from time import monotonic

from games.engine import Game, House, Options
from games.format import Record
from games.players import HousePlayer, Participant, Seated
from games.referee import play
from games.server.line import TeamLine
from games.server.teams import Team
from games.sockets import LinePlayer

START = 1500.0
"""Everybody's first rating."""

SPREAD = 400.0
"""Points of difference at which the better one is expected to win ten rounds of eleven."""

STEP = 32.0
"""The most that a round changes a rating."""

TICK = 0.05
"""Seconds between two checks for free entrants."""


def expected(mine: float, theirs: float) -> float:
    """Return the share of rounds that the first is expected to win, by their ratings."""
    return 1 / (1 + 10 ** ((theirs - mine) / SPREAD))


def rated(mine: float, theirs: float, score: float) -> float:
    """Return a rating after a round with that score: 1 won, 0 lost, 0.5 tied."""
    return mine + STEP * (score - expected(mine, theirs))


@dataclass(eq=False)
class Entrant:
    """An entrant of the ladder: a team with its line, or a house player."""

    team: Team
    line: TeamLine | None = None
    house: House | None = None
    rating: float = START
    rounds: int = 0
    won: int = 0
    busy: bool = False
    since: float = field(default_factory=monotonic)  # when it became free
    last: Team | None = None  # its last opponent

    def free(self) -> bool:
        return not self.busy and (self.line is None or self.line.alive())

    def seated(self) -> Seated:
        if self.house is not None:
            player: Participant = HousePlayer(self.house)
            return Seated(self.team.name, f"house:{self.house.name}", player, self.team.id)
        assert self.line is not None
        return Seated(self.team.name, "client", LinePlayer(self.line), self.team.id)


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round, and the ratings after it. Everything is per player."""

    number: int
    entrants: tuple[Entrant, Entrant]
    games: tuple[int, int]
    ratings: tuple[float, float]
    changes: tuple[float, float]
    record: Record


def paired(free: Sequence[Entrant]) -> list[tuple[Entrant, Entrant]]:
    """Pair entrants that are free. The one that has waited longest gets the nearest rating, and a new opponent if
    possible.

    House players do not meet each other.
    """
    waiting = sorted(free, key=lambda entrant: entrant.since)
    tables = []
    while len(waiting) > 1:
        first = waiting.pop(0)
        others = [other for other in waiting if first.house is None or other.house is None]
        if others:
            best = min(others, key=lambda other: (other.team == first.last, abs(other.rating - first.rating)))
            waiting.remove(best)
            tables.append((first, best))
    return tables


class Ladder:
    """Plays rounds until it is closed, each in a thread of its own."""

    def __init__(
        self, game: Game, options: Options, number: Callable[[], int], tell: Callable[[Round], None] = lambda done: None
    ) -> None:
        """`number` gives every round its own number. `tell` is called after each, one at a time."""
        self._game, self._options, self._number, self._tell = game, options, number, tell
        self._entrants: dict[int, Entrant] = {}
        self._lock = Lock()
        self._telling = Lock()
        self._closing = Signal()
        self._tables: list[Thread] = []
        self._thread = Thread(target=self._run, name="ladder", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def enter(self, team: Team, house: House | None = None) -> Entrant:
        """Return the entrant of this team, which is on the ladder now."""
        with self._lock:
            if team.id not in self._entrants:
                line = TeamLine() if house is None else None
                self._entrants[team.id] = Entrant(team, line, house)
            return self._entrants[team.id]

    def welcome(self, team: Team, stream: socket.socket) -> None:
        """Take a new connection of that team, perhaps in the middle of its game. For any thread."""
        line = self.enter(team).line
        if line is None:  # the number of a house player
            stream.close()
        else:
            line.attach(stream)

    def standings(self) -> list[Entrant]:
        """Return all entrants, the best first."""
        with self._lock:
            return sorted(self._entrants.values(), key=lambda entrant: (-entrant.rating, entrant.team.id))

    def close(self, seconds: float = 0.0) -> None:
        """Start no more rounds, and give those in progress that long to end."""
        self._closing.set()
        self._thread.join()
        ends = monotonic() + seconds
        for table in self._tables:
            table.join(max(0.0, ends - monotonic()))

    def _run(self) -> None:
        while not self._closing.wait(TICK):
            with self._lock:
                free = [entrant for entrant in self._entrants.values() if entrant.free()]
                tables = paired(free)
                for pair in tables:
                    for entrant, other in (pair, pair[::-1]):
                        entrant.busy, entrant.last = True, other.team
            self._tables = [table for table in self._tables if table.is_alive()]
            for pair in tables:
                number = self._number()
                table = Thread(target=self._play, args=(number, pair), name=f"round {number}", daemon=True)
                self._tables.append(table)
                table.start()

    def _play(self, number: int, pair: tuple[Entrant, Entrant]) -> None:
        """Play a round of the game's own length. The entrant that waited longer leads its first game."""
        try:
            record = play(
                self._game,
                [entrant.seated() for entrant in pair],
                seed=randbelow(2**31),
                options=self._options,
                preset=self._game.preset().name,
                match=number,
            ).record
            self._rate(number, pair, record)
        finally:
            with self._lock:
                for entrant in pair:
                    entrant.busy, entrant.since = False, monotonic()

    def _rate(self, number: int, pair: tuple[Entrant, Entrant], record: Record) -> None:
        one, other = pair
        mine, theirs = record["result"]["scores"]
        score = 0.5 if mine == theirs else float(mine > theirs)
        with self._lock:
            before = one.rating, other.rating
            one.rating = rated(before[0], before[1], score)
            other.rating = rated(before[1], before[0], 1 - score)
            for entrant, games, others in ((one, mine, theirs), (other, theirs, mine)):
                entrant.rounds += 1
                entrant.won += games > others
            ratings = one.rating, other.rating
        changes = ratings[0] - before[0], ratings[1] - before[1]
        with self._telling:
            self._tell(Round(number, pair, (mine, theirs), ratings, changes, record))
