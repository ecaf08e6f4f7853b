"""A match of a contest that never ends, slowed down to what people can follow, while somebody looks at the contest.

Bots need a second for a game that people want to watch for minutes. A pause before each decision costs a place in the
worker and no processor time, and no bot's clock runs. There is none as soon as anything waits for a worker, nor while
the ladder has newcomers, who want to know how their bot did.
"""

from __future__ import annotations

from time import monotonic, sleep

from django.utils import timezone

from contest import looks
from tournaments.kinds import pace
from tournaments.models import Match, PracticeGame, PracticeOrder, Rehearsal

PAUSE = 0.6  # seconds before a decision
LONGEST = 240.0  # seconds of pauses in a match
LOOK = 1.0  # seconds between two looks whether to go on with them


class Leisure:
    """The pauses of one match. Call `pause` before each decision."""

    def __init__(self, claimed: Match) -> None:
        self.claimed = claimed
        self._left = LONGEST
        self._wanted = False
        self._look_at = 0.0

    def pause(self) -> None:
        if self._left < PAUSE:
            return
        if monotonic() >= self._look_at:
            self._wanted = looks.is_looked_at(self.claimed.contest) and not self._must_hurry()
            self._look_at = monotonic() + LOOK
        if self._wanted:
            sleep(PAUSE)
            self._left -= PAUSE

    def _must_hurry(self) -> bool:
        """The ladder plays one match at a time, so a newcomer waits for the end of this one, wherever it sits."""
        return anything_waits() or bool(pace.newcomers(self.claimed.stage, timezone.now()))


def anything_waits() -> bool:
    """Whether a match, a rehearsal or a practice game could use this worker."""
    now = timezone.now()
    practice = PracticeGame.objects.claimable(now).filter(order__state=PracticeOrder.State.OPEN)
    return (
        Match.objects.claimable(now).for_workers().order_by().exists()
        or Rehearsal.objects.filter(state=Rehearsal.State.QUEUED).exists()
        or practice.order_by().exists()
    )
