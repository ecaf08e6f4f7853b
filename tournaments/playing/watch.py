"""A thread beside a game that can wait, which ends it at once when something more important waits or nobody wants it.

Practice can wait. A contest match that becomes due goes to an idle worker, if there is one. So a worker gives way only
if the match still waits at the second look. Of several workers, those give way that began last, as many as are needed.
They count until nothing waits any more, because a worker that has just given way needs a moment to claim the match.
While something goes on waiting, twice as many give way every two seconds: some workers may be lost.

The referee waits for an answer as long as the rules allow. So the bots' processes are killed here, and the referee
finds that they have ended. What it makes of that is thrown away.
"""

from __future__ import annotations

import logging
import threading
from types import TracebackType

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Q
from django.utils import timezone

from submissions.lease import LeaseLost
from submissions.sandbox import Jail
from tournaments.models import Match, PracticeGame, Rehearsal

logger = logging.getLogger(__name__)

LOOK = settings.PRACTICE_LOOK  # seconds between two looks
AGAIN = 0.05  # seconds between two kills: the next bot may just have been started
PATIENCE = max(1, round(2 / LOOK))  # looks in which a worker that gives way must claim what waits, or it counts as lost


class Yielded(Exception):
    """Something more important waits for this worker. The game goes back to the queue."""


def waiting_elsewhere() -> int:
    """How many matches and rehearsals wait for a worker."""
    matches = Match.objects.claimable(timezone.now()).for_workers().order_by().count()
    return matches + Rehearsal.objects.filter(state=Rehearsal.State.QUEUED).count()


class Watch:
    """Looks after the game that `claimed` is, until the block ends. Register every jail of it with `guard`."""

    def __init__(self, claimed: PracticeGame) -> None:
        self.claimed = claimed
        self._held = PracticeGame.objects.held_by(claimed)
        self._jails: list[Jail] = []
        self._end: type[LeaseLost | Yielded] | None = None
        self._over = threading.Event()
        self._looks = 0  # in a row at which something waited
        self._later = 0  # games that began after this one, the most at any of these looks
        self._thread = threading.Thread(target=self._keep, name="watch", daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._thread.join(timeout=30)

    def guard(self, jail: Jail) -> None:
        """Kill the bot in this jail when the game ends early. Its start, and that of the next one, is harmless."""
        self._jails.append(jail)

    @property
    def has_ended_it(self) -> bool:
        return self._end is not None

    def check(self) -> None:
        """Raise LeaseLost or Yielded once the game must end. Call it between decisions, and after the last one."""
        if self._end is not None:
            raise self._end

    def look(self) -> None:
        """Decide whether the game must end."""
        if not self._held.exists():
            self._end = LeaseLost
        elif self._must_yield():
            self._end = Yielded

    def _must_yield(self) -> bool:
        waiting = waiting_elsewhere()
        if not waiting:
            self._looks = self._later = 0
            return False
        self._looks += 1
        self._later = max(self._later, self._count_later())
        return self._looks >= 2 and self._later < waiting << ((self._looks - 2) // PATIENCE)

    def _count_later(self) -> int:
        """How many practice games began after this one."""
        after = Q(started_at__gt=self.claimed.started_at)
        tied = Q(started_at=self.claimed.started_at, pk__gt=self.claimed.pk)
        return PracticeGame.objects.running().filter(after | tied).count()

    def _keep(self) -> None:
        try:
            while not self._over.wait(AGAIN if self.has_ended_it else LOOK):
                if not self.has_ended_it:
                    try:
                        self.look()
                    except DatabaseError:
                        logger.warning("could not look whether a match waits, trying again", exc_info=True)
                        connection.close()
                if self.has_ended_it:
                    for jail in list(self._jails):
                        jail.kill()
        finally:
            connection.close()
