"""How teams have left a contest. This is announced at once, so every reader knows it, even in a freeze."""

from __future__ import annotations

from contest.models import Team
from tournaments.formats.plan import Status


def left_as(state: str) -> Status:
    """The status of a team that no longer competes: the organisers disqualified it, or it withdrew."""
    put_out = (Team.State.DISQUALIFIED, Team.State.REFUSED)
    return Status.DISQUALIFIED_ORGANISERS if state in put_out else Status.WITHDREW
