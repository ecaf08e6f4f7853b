"""The contest server as a process: ports, lobbies and tables under one duty, until it is stopped."""

from __future__ import annotations

import logging
import os
import socket
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from secrets import token_hex

from django.db import Error, connection
from django.utils import timezone

from games.engine import Game
from games.server import make_room
from games.server.door import Door
from submissions import clock
from submissions.lease import worker_name
from tournaments import kinds
from tournaments.kinds import following
from tournaments.models import Client, Duty, Match, Stage
from tournaments.playing import play
from tournaments.playing.live.lobby import Lobby
from tournaments.playing.live.tables import Tables
from tournaments.seating.programs import DUTY

logger = logging.getLogger(__name__)

LENGTH = Client.SILENCE  # if the server is silent for this long, another one may take over
TURN = 0.25  # seconds between two checks for matches to play
LOOK = 1.0  # … for who may connect, and who has come and gone
CONFIRM = 5.0  # … between two signs of life
LEAVE = 2.0  # seconds for an orderly shutdown
SWITCH = 0.001  # a fifth of Python's default: answers are read sooner while a hundred matches run


@dataclass(frozen=True, slots=True)
class Place:
    """The two listening sockets for the clients of a game."""

    game: Game
    contest: socket.socket
    test: socket.socket


class Server:
    """Runs until `stop`, in the thread that calls `run`."""

    def __init__(self, places: Sequence[Place]) -> None:
        self._places = places
        self._worker = new_name()
        self._lobbies = {place.game.slug: Lobby(place.game) for place in places}
        self._tables = Tables(self._lobbies, self._worker)
        self._stopped = False
        self._replaced = False

    def stop(self) -> None:
        """Stop at the next turn. Safe in a signal handler."""
        self._stopped = self._tables.closing = True

    def run(self) -> None:
        make_room()
        sys.setswitchinterval(SWITCH)
        if not self._take_duty():
            return
        take_over(self._worker)
        lobbies = list(self._lobbies.values())
        for lobby in lobbies:
            lobby.refresh()
        tables = self._tables
        tables.start()
        doors = [
            Door(where, place.game, lobby, welcome, lobby.turned_away)
            for place in self._places
            for lobby in [self._lobbies[place.game.slug]]
            for where, welcome in ((place.contest, lobby.welcome), (place.test, lobby.welcome_to_practice))
        ]
        try:
            self._turn_until_stopped(lobbies, tables)
        finally:
            for door in doors:
                door.close()
            tables.leave()
            for lobby in lobbies:
                lobby.close(say_so=not self._replaced)
            tables.close(LEAVE)
            Duty.give_back(DUTY, self._worker, clock.now())
            connection.close()

    def _turn_until_stopped(self, lobbies: Sequence[Lobby], tables: Tables) -> None:
        renew_every = play.LEASE.total_seconds() / 4
        every: list[tuple[float, Callable[[], None]]] = [(renew_every, tables.renew), (CONFIRM, self._keep_duty)]
        for lobby in lobbies:
            every += [(LOOK, lobby.refresh), (LOOK, partial(self._look, lobby)), (CONFIRM, lobby.confirm)]
        every += [(TURN, tables.claim)]
        due = [0.0] * len(every)
        while not self._stopped:
            for number, (seconds, part) in enumerate(every):
                if not self._stopped and time.monotonic() >= due[number]:
                    due[number] = time.monotonic() + seconds
                    guarded(part)
            time.sleep(TURN)

    def _take_duty(self) -> bool:
        """Wait until no other server holds the duty. False if we are stopped in the meantime."""
        said = False
        while not self._stopped:
            free_from_the_dead(self._worker)
            if Duty.take(DUTY, self._worker, clock.now(), LENGTH):
                return True
            if not said:
                holder = Duty.objects.filter(name=DUTY).values_list("worker", flat=True).first()
                logger.warning("another contest server is running (%s): waiting for it to end", holder)
                said = True
            time.sleep(TURN)
        return False

    def _keep_duty(self) -> None:
        if not Duty.take(DUTY, self._worker, clock.now(), LENGTH):
            logger.error("another contest server has taken over: this one stops")
            self._replaced = True
            self.stop()

    def _look(self, lobby: Lobby) -> None:
        """Match teams that have just connected to a ladder now, not at the next tick."""
        contests = lobby.look()
        for stage in Stage.objects.filter(state=Stage.State.RUNNING, contest__in=contests).select_related("contest"):
            if kinds.of(stage).takes_arrivals():
                following.reconcile(stage)


def guarded(part: Callable[[], None]) -> None:
    """Run a part of the work. If the database is briefly unavailable, nothing stops."""
    try:
        part()
    except Error:
        logger.warning("the database does not answer, trying again", exc_info=True)
        connection.close()
    except Exception:  # a failure in one part must not stop the others
        logger.exception("unexpected failure of %s", part)


def take_over(worker: str) -> None:
    """Clean up after a lost server: mark everybody as disconnected and requeue its matches."""
    now = timezone.now()
    Client.objects.filter(connected_since__isnull=False).update(connected_since=None)
    left = Match.objects.filter(live=True, state=play.State.RUNNING).exclude(worker=worker)
    if count := play.requeue_from_lost_workers(left, now):
        logger.warning("requeued %d matches of a lost contest server", count)


def new_name() -> str:
    """The machine, a number for this server, and the process id, which is always the same in a container."""
    host, _, pid = worker_name().rpartition(":")
    return f"{host[:60]}:{token_hex(3)}:{pid}"


def free_from_the_dead(name: str, duty: str = DUTY) -> None:
    """Take a duty from a dead process of this machine at once, without waiting for it to expire."""
    here, _, own = name.split(":")
    for holder in Duty.objects.filter(name=duty, until__gt=clock.now()):
        host, _, pid = [*holder.worker.split(":"), "", ""][:3]
        if host == here and pid.isdigit() and (pid == own or not _lives(int(pid))):
            Duty.objects.filter(name=duty, worker=holder.worker).update(until=clock.now() - timedelta(seconds=1))


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
