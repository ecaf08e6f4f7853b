"""Calendars that people subscribe to: of a contest, a stage, a team, and of one person."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import conditional_page, require_safe

from contest.guesses import code_page
from contest.models import Contest
from contest.permissions import contest_page
from tournaments.feeds import calendar
from tournaments.feeds.reading import HIDDEN
from tournaments.models import FollowSettings
from tournaments.results.visibility import public


@require_safe
@conditional_page
@contest_page
def contest_calendar(request: HttpRequest, contest: Contest) -> HttpResponse:
    return calendar.answer(request, contest.name, calendar.of_contest(public(contest)), private=_is_private(contest))


@require_safe
@conditional_page
@contest_page
def stage_calendar(request: HttpRequest, contest: Contest, stage_id: int) -> HttpResponse:
    sight = public(contest)
    stage = sight.stage(stage_id)
    name = f"{stage.name}, {contest.name}"
    return calendar.answer(request, name, calendar.of_stage(stage, sight), private=_is_private(contest))


@require_safe
@conditional_page
@contest_page
def team_calendar(request: HttpRequest, contest: Contest, team_id: int) -> HttpResponse:
    team = get_object_or_404(contest.teams.exclude(state__in=HIDDEN), pk=team_id)
    name = f"{team.name} in {contest.name}"
    return calendar.answer(request, name, calendar.of_contest(public(contest), team), private=_is_private(contest))


@require_safe
@conditional_page
@code_page("feed")
def personal_calendar(request: HttpRequest, key: str) -> HttpResponse:
    """Whoever has the address reads it, so it is as secret as a password. The page "Following" makes it anew."""
    row = get_object_or_404(FollowSettings.objects.select_related("user"), key=key, user__is_active=True)
    return calendar.answer(request, f"Kibitz: {row.user}", calendar.of_person(row.user), private=True)


def _is_private(contest: Contest) -> bool:
    return contest.visibility == Contest.Visibility.PRIVATE
