"""Short matches, taken several at a time, so that claiming and writing them does not cost more than playing them.

A worker remembers how long the last matches of a stage took (seating/short.py). It takes as many as two seconds have
room for, and never more than a quarter of those that wait, so that all workers share the end of a round. Their results
are written together, at the end. If a match takes longer than expected, a thread writes those that are over and returns
those that have not begun to the queue, so nothing waits for one slow bot.

A match that has failed before is taken alone, because it may be what kills workers.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence

from django.db import connection
from django.utils import timezone

from games import referee
from tournaments.models import Match
from tournaments.playing import turns, writing
from tournaments.playing.writing import Result
from tournaments.seating import short

logger = logging.getLogger(__name__)

PATIENCE = 2 * short.SECONDS  # after which a batch is settled, whatever goes on
AHEAD = 4 * short.MOST  # matches that wait, to be looked at by a claim


def chosen(due: Sequence[turns.Due]) -> Sequence[turns.Due]:
    """Those to take now, of the next matches that wait: the first, and others of its stage."""
    if not due or due[0].failures:
        return due[:1]
    first = due[0]
    most = min(short.at_once(first.stage), -(-len(due) // 4))
    return [first, *(it for it in due[1:] if it.stage == first.stage and not it.failures)][:most]


class Batch:
    """Claimed matches of a contest, played one after another and written together.

    `play` returns the outcome of a match, None if there is none. `write` writes outcomes. `give_back` returns matches
    to the queue.
    """

    def __init__(
        self,
        claimed: Sequence[Match],
        play: Callable[[Match], referee.Match | None],
        write: Callable[[Sequence[Result]], None],
        give_back: Callable[[Sequence[Match]], object],
    ) -> None:
        self._waiting = deque(claimed)
        self._played: list[writing.Result] = []
        self._play, self._write, self._give_back = play, write, give_back
        self._turns = threading.Lock()  # for both lists
        self._over = threading.Event()

    def run(self) -> None:
        """Play them all, unless they take too long or one of them fails."""
        thread = threading.Thread(target=self._look_after, name="batch", daemon=True)
        thread.start()
        try:
            while (claimed := self._next()) is not None:
                began = timezone.now()
                played = self._play(claimed)
                if played is None:
                    break  # what made it fail may make the others fail
                with self._turns:
                    self._played.append(Result(claimed, played, began))
        finally:
            self._over.set()
            self.settle()
            thread.join(timeout=30)

    def settle(self) -> None:
        """Write what was played, and return what has not begun to the queue."""
        with self._turns:
            played, waiting = self._played, list(self._waiting)
            self._played = []
            self._waiting.clear()
            if played:
                self._write(played)
            if waiting:
                self._give_back(waiting)

    def _next(self) -> Match | None:
        with self._turns:
            return self._waiting.popleft() if self._waiting else None

    def _look_after(self) -> None:
        try:
            if not self._over.wait(PATIENCE):
                self.settle()
        except Exception:
            logger.exception("a batch could not be settled: its leases decide")
        finally:
            connection.close()
