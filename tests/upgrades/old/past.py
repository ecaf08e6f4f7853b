"""Where the code of commit 1f12f86 answers what reading.py asks; see present.py."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from contest.models import Contest, User
from contest.permissions import standing_of
from tournaments import judged, standings, visibility
from tournaments.formats.plan import Plan
from tournaments.models import Stage
from tournaments.pages import champions
from tournaments.visibility import Sight


def sight_of(user: User | None, contest: Contest) -> Sight:
    return Sight(standing_of(user, contest)) if user else visibility.public(contest)


def champion(sight: Sight) -> list[int] | None:
    found = champions.of(sight)
    return found and [found.team.pk, found.stage.pk]


def contest_rows(contest: Contest, sight: Sight) -> Sequence[Any]:
    return standings.of_contest(contest, sight)


def stage_rows(stage: Stage, sight: Sight) -> Sequence[Any]:
    return standings.of_stage(stage, sight)


def is_judged(stage: Stage) -> bool:
    return stage.played_in.runs


def is_ladder(stage: Stage) -> bool:
    return stage.played_in.continuous


def judged_rows(stage: Stage, sight: Sight) -> Sequence[Any]:
    return judged.ranking(stage, sight)


def plan(stage: Stage, sight: Sight) -> Plan:
    return sight.read(stage).plan


def reason(match: Any) -> str:
    return match.reason


def voided_at(match: Any) -> datetime | None:
    return match.voided_at
