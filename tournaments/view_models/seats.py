"""The statuses of the seats of one match."""

from __future__ import annotations

from tournaments import kinds
from tournaments.kinds.statuses import Told
from tournaments.models import Match, MatchSeat
from tournaments.results.visibility import Sight


def seats_told(match: Match, sight: Sight) -> list[tuple[MatchSeat, Told]]:
    """Each team's seat with its status at the table, as far as this reader may know it.

    Empty for matches that do not count, and if there are no tables: on ladders and in judged problems.
    """
    if match.status == Match.State.VOID or match.pending:
        return []
    return kinds.of(match.stage).seats_told(match, sight)
