"""The page of a ladder: ratings, available teams, matches in progress, latest results, and the time left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from contest.models import Contest, Team
from contest.paging import page_of
from contest.permissions import access
from submissions.models import Submission
from tournaments.kinds.ladder import LADDER, champion_of
from tournaments.models import Client, Match, MatchSeat, Stage
from tournaments.models.matches import MatchQuerySet, house_player
from tournaments.results.standings import StageRow
from tournaments.results.visibility import Sight
from tournaments.view_models.queries import at_the_table, poll_address, with_players
from tournaments.view_models.ratings import words_of

PAGE_SIZE = 100
LATEST = 400  # matches searched for each team's latest results
SHOWN = 8  # of them, in full
FORM = 5  # latest results of a team


class Seated(NamedTuple):
    """The columns of a seat needed for the last results of hundreds of matches. Full rows double the page's time."""

    match: int
    team: int | None
    house: str
    place: int | None

    def called(self, teams: Mapping[int, Team]) -> str:
        return house_player(self.house) if self.team is None else teams[self.team].name


@dataclass(frozen=True, slots=True)
class Outcome:
    """A match from a team's view: `W`, `L` or `T` against one opponent, otherwise its place."""

    match: int
    text: str
    tone: str  # won, lost, tied
    label: str

    @property
    def url(self) -> str:
        return reverse("match", args=[self.match])


@dataclass(frozen=True, slots=True)
class Rung:
    """A team on the ladder, in ladder order; `rank` is separate."""

    row: StageRow
    there: str  # connected, bot, or empty: it cannot play now
    match: Match | None  # in progress
    form: list[Outcome]  # latest first


@dataclass(frozen=True, slots=True)
class Clock:
    """When the ladder ends, and whether its last minutes have begun, in which every team is matched."""

    ends_at: datetime | None
    final_from: datetime | None
    is_final: bool
    is_past: bool


def others(match: Match, found: QuerySet[Match]) -> QuerySet[Match]:
    """The matches with its number, which replace it or were replaced by it: the whole ladder is one table."""
    return at_the_table(match, found).filter(number=match.number)


def page(request: HttpRequest, stage: Stage, reader: Sight) -> HttpResponse:
    """With `?rev=N` only its live part. A constant number of queries."""
    contest, now = stage.contest, timezone.now()
    rows = LADDER.rows(stage, reader)
    listed = page_of(request, rows, PAGE_SIZE)
    own = access(request, contest).team
    teams = {row.team.pk: row.team for row in rows}
    done = reader.done().filter(**_here(stage)).order_by("-resulted")
    latest = reader.as_known(_in_full(done)[:SHOWN])
    running = _running(stage, reader)
    context: dict[str, Any] = {
        "contest": contest,
        "stage": stage,
        "page": listed,
        "rungs": rungs_of(contest, list(listed), running, _form(done, teams), now),
        "running": running[:SHOWN],
        "more": len(running) - SHOWN,
        "latest": latest,
        "mine": own.pk if own else None,
        "own": next((row for row in rows if own and row.team.pk == own.pk), None),
        "teams": len(teams),
        "clock": clock_of(stage, now),
        "champion": champion_of(stage, rows),
        "said": words_of(contest.game),
        "is_live": not stage.has_ended,
        "poll": poll_address(stage, reader, f"page={listed.number}" if listed.number > 1 else ""),
    }
    template = "tournaments/_ladder.html" if "rev" in request.GET else "tournaments/ladder.html"
    return render(request, template, context)


def _running(stage: Stage, reader: Sight) -> list[Match]:
    """Matches in progress, in order of their start."""
    # Sorted here, because the database would walk through all matches ever started to find these few in order.
    running = _in_full(reader.matches().filter(state=Match.State.RUNNING, **_here(stage)).order_by())
    return sorted(running, key=lambda match: (match.started_at or match.created_at, match.pk))


def _here(stage: Stage) -> dict[str, Any]:
    return {"stage": stage.pk, "contest": stage.contest_id, "pending": False}


def _in_full(found: MatchQuerySet) -> MatchQuerySet:
    """With everything that a line in a list of matches shows."""
    return with_players(found).select_related("stage").defer("stage__order")


def _form(done: QuerySet[Match], teams: Mapping[int, Team]) -> dict[int, list[Outcome]]:
    """The latest results of each team, latest first. `teams`: those already loaded."""
    latest = list(done.values_list("pk", flat=True)[:LATEST])
    seats: dict[int, list[Seated]] = {match: [] for match in latest}
    seated = MatchSeat.objects.filter(match__in=latest).order_by("place", "index")
    for seat in map(Seated._make, seated.values_list("match", "team", "house", "place")):
        seats[seat.match].append(seat)
    others = {seat.team for around in seats.values() for seat in around if seat.team} - teams.keys()
    known = {**teams, **Team.objects.in_bulk(others)} if others else teams
    form: dict[int, list[Outcome]] = {}
    for around in seats.values():
        for seat in around:
            if seat.team is not None and len(results := form.setdefault(seat.team, [])) < FORM:
                results.append(outcome_of(seat, around, known))
    return form


def rungs_of(
    contest: Contest,
    rows: Sequence[StageRow],
    running: Iterable[Match],
    form: Mapping[int, list[Outcome]],
    now: datetime,
) -> list[Rung]:
    teams = [row.team.pk for row in rows]
    connected: set[int] = set()
    if contest.live:
        connected.update(Client.objects.connected(now).filter(team__in=teams).values_list("team", flat=True))
    armed = set(Submission.objects.active().filter(team__in=teams).values_list("team", flat=True))
    plays = {seat.team_id: match for match in running for seat in match.by_place if seat.team_id}
    return [
        Rung(
            row,
            "connected" if row.team.pk in connected else "bot" if row.team.pk in armed else "",
            plays.get(row.team.pk),
            form.get(row.team.pk, []),
        )
        for row in rows
    ]


def outcome_of(seat: Seated, around: Sequence[Seated], teams: Mapping[int, Team]) -> Outcome:
    """Against a single other team: who was better. Otherwise: the place among all players."""
    place, last = seat.place or len(around), len(around)
    rivals = [other for other in around if other is not seat and (other.team is not None or last == 2)]
    names = ", ".join(other.called(teams) for other in rivals)
    if len(rivals) != 1:
        tone = "won" if place == 1 else "lost" if place == last else "tied"
        return Outcome(seat.match, str(place), tone, f"place {place}, with {names}" if names else f"place {place}")
    ahead = (rivals[0].place or last) - place
    text, tone = ("W", "won") if ahead > 0 else ("L", "lost") if ahead < 0 else ("T", "tied")
    return Outcome(seat.match, text, tone, f"{tone} against {names}")


def clock_of(stage: Stage, now: datetime) -> Clock:
    ends_at = stage.ends_at
    final = ends_at - timedelta(minutes=stage.options.get("final_minutes", 0)) if ends_at else None
    past = bool(ends_at and now >= ends_at)
    return Clock(ends_at, final, bool(final and final <= now and not past), past)
