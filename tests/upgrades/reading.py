"""What the portal says about a contest: everything that follows from its results, to the bit, as JSON.

Used twice: by old/make.py with the code of commit 1f12f86, and by test_upgrade.py with the present code. Each brings a
module that knows where its code answers: old/past.py and present.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.apps import apps

from contest.models import Contest
from tournaments.formats.plan import FormatError

Match, Stage, Tally, Rating, Review = (
    apps.get_model("tournaments", name) for name in ("Match", "Stage", "Tally", "Rating", "Review")
)

TALLIED = (
    *("matches", "games", "points", "penalty", "faults", "first", "second", "third", "fourth"),
    *("units", "total", "squares"),
)
RESULT = (
    *("score", "place", "disqualified", "fault_kind", "fault_detail", "faults", "penalty", "verdict", "own_name"),
    *("client", "slowest_ms", "total_ms", "cpu_ms", "mu_before", "sigma_before", "mu_after", "sigma_after"),
)


def read(contest: Contest, code: Any) -> dict[str, Any]:
    """All of it: the rows, and what follows from them for the owner and for the public. `code`: who answers."""
    owner = contest.roles.get(role="owner").user
    return {
        "matches": {str(match.pk): match_facts(match, code) for match in matches_of(contest)},
        "stages": {str(stage.pk): stage_facts(stage) for stage in contest.stages.order_by("pk")},
        "teams": {str(team.pk): [team.name, team.state, team.seed] for team in contest.teams.order_by("pk")},
        "tallies": [
            [row.stage_id, row.team_id, *(bits(getattr(row, name)) for name in TALLIED)]
            for row in Tally.objects.filter(stage__contest=contest).order_by("stage", "team")
        ],
        "ratings": [
            [row.team_id, bits(row.mu), bits(row.sigma), row.matches, row.submission_id]
            for row in Rating.objects.filter(contest=contest).order_by("team")
        ],
        "reviews": [[row.pk, row.state, row.reason] for row in Review.objects.filter(contest=contest).order_by("pk")],
        "owner": view(contest, code, code.sight_of(owner, contest)),
        "public": view(contest, code, code.sight_of(None, contest)),
    }


def bits(value: Any) -> Any:
    """A float with all of its digits; other values as they are."""
    return repr(value) if isinstance(value, float) else value


# Rows -----------------------------------------------------------------------------------------------------------------


def matches_of(contest: Contest) -> Iterable[Any]:
    found = Match.objects.filter(contest=contest).select_related("table", "record")
    return found.prefetch_related("seats").order_by("pk")


def match_facts(match: Any, code: Any) -> dict[str, Any]:
    return {
        "table": [match.stage_id, match.table.round, match.table.number, match.number],
        "state": match.state,
        "pending": match.pending,
        "reason": code.reason(match),
        "kind": match.kind,
        "live": match.live,
        "review": match.review_id,
        "replay_of": match.replay_of_id,
        "seed": match.seed,
        "games": match.games,
        "attempt": match.attempt,
        "created_at": moment(match.created_at),
        "finished_at": moment(match.finished_at),
        "voided_at": moment(code.voided_at(match)),
        "record": match.record.sha256 if hasattr(match, "record") else None,
        "seats": [
            [seat.index, seat.team_id, seat.submission_id, seat.house, *(bits(getattr(seat, name)) for name in RESULT)]
            for seat in match.seats.all()
        ],
    }


def moment(at: Any) -> str | None:
    return at.isoformat() if at else None


def stage_facts(stage: Any) -> dict[str, Any]:
    return {
        "name": stage.name,
        "state": stage.state,
        "order": stage.order,
        "left_out": stage.left_out,
        "released": [stage.release, stage.released],
        "refusal": stage.refusal,
        "started_at": moment(stage.started_at),
        "finished_at": moment(stage.finished_at),
        "tables": [
            [table.round, table.number, table.name, table.decided, table.players, table.places]
            for table in stage.tables.order_by("round", "number")
        ],
    }


# What a reader sees ---------------------------------------------------------------------------------------------------


def view(contest: Contest, code: Any, sight: Any) -> dict[str, Any]:
    return {
        "matches": ids(sight.matches()),
        "valid": ids(sight.valid()),
        "done": ids(sight.done()),
        "void": ids(sight.in_state("void")),
        "champion": code.champion(sight),
        "standings": [
            [row.team.pk, row.rank, *record(row.record), bits(row.mu), bits(row.sigma), row.is_provisional]
            for row in code.contest_rows(contest, sight)
        ],
        "stages": {str(stage.pk): stage_view(stage, code, sight) for stage in sight.stages},
    }


def ids(matches: Any) -> list[int]:
    return sorted(matches.values_list("pk", flat=True))


def record(told: Any) -> list[Any]:
    values = (told.matches, told.games, told.points, told.penalty, list(told.places), told.faults, told.average)
    return [*map(bits, values), bits(told.margin)]


def stage_view(stage: Any, code: Any, sight: Any) -> dict[str, Any]:
    seen = {
        "state": stage.state,
        "state_name": stage.state_name,
        "order": stage.order,
        "finished_at": moment(stage.finished_at),
    }
    if code.is_judged(stage):
        return {**seen, "ranking": judged_ranking(code.judged_rows(stage, sight))}
    try:
        rows = code.stage_rows(stage, sight)
        plan = None if code.is_ladder(stage) else code.plan(stage, sight)
    except FormatError as error:
        return {**seen, "refused": str(error)}
    return {
        **seen,
        "ranking": [
            [
                *(row.team.pk, row.ranked.rank, row.ranked.is_out, row.ranked.round, bits(row.ranked.score)),
                *([bits(value) for value in row.ranked.values], record(row.record)),
                *(bits(row.mu), bits(row.sigma), row.is_provisional),
            ]
            for row in rows
        ],
        "tables": plan
        and [
            [table.round, table.number, table.name, table.decided, list(table.teams), list(table.places)]
            for table in plan.tables()
        ],
        "done": plan and plan.done,
    }


def judged_ranking(rows: Iterable[Any]) -> list[Any]:
    return [
        [
            *(row.team.pk, row.rank, row.is_out, row.penalty, row.tries),
            [[run.number, run.minutes, run.verdict, run.match.pk] for run in row.runs],
        ]
        for row in rows
    ]
