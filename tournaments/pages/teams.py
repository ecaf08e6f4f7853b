"""A team's page: who it is, how it did, in which versions, match by match."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Avg, Count, Prefetch, QuerySet, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from contest.models import Contest, Team
from contest.permissions import contest_page, standing
from tournaments.models import Match, MatchSeat
from tournaments.pages.matches import BY_PLACE, PAGE_SIZE
from tournaments.standings import records_of, skills_of
from tournaments.visibility import sight


@require_safe
@contest_page
def team(request: HttpRequest, contest: Contest, team_id: int) -> HttpResponse:
    team = get_object_or_404(Team, contest=contest, pk=team_id)
    team.contest = contest
    mine = standing(request, contest)
    if not (mine.sees_desk or mine.team == team or contest.teams.listed().filter(pk=team_id).exists()):
        raise Http404("nobody may know of a team that waits for approval or was refused")
    reader = sight(request, contest)
    chairs = MatchSeat.objects.filter(team=team, match__in=reader.matches().values("pk"))
    played = chairs.filter(match__state=Match.State.DONE, match__pending=False)
    rows = (
        chairs.select_related("match", "match__stage", "match__table", "submission")
        .defer("submission__source", "submission__strategy", "submission__build_log")
        .prefetch_related(Prefetch("match__seats", BY_PLACE))
        .order_by("-match_id")
    )
    rating = skills_of(contest, reader).get(team.pk)
    context = {
        "contest": contest,
        "team": team,
        "standing": mine,
        "page": Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page")),
        "totals": records_of(played, contest.game).get(team.pk),
        "versions": versions_used(played),
        "rating": rating,
        "margin": 2 * rating.sigma if rating else None,
    }
    return render(request, "tournaments/team.html", context)


def versions_used(played: QuerySet[MatchSeat]) -> list[dict[str, Any]]:
    """By version, the newest first: number, matches, average place, faults."""
    rows: Iterable[Any] = (
        played.filter(submission__isnull=False)
        .order_by("-submission__number")
        .values("submission__number")
        .annotate(matches=Count("pk"), place=Avg("place"), faults=Sum("faults"))
    )
    return list(rows)
