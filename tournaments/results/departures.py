"""How teams have left a contest: announced at once, and so the same for every reader, in a freeze too."""

from __future__ import annotations

from contest.models import Team
from tournaments.formats.plan import Status


def left_as(state: str) -> Status:
    """The status of a team that does not compete, from its state: the organisers put it out, or it went."""
    put_out = (Team.State.DISQUALIFIED, Team.State.REFUSED)
    return Status.DISQUALIFIED_ORGANISERS if state in put_out else Status.WITHDREW
