"""A stage that follows a plan: a bracket, or rounds in which everybody meets others."""

from __future__ import annotations

from contest.models import Team
from tournaments.kinds import plans
from tournaments.kinds.sheets import Sheet, sheet_of
from tournaments.models import Stage
from tournaments.results.standings import StageRow
from tournaments.results.visibility import Sight


class Planned:
    name = "planned"

    def rows(self, stage: Stage, sight: Sight | None = None) -> list[StageRow]:
        return plans.rows(stage, sight)

    def champion(self, stage: Stage, sight: Sight) -> Team | None:
        return champion_of(sheet_of(stage, sight))


def champion_of(sheet: Sheet) -> Team | None:
    """Who alone is first, once the stage is over; in a bracket nobody when all who played the final are out."""
    if sheet.stage.state != Stage.State.DONE:
        return None
    first = [each for each in sheet.plan.ranking if each.rank == 1 and not each.is_out]
    team = sheet.teams.get(first[0].team) if len(first) == 1 else None
    if team is None or not team.is_competing:
        return None
    return None if sheet.stage.played_in.page == "bracket" and team.pk in _punished(sheet) else team


def _punished(sheet: Sheet) -> set[int | None]:
    """Whom the referee disqualified in the last round."""
    last = [match for table in sheet.plan.rounds[-1] for match in sheet.at(table.place)] if sheet.plan.rounds else []
    return {seat.team_id for match in last for seat in match.seats.all() if seat.disqualified}


PLANNED = Planned()
