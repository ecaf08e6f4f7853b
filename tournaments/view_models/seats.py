"""What became of the seats of one match."""

from __future__ import annotations

from tournaments.kinds.planned import sheet_of
from tournaments.kinds.statuses import Told
from tournaments.models import Match, MatchSeat
from tournaments.results.visibility import Sight


def seats_told(match: Match, sight: Sight) -> list[tuple[MatchSeat, Told]]:
    """Every team's seat with the status that it has at the table, as this reader may know it.

    Empty for matches that do not count, and where there are no tables: on ladders and in judged problems.
    """
    if match.status == Match.State.VOID or match.pending or match.stage.played_in.kind != "planned":
        return []
    sheet = sheet_of(sight.stage(match.stage_id), sight)
    table = next((table for table in sheet.plan.tables() if table.key == (match.table.round, match.table.number)), None)
    if table is None:
        return []
    seats = match.seats.select_related("team").order_by("place", "index")
    told = ((seat, sheet.statuses.of_team(table, seat.team_id)) for seat in seats if seat.team_id is not None)
    return [(seat, each) for seat, each in told if each is not None]
