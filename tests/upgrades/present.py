"""Where the present code answers what reading.py asks. When modules move, adapt only this file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from contest.models import Contest, Team, User
from contest.permissions import access_of
from tournaments import kinds
from tournaments.formats.plan import Plan
from tournaments.kinds import champions, judged
from tournaments.kinds.judged import JUDGED
from tournaments.kinds.ladder import LADDER
from tournaments.kinds.planned import PLANNED
from tournaments.models import Stage
from tournaments.results import standings, visibility
from tournaments.results.standings import StageRow, Totals
from tournaments.results.visibility import Sight


def sight_of(user: User | None, contest: Contest) -> Sight:
    """The view of a user; None: a stranger."""
    return Sight(access_of(user, contest)) if user else visibility.public(contest)


def champion(sight: Sight) -> list[int] | None:
    """The team and the stage that made it the champion."""
    found = champions.of(sight)
    return found and [found.team.pk, found.stage.pk]


def contest_rows(contest: Contest, sight: Sight) -> Sequence[Any]:
    """The standings of the contest."""
    return standings.of_contest(sight)


def stage_rows(stage: Stage, sight: Sight) -> Sequence[Any]:
    """The ranking of a stage that is not judged, by every result, as it once was read. Raises FormatError."""
    if is_ladder(stage):
        return LADDER.rows(stage, sight)
    if not stage.order:
        return []
    teams = Team.objects.in_bulk(stage.order)
    records = standings.records_in(stage, sight)
    ranking = PLANNED.read(stage, sight).plan.ranking
    return [StageRow(teams[each.team], each, records.get(each.team, Totals())) for each in ranking]


def is_judged(stage: Stage) -> bool:
    return kinds.of(stage) is JUDGED


def is_ladder(stage: Stage) -> bool:
    return kinds.of(stage) is LADDER


def judged_rows(stage: Stage, sight: Sight) -> Sequence[Any]:
    """The ranking of a judged problem."""
    return judged.ranking(stage, sight)


def plan(stage: Stage, sight: Sight) -> Plan:
    """Raises FormatError."""
    return PLANNED.read(stage, sight).plan


def reason(match: Any) -> str:
    """Why it is void; for other matches, why its players met."""
    return match.void_reason if match.state == match.State.VOID and not match.pending else match.why


def voided_at(match: Any) -> datetime | None:
    if match.counts_until is None:
        return None
    return match.contest.ledger.get(number=match.counts_until).at.replace(microsecond=0)
