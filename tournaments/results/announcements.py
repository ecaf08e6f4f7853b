"""What the ledger tells of teams, releases and freezes, all of which is stored as well: for replay.py to compare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from contest.models import Contest, Kind, LedgerEntry, Team
from tournaments.models import Stage

State = Team.State
STATES: Mapping[str | None, tuple[str, ...]] = {
    None: (State.APPROVED, State.PENDING, State.REFUSED, State.WITHDRAWN),
    Kind.TEAM_DISQUALIFIED: (State.DISQUALIFIED,),
    Kind.TEAM_WITHDRAWN: (State.WITHDRAWN, State.PENDING, State.REFUSED),
    Kind.TEAM_REINSTATED: (State.APPROVED,),
}
"""By the last entry about a team: the states in which it can be, the usual one first. The ledger does not tell of teams
that have never taken part, or that ask to come back."""

SETTINGS = ("resets", "last_round", "release", "released")
SETTING_KINDS = (
    Kind.STAGE_STARTED,
    Kind.STAGE_RESET,
    Kind.STAGE_SHORTENED,
    Kind.ROUND_RELEASED,
    Kind.ROUND_TAKEN_BACK,
    Kind.STAGE_RELEASED,
)


def frozen_number(contest: Contest) -> int | None:
    """The entry with which the freeze began. None: the contest is not frozen."""
    last = contest.ledger.filter(kind__in=(Kind.FREEZE_SET, Kind.FREEZE_LIFTED)).order_by("-number").first()
    return last.number if last is not None and last.kind == Kind.FREEZE_SET else None


def team_states(contest: Contest) -> dict[Team, tuple[str, ...]]:
    """The states that fit the last entry about each team."""
    kinds = (Kind.TEAM_DISQUALIFIED, Kind.TEAM_WITHDRAWN, Kind.TEAM_REINSTATED)
    last = dict(contest.ledger.filter(kind__in=kinds).order_by("number").values_list("team", "kind"))
    return {team: STATES[last.get(team.pk)] for team in contest.teams.order_by("pk")}


def settings_told(stage: Stage, entries: Iterable[LedgerEntry]) -> dict[str, Any]:
    """The settings of a stage that these entries, in order, have changed. Others can be edited until it starts."""
    told: dict[str, Any] = {"resets": 0, "last_round": None, "release": stage.release, "released": 0}
    has_started = False
    for entry in entries:
        match entry.kind:
            case Kind.STAGE_STARTED:
                has_started = True
                told["released"] = entry.data.get("released", 0)
            case Kind.STAGE_RESET:
                has_started = False
                told |= {"resets": told["resets"] + 1, "last_round": None, "release": stage.release, "released": 0}
            case Kind.STAGE_SHORTENED:
                told["last_round"] = entry.round
            case Kind.ROUND_RELEASED | Kind.ROUND_TAKEN_BACK:
                told |= {"release": Stage.Release.ROUNDS, "released": entry.round}
            case Kind.STAGE_RELEASED if has_started:
                told["release"] = Stage.Release.LIVE
    return told
