"""A team's page: who it is, its results, its versions, its matches; and the page of two teams against each other."""

from __future__ import annotations

from math import ceil
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Avg, Count, F, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from contest.charts import LineChart
from contest.models import Contest, Team
from contest.paging import page_of
from contest.permissions import access, contest_page
from tournaments.formats.rating_systems import SETTLED
from tournaments.models.matches import MatchQuerySet
from tournaments.pages.programs import known_team
from tournaments.practice import rights
from tournaments.results.standings import Standing, skills_of, totals_of
from tournaments.results.visibility import Sight, sight
from tournaments.view_models.my_day import coming, open_match
from tournaments.view_models.pairs import balance, met, opponents
from tournaments.view_models.queries import asked_number, with_players
from tournaments.view_models.ratings import history_of, words_of

POINTS = 60  # in a chart
LATEST = 10  # matches shown here; the list of matches has all


@require_safe
@contest_page
def team(request: HttpRequest, contest: Contest, team_id: int) -> HttpResponse:
    mine, reader, team = access(request, contest), sight(request, contest), known_team(request, contest, team_id)
    done = reader.done().filter(seats__team=team)
    # With a join, the database would look at all matches of the contest, newest first.
    own = reader.matches().filter(pk__in=team.match_seats.values("match"))
    page = Paginator(with_players(own).order_by("-id"), LATEST).get_page(1)
    for match in page.object_list:
        match.stage = reader.stage(match.stage_id)
    ahead = coming(team, reader, timezone.now()) if team.is_competing else None
    skill = skills_of(reader).get(team.pk)
    totals = totals_of(team, reader)
    context = {
        "contest": contest,
        "team": team,
        "access": mine,
        "page": page,
        "matches": reader.as_known(page.object_list),
        "coming": None if ahead and open_match(team, reader) else ahead,
        "totals": totals,
        "versions": versions_used(done),
        "rating": Standing(team, None, totals, *skill, totals.matches < SETTLED) if skill else None,
        "said": words_of(contest.game),
        "history": chart_of(reader, team),
        "may_practise": _may_practise(mine.team, team),
        "opponents": opponents(done, team) if not contest.game.sample else [],
    }
    return render(request, "tournaments/team.html", context)


def _may_practise(own: Team | None, other: Team) -> bool:
    """Whether the reader's team may practise against this one."""
    if own is None or own == other or rights.why_not(own, timezone.now()):
        return False
    return rights.opponents(own).filter(pk=other.pk).exists()


def chart_of(reader: Sight, team: Team) -> LineChart | None:
    """The rating after each match, or after some of many. None with fewer than two. One query."""
    rows = history_of(reader, team.pk)
    if len(rows) < 2:
        return None
    step = max(1, ceil(len(rows) / POINTS))
    chosen = sorted({*range(len(rows) - 1, -1, -step), 0})
    points = [rows[index] for index in chosen]
    said = words_of(reader.contest.game)
    first, last = (f"{row.mu_after:,.{said.digits}f}" for row in (rows[0], rows[-1]))
    return LineChart(
        title=f"{said.title} rating",
        description=f"From {first} after the first of {len(rows)} matches to {last} after the last.",
        lines=[
            ("rating", [row.mu_after for row in points]),
            ("at most", [row.mu_after + 2 * row.sigma_after for row in points]),
            ("at least", [row.mu_after - 2 * row.sigma_after for row in points]),
        ],
        ticks=[str(index + 1) for index in chosen],
        links=[reverse("match", args=[row.match]) for row in points],
        keys=chosen,
        unit="match",
        from_zero=False,
    )


def versions_used(done: MatchQuerySet) -> list[dict[str, Any]]:
    """Versions in the matches of one team, newest first: number, matches, average place, faults."""
    numbers = done.annotate(version=F("seats__submission__number")).exclude(version=None).order_by("-version")
    found: Any = numbers.values("version")
    return list(found.annotate(matches=Count("pk"), place=Avg("seats__place"), faults=Sum("seats__faults")))


@require_safe
@contest_page
def pair(request: HttpRequest, contest: Contest, team_id: int, other_id: int) -> HttpResponse:
    """With `?stage=N` only the matches of that stage."""
    reader = sight(request, contest)
    known = reader.access.teams().in_bulk([team_id, other_id])
    if len(known) < 2:
        raise Http404("no such two teams")
    team, other = known[team_id], known[other_id]
    both = reader.matches().filter(pk__in=met(reader.matches(), team, other))
    among = set(both.order_by().values_list("stage", flat=True).distinct())
    stages = [stage for stage in reader.stages if stage.pk in among]
    stage = next((stage for stage in stages if stage.pk == asked_number(request, "stage")), None)
    if request.GET.get("stage") and stage is None:
        return redirect("pair", contest.slug, team_id, other_id)
    if stage:
        both = both.filter(stage=stage)
    rows = with_players(both).prefetch_related("stage").order_by("-id")
    page = page_of(request, rows)
    page.object_list = reader.as_known(page.object_list)
    context: dict[str, Any] = {
        "contest": contest,
        "team": team,
        "other": other,
        "stages": stages,
        "stage": stage,
        "balance": balance(both.filter(pk__in=reader.done().values("pk")), team, other),
        "page": page,
        "never_meet": contest.game.seats[1] == 1,
    }
    return render(request, "tournaments/pair.html", context)
