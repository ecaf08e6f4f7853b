"""The ledger's facts as headlines, as everybody may know them at this moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from django.urls import reverse

from contest.models import Kind, LedgerEntry, Team
from tournaments import kinds
from tournaments.kinds import champions, secrecy
from tournaments.models import Match, Stage
from tournaments.results.visibility import Sight

FIRST = 3  # places of a finished stage
TEAMS = {
    Kind.TEAM_DISQUALIFIED: "{} was disqualified",
    Kind.TEAM_WITHDRAWN: "{} has withdrawn",
    Kind.TEAM_REINSTATED: "{} takes part again",
}
STAGES = {
    Kind.STAGE_STARTED: "{} has begun",
    Kind.ROUND_STARTED: "{}: the next round has begun",
    Kind.ROUND_MOVED: "{}: a start has moved",
    Kind.STAGE_FINISHED: "{} is finished",
    Kind.STAGE_ABANDONED: "{} ended without a winner",
    Kind.STAGE_RELEASED: "{}: all results are public",
    Kind.ROUND_RELEASED: "{}: more results are public",
}
EXPLAINED = (Kind.STAGE_ABANDONED, Kind.ROUND_MOVED)
"""Kinds whose reason everybody may read."""
CONTESTS = {Kind.FREEZE_SET: "New results are hidden from now on", Kind.FREEZE_LIFTED: "The freeze is lifted"}
MATCHES = (Kind.MATCH_RESULT, Kind.MATCH_VOIDED)
TOLD = frozenset({*TEAMS, *STAGES, *CONTESTS, *MATCHES})


@dataclass(frozen=True, slots=True)
class Headline:
    entry: LedgerEntry
    title: str
    text: str
    path: str
    teams: Sequence[int] = field(default=())


def headlines(sight: Sight, entries: Iterable[LedgerEntry]) -> Iterator[Headline]:
    """Those of these entries that are news. A few queries for all of them."""
    stages = {stage.pk: stage for stage in sight.stages}
    ladders = {pk for pk, stage in stages.items() if not kinds.of(stage).has_plan}  # told of once a day (writing.py)
    chosen = [it for it in entries if it.kind in TOLD and (it.kind not in MATCHES or it.stage_id not in ladders)]
    matches = _matches(sight, [entry.match_id for entry in chosen if entry.match_id])
    done = set(sight.done().filter(pk__in=matches).values_list("pk", flat=True)) if matches else set()
    teams = Team.objects.in_bulk([entry.team_id for entry in chosen if entry.team_id])
    contest = sight.contest
    for entry in chosen:
        if entry.kind in CONTESTS:
            yield Headline(entry, CONTESTS[Kind(entry.kind)], "", contest.get_absolute_url())
        elif entry.kind in TEAMS and entry.team_id in teams:
            team = teams[entry.team_id]
            path = reverse("team", args=[contest.slug, team.pk])
            yield Headline(entry, TEAMS[Kind(entry.kind)].format(team.name), entry.reason, path, [team.pk])
        elif entry.kind in STAGES and entry.stage_id in stages:
            if (told := _stage(entry, stages[entry.stage_id], sight)) is not None:
                yield told
        elif entry.match_id in matches and entry.stage_id in stages:
            match = matches[entry.match_id]
            if (told := _match(entry, match, match.pk in done, sight)) is not None:
                yield told


def _matches(sight: Sight, pks: Sequence[int]) -> dict[int, Match]:
    if not pks:
        return {}
    found = sight.matches().filter(pk__in=pks).select_related("stage", "table", "contest")
    return {match.pk: match for match in sight.as_known(found.prefetch_related("seats__team"))}


def _stage(entry: LedgerEntry, stage: Stage, sight: Sight) -> Headline | None:
    title = STAGES[Kind(entry.kind)].format(stage.name)
    path = stage.get_absolute_url()
    if entry.kind != Kind.STAGE_FINISHED:
        return Headline(entry, title, entry.reason if entry.kind in EXPLAINED else "", path)
    if stage.state != Stage.State.DONE or stage.pk in sight.concealed:
        return None
    first, more = places(stage, sight)
    champion = champions.of(sight)
    if champion is not None and champion.stage.pk == stage.pk:
        title = f"{champion.team.name} won {sight.contest.name}"
    return Headline(entry, title, more, path, first)


def places(stage: Stage, sight: Sight) -> tuple[list[int], str]:
    """The first teams of a ranking, and the same in words."""
    lines = [line for line in kinds.of(stage).export(stage, sight) if line["rank"] and line["rank"] <= FIRST]
    words = (f"{line['rank']}. {line['team']}" for line in lines[: 2 * FIRST])
    return [line["team_id"] for line in lines], ", ".join(words)


def _match(entry: LedgerEntry, match: Match, is_done: bool, sight: Sight) -> Headline | None:
    seats = sorted(match.seats.all(), key=lambda seat: (seat.place or 99, seat.index))
    teams = [seat.team_id for seat in seats if seat.team_id is not None]
    path = match.get_absolute_url()
    if entry.kind == Kind.MATCH_VOIDED:
        return Headline(entry, f"{match.title} no longer counts", entry.reason, path, teams)
    if not is_done:
        return None
    if match.contest.game.sample or secrecy.hides_games_of(match, sight):
        who = ", ".join(format(seat.name) for seat in seats)
        return Headline(entry, f"{who}: a run was judged", match.stage.name, path, teams)
    told = ", ".join(f"{seat.name} {seat.counted:,.12g}" for seat in seats)
    return Headline(entry, told, f"{match.title}, {match.stage.name}", path, teams)
