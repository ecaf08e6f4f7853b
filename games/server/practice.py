"""The test port: clients play game after game against the test bot, which never challenges."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from functools import partial
from itertools import count
from secrets import randbelow
from threading import Lock, Thread
from time import sleep

from games.connections import CLOSED
from games.engine import Game, Options
from games.players import HousePlayer, Seated
from games.referee import play
from games.server.line import TeamLine
from games.server.teams import Team
from games.sockets import LinePlayer

logger = logging.getLogger(__name__)

OPPONENT = 0
"""The test bot's number as an opponent."""


class _Ended(Exception):
    """The practice is over."""


class Practice:
    """A table for every team that practises, each in a thread of its own."""

    def __init__(
        self,
        game: Game,
        options: Options,
        number: Callable[[], int],
        complain: Callable[[Team, str], None] = lambda team, words: None,
        pause: float = 0.0,
    ) -> None:
        """`number` gives every game its own number, and `complain` is told of faults. After each decision, every table
        leaves the processor to others for `pause` seconds."""
        self._game, self._options, self._number = game, options, number
        self._bot, self._complain, self._pause = game.test_bot, complain, pause
        self._lines: dict[Team, TeamLine] = {}
        self._lock = Lock()
        self._open = True

    def welcome(self, team: Team, stream: socket.socket) -> None:
        """Take a new connection of that team, perhaps in the middle of its game. For any thread. Raises RuntimeError
        when there is no room for another table."""
        with self._lock:
            line = self._lines.get(team)
            if line is None:
                line = TeamLine()
                table = Thread(target=self._play, args=(team, line), name=f"practice {team.id}", daemon=True)
                try:
                    table.start()
                except RuntimeError:  # there is no room for it
                    line.close()
                    raise
                self._lines[team] = line
            line.attach(stream)

    def dismiss(self, team: Team) -> None:
        """End the connection of a team that may no longer play. For any thread."""
        with self._lock:
            if line := self._lines.get(team):
                line.hang_up()

    def close(self) -> None:
        """End the games in progress at their current decision."""
        self._open = False

    def _play(self, team: Team, line: TeamLine) -> None:
        try:
            for leader in count():
                self._play_game(team, line, leader % 2)
                with self._lock:
                    if not line.alive():
                        return
        except _Ended:
            pass
        except Exception:  # the next connection starts afresh
            logger.exception("unexpected failure in the practice of %s", team.name)
        finally:
            with self._lock:
                self._lines.pop(team, None)
                line.close()

    def _play_game(self, team: Team, line: TeamLine, leader: int) -> None:
        """Play one game, which goes on for as long as its clock runs, even if nobody is there."""
        play(
            self._game,
            [
                Seated(team.name, "client", LinePlayer(line, complain=partial(self._heard, team, line)), team.id),
                Seated(self._bot.name, f"house:{self._bot.name}", HousePlayer(self._bot), OPPONENT),
            ],
            seed=randbelow(2**31),
            options=self._options,
            preset=self._game.preset().name,
            games=1,
            openings=[{"leader": leader}],
            match=self._number(),
            on_progress=self._check,
        )

    def _heard(self, team: Team, line: TeamLine, words: str) -> None:
        """Report a fault. Of a client that has gone, only that is reported, and not what follows from it."""
        self._complain(team, words if line.alive() else line.ended or CLOSED)

    def _check(self, decisions: int) -> None:
        if not self._open:
            raise _Ended
        if self._pause:
            sleep(self._pause * len(self._lines))
