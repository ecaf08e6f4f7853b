"""Stages, matches and standings as rows of a table and as JSON values: what the reader of a `Sight` may see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db.models import Prefetch, QuerySet

from contest.export import batches, row, rows
from contest.models import Contest
from submissions.models import LONG_OF_SUBMISSION
from tournaments.formats.plan import TableKey, TablePlan
from tournaments.kinds import champions, secrecy
from tournaments.kinds.exported import done, left, status_of
from tournaments.kinds.judged import JUDGED
from tournaments.kinds.planned import statuses_of
from tournaments.kinds.statuses import Statuses, left_on
from tournaments.models import BotLog, Match, MatchSeat, Rating, Review, Stage
from tournaments.models.matches import with_reasons
from tournaments.results import standings
from tournaments.results.visibility import Sight

PLAYERS = MatchSeat.objects.select_related("team", "submission").defer(*LONG_OF_SUBMISSION)
RATED = ("mu_before", "sigma_before", "mu_after", "sigma_after")
MATCH_COLUMNS = (
    *("match", "stage", "stage_name", "round", "table", "number", "kind", "state", "pending", "live", "why"),
    *("seed", "games", "started_at", "finished_at", "replay_of"),
)
PLAYER_COLUMNS = (
    *("seat", "player", "team_id", "version", "house", "own_name", "points", "penalty", "place", "disqualified"),
    *("faults", "first_fault", "fault_detail", "slowest_ms", "total_ms", "cpu_ms", "verdict"),
    *RATED,
    *("status", "status_sentence"),
)


# Matches --------------------------------------------------------------------------------------------------------------


def matches(sight: Sight, newest: int = 0) -> Iterator[dict[str, Any]]:
    """Yield all matches with their players, or only the `newest` ones."""
    found = sight.matches()
    if newest:
        first = found.order_by("-pk").values_list("pk", flat=True)[newest - 1 : newest].first()
        found = found.filter(pk__gte=first) if first else found
    return every_match(sight, found.defer(None))


def every_match(sight: Sight, found: QuerySet[Match]) -> Iterator[dict[str, Any]]:
    """Yield these matches, by id. `found`: some of `sight.matches()`."""
    told_of = _Told(sight)
    for batch in batches(in_full(found)):
        yield from told(sight, batch, told_of)


def in_full(found: QuerySet[Match]) -> QuerySet[Match]:
    """With everything that `told` reads."""
    return found.select_related("stage", "table").prefetch_related(Prefetch("seats", PLAYERS), "earlier_spans")


def told(sight: Sight, found: Sequence[Match], told_of: _Told | None = None) -> Iterator[dict[str, Any]]:
    """Yield these matches with their players. A constant number of queries for each stage."""
    told_of = told_of or _Told(sight)
    rated_until = sight.rated_until
    for match in found:
        match.contest = match.stage.contest = sight.contest
    for match in with_reasons(sight.as_known(found)):
        values = _match(match)
        if not secrecy.shows_seed(match, sight):
            values |= {"seed": None, "openings": []}
        if secrecy.hides_games_of(match, sight):
            values |= {"started_at": None, "finished_at": None}  # the duration is hidden too
        known = secrecy.shown(match, sight)
        told = told_of(match)
        players = [
            _player(seat, known) | status_of(told[1].of_team(told[0], seat.team_id) if told and seat.team_id else None)
            for seat in match.seats.all()
        ]
        if rated_until and (match.resulted is None or match.resulted >= rated_until):
            players = [player | dict.fromkeys(RATED) for player in players]
        yield {**values, "players": players}


class _Told:
    """The statuses in the stages of exported matches, read once for each stage."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.stages: dict[int, tuple[dict[TableKey, TablePlan], Statuses] | None] = {}

    def __call__(self, match: Match) -> tuple[TablePlan, Statuses] | None:
        """The table of a match that counts, with the statuses. None if its stage has no tables."""
        if match.pending or match.status == Match.State.VOID:
            return None
        if match.stage_id not in self.stages:
            found = statuses_of(self.sight.stage(match.stage_id), self.sight)
            self.stages[match.stage_id] = found and ({table.key: table for table in found[0].tables()}, found[1])
        known = self.stages[match.stage_id]
        table = known[0].get((match.table.round, match.table.number)) if known else None
        return (table, known[1]) if known and table else None


def _match(match: Match) -> dict[str, Any]:
    return {
        "match": match.pk,
        "stage": match.stage_id,
        "stage_name": match.stage.name,
        "round": match.table.round,
        "table": match.table.name,
        "number": match.number,
        "kind": match.kind,
        "state": match.status,
        "pending": match.pending,
        "live": match.live,
        "why": match.why,
        "seed": match.seed,
        "games": match.games,
        "started_at": match.started_at,
        "finished_at": match.finished_at,
        "replay_of": match.replay_of_id,
        "review": match.review_id,
        "options": match.options,
        "limits": match.limits,
        "openings": [] if "openings" in match.get_deferred_fields() else match.openings,
        "void_reason": match.void_reason if match.status == Match.State.VOID else "",
    }


def _player(seat: MatchSeat, known: secrecy.Shown) -> dict[str, Any]:
    return {
        "seat": seat.index,
        "player": seat.name,
        "team_id": seat.team_id,
        "version": seat.submission.number if seat.submission else None,
        "house": seat.house,
        "own_name": seat.own_name,
        "points": seat.score,
        "penalty": seat.penalty,
        "place": seat.place,
        "disqualified": seat.disqualified,
        "faults": seat.faults,
        "first_fault": seat.fault_kind,
        "fault_detail": secrecy.fault_detail(seat, known),
        "slowest_ms": seat.slowest_ms,
        "total_ms": seat.total_ms,
        "cpu_ms": seat.cpu_ms,
        "verdict": seat.verdict,
        **{name: getattr(seat, name) for name in RATED},
    }


def match_rows(found: Iterable[dict[str, Any]]) -> Iterator[list[object]]:
    """Yield a line for every player of every match, for a spreadsheet."""
    yield [*MATCH_COLUMNS, *PLAYER_COLUMNS]
    for match in found:
        own = [_cell(match[name]) for name in MATCH_COLUMNS]
        for player in match["players"]:
            yield [*own, *(_cell(player[name]) for name in PLAYER_COLUMNS)]


def _cell(value: Any) -> object:
    return value.isoformat() if hasattr(value, "isoformat") else value


def logs(contest: Contest) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Yield (match, seat, what the bot wrote to standard error) for every match."""
    for log in rows(BotLog.objects.filter(seat__match__contest=contest).select_related("seat__team"), 50):
        seat = log.seat
        said = {"match": seat.match_id, "seat": seat.index, "player": seat.name, "pieces": log.pieces()}
        yield seat.match_id, seat.index, said


# Standings ------------------------------------------------------------------------------------------------------------


def of_contest(sight: Sight) -> Iterator[dict[str, Any]]:
    """Yield the standings of a contest: by rating or, if it has only judged problems, by those."""
    stages = [stage for stage in sight.stages if stage.state != Stage.State.DRAFT]
    if stages and not any(stage.is_rated for stage in stages):
        yield from JUDGED.export_all(stages, sight)
        return
    days = left_on(sight.contest)
    for line in standings.of_contest(sight):
        yield {
            "rank": line.rank,
            "team": line.team.name,
            "team_id": line.team.pk,
            "rating": line.mu,
            "rating_margin": line.margin,
            **done(line.record),
            **left(line.team, days),
        }


def champion(sight: Sight) -> dict[str, Any] | None:
    """The team that won the deciding stage. None: it is not over, or nobody won it alone."""
    found = champions.of(sight)
    return {"stage": found.stage.pk, "team_id": found.team.pk, "team": found.team.name} if found else None


def standing_rows(found: Iterable[dict[str, Any]]) -> Iterator[list[object]]:
    """The same for a spreadsheet, with `values` in columns of their own."""
    lines = [{name: it for name, it in line.items() if name != "values"} | line.get("values", {}) for line in found]
    heads = list(dict.fromkeys(name for line in lines for name in line)) or ["rank", "team", "team_id"]
    yield list(heads)
    yield from ([line.get(name) for name in heads] for line in lines)


# Everything else ------------------------------------------------------------------------------------------------------


def stages(sight: Sight) -> Iterator[dict[str, Any]]:
    """Yield every stage with its options, its order, its tables and its reviews."""
    for stage in sight.contest.stages.order_by("pk").prefetch_related(
        "timetable", "tables", "reviews__made_by", "reviews__decided_by"
    ):
        yield {
            **row(stage, but=("contest_id", "settled_at")),
            "timetable": [row(it, but=("id", "stage_id")) for it in stage.timetable.all()],
            "tables": list(_tables(stage, sight)),
            "reviews": [_review(review) for review in stage.reviews.all()],
        }


def _tables(stage: Stage, sight: Sight) -> Iterator[dict[str, Any]]:
    """Yield every table with the statuses of its seats."""
    found = statuses_of(stage, sight)
    planned = {table.key: table for table in found[0].tables()} if found else {}
    for table in stage.tables.all():
        plan = planned.get((table.round, table.number))
        seats = _seats(plan, found[1]) if plan and found else []
        yield {**row(table, but=("stage_id",)), "seats": seats}


def _seats(table: TablePlan, statuses: Statuses) -> list[dict[str, Any]]:
    return [
        {"team_id": seat.team, "house": seat.house, "place": seat.place, **status_of(statuses.of_seat(table, seat))}
        for seat in table.seats
    ]


def _review(review: Review) -> dict[str, Any]:
    people = {"made_by": str(review.made_by or ""), "decided_by": str(review.decided_by or "")}
    return {**row(review, but=("contest_id", "stage_id", "made_by_id", "decided_by_id")), **people}


def ratings(contest: Contest) -> Iterator[dict[str, Any]]:
    for rating in Rating.objects.filter(contest=contest).select_related("team").order_by("-mu", "team"):
        yield {"team": rating.team.name, **row(rating, but=("id", "contest_id", "submission_id"))}
