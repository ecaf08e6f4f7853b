"""The casual server as a process: all tables in progress, each in a thread, under one duty, until it is stopped.

Theory of operation. The main thread looks twice a second: which tables are in progress and not played here, and at
which of them something is new. A second thread listens to Redis, and so wakes a table at once. A table's thread waits
for a person without a connection to the database. If this server dies, another one plays on from the rows. If two
should play at once, for as long as one does not notice that it has lost the duty, both do what the rows say.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

import redis
from django.db import DatabaseError, connection
from django.db.models import Count, Max, Q, Sum
from django.utils import timezone

from contest.server.health import Finding
from submissions import clock
from tournaments.casual import news, tables
from tournaments.casual.limits import AT_ONCE
from tournaments.casual.sitting import Sitting, Stopped
from tournaments.models import CasualGame, CasualSeat, Duty
from tournaments.playing.live.server import free_from_the_dead, guarded, new_name

logger = logging.getLogger(__name__)

DUTY = "casualserver"
"""The name of the duty that the server holds while it runs."""

LENGTH = timedelta(seconds=15)  # if the server is silent for this long, another one may take over
CONFIRM = 5.0  # seconds between two signs of life
LOOK = 0.5  # … between two looks at all tables
SWITCH = 0.001  # a fifth of Python's default: short thoughts do not wait long for long ones
NICE = 5  # pages and matches go first
CAGES = 2 * (os.cpu_count() or 1)
"""The most tables at once with versions in jails: those need a core and memory of this machine."""
MOST_FAILURES = 4  # of the portal, after which a table is given up
PAUSE = 2.0  # seconds after the first of them
LEAVE = 1.5  # seconds for an orderly end


@dataclass(eq=False)
class Table:
    """A game in progress on this server."""

    pk: int
    caged: bool
    news: threading.Event = field(default_factory=threading.Event)
    ended: bool = False  # it must stop
    seen: object = None  # what the last look saw
    thread: threading.Thread | None = None


class Server:
    """Runs until `stop`, in the thread that calls `run`."""

    def __init__(self) -> None:
        self._worker = new_name()
        self._tables: dict[int, Table] = {}
        self._paused: dict[int, float] = {}  # by table that failed: until when
        self._stopped = threading.Event()
        self._look_now = threading.Event()

    def stop(self) -> None:
        """Stop at the next turn. Safe in a signal handler."""
        self._stopped.set()
        self._look_now.set()

    def run(self) -> None:
        sys.setswitchinterval(SWITCH)
        with suppress(OSError):
            os.nice(NICE)
        if not self._take_duty():
            return
        threading.Thread(target=self._listen, name="news", daemon=True).start()
        confirmed = time.monotonic()
        try:
            while not self._stopped.is_set():
                guarded(self._look)
                if time.monotonic() >= confirmed + CONFIRM:
                    confirmed = time.monotonic()
                    guarded(self._keep_duty)
                self._look_now.wait(LOOK)
                self._look_now.clear()
        finally:
            self._end()

    def _take_duty(self) -> bool:
        """Wait until no other server holds the duty. False if we are stopped in the meantime."""
        said = False
        while not self._stopped.is_set():
            free_from_the_dead(self._worker, DUTY)
            if Duty.take(DUTY, self._worker, clock.now(), LENGTH):
                return True
            if not said:
                logger.warning("another casual server is running: waiting for it to end")
                said = True
            self._stopped.wait(LOOK)
        return False

    def _keep_duty(self) -> None:
        if not Duty.take(DUTY, self._worker, clock.now(), LENGTH):
            logger.warning("another casual server has taken over: this one stops")
            self.stop()

    def _end(self) -> None:
        for table in self._tables.values():
            table.ended = True
            table.news.set()
        deadline = time.monotonic() + LEAVE
        for table in list(self._tables.values()):
            if table.thread is not None:
                table.thread.join(max(0.0, deadline - time.monotonic()))
        Duty.give_back(DUTY, self._worker, clock.now())
        connection.close()

    def _listen(self) -> None:
        """In a thread: wake tables as Redis says. Without Redis the looks find everything, a little later."""
        while not self._stopped.is_set():
            try:
                for pk in news.listen():
                    table = self._tables.get(pk) if pk is not None else None
                    if table is not None:
                        table.news.set()
                    elif pk is not None:
                        self._look_now.set()
                    if self._stopped.is_set():
                        return
            except redis.RedisError:
                self._stopped.wait(PAUSE)

    # Tables -----------------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Begin what is in progress and not here, stop what is not in progress, and wake what has changed."""
        found = {pk: rest for pk, *rest in self._states()}
        for table in list(self._tables.values()):
            state = found.get(table.pk)
            if state is None:
                table.ended = True
            if state != table.seen:
                table.seen = state
                table.news.set()
        free = CAGES - sum(table.caged for table in self._tables.values())
        for pk, (versions, *_) in found.items():
            if pk in self._tables or time.monotonic() < self._paused.get(pk, 0.0) or (versions and free <= 0):
                continue
            free -= bool(versions)
            self._begin(Table(pk, bool(versions)))

    def _states(self) -> list[tuple[int, ...]]:
        """By table in progress: how many versions play, how many people have left, and the decisions so far."""
        version = Q(seats__kind=CasualSeat.Kind.VERSION)
        gone = Q(seats__left_at__isnull=False)
        seats = (
            CasualGame.objects.playing()
            .order_by("pk")
            .annotate(
                versions=Count("seats", filter=version),
                gone=Count("seats", filter=gone),
                places=Sum("seats__index", filter=gone, default=0),
            )
        )
        counts = dict(CasualGame.objects.playing().order_by().values_list("pk").annotate(last=Max("moves__number")))
        return [
            (pk, versions, gone, places, counts.get(pk) or 0)
            for pk, versions, gone, places in seats.values_list("pk", "versions", "gone", "places")
        ]

    def _begin(self, table: Table) -> None:
        self._tables[table.pk] = table
        table.thread = threading.Thread(target=self._play, args=(table,), name=f"table {table.pk}", daemon=True)
        try:
            table.thread.start()
        except RuntimeError:  # no room for another thread
            del self._tables[table.pk]
            raise

    def _play(self, table: Table) -> None:
        """In the table's thread."""
        sitting = None
        try:
            game = CasualGame.objects.playing().filter(pk=table.pk).first()
            if game is not None:
                sitting = Sitting(game, table.news, lambda: table.ended)
                sitting.play()
        except Stopped:
            if sitting is not None and not self._stopped.is_set():
                sitting.close()  # abandoned
        except Exception as error:
            if not self._stopped.is_set():
                self._failed(table, error)
        finally:
            connection.close()
            self._tables.pop(table.pk, None)

    def _failed(self, table: Table, error: Exception) -> None:
        """Count a failure of ours. The table is played on from its rows, after a pause that grows."""
        logger.exception("table %d: it is played on", table.pk)
        with suppress(DatabaseError):
            game = CasualGame.objects.filter(pk=table.pk).first()
            if game is None:
                return
            game.failures += 1
            game.last_error = f"{type(error).__name__}: {error}"[:2000]
            game.save(update_fields=["failures", "last_error"])
            self._paused[table.pk] = time.monotonic() + PAUSE * 2**game.failures
            if game.failures >= MOST_FAILURES:
                tables.abandon(game, "The portal could not play on. Nothing of it is your fault.")


def server() -> Finding:
    """Say who plays the tables. Asked only where CASUAL_GAMES is on."""
    try:
        duty = Duty.held(DUTY, timezone.now())
        tables = CasualGame.objects.playing().count()
    except DatabaseError as error:
        return Finding("casual", False, f"{error}")
    if duty is None:
        return Finding("casual", False, "nobody plays casual games: start manage.py casualserver")
    return Finding("casual", True, f"{tables} of at most {AT_ONCE} tables in use, played by {duty.worker}")
