"""The portal's front page: what was decided, what is played, what opens and closes, and all contests by phase."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

import games
from contest.models import Contest, Phase
from contest.paging import page_of
from contest.permissions import may_create_contests
from contest.views import my_places
from tournaments.view_models.front import front_of

SOON = timedelta(days=14)
DATES = 6


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What everybody may see of play, then all contests that this reader may see by phase, their own first."""
    now = timezone.now()
    visible = Contest.objects.visible_to(request.user).with_team_count()
    past = visible.in_phase(Phase.ENDED, now).order_by("-ended_at", "-id")
    groups = [
        ("Open now", list(visible.in_phase(Phase.OPEN, now).order_by("entry_deadline", "id"))),
        ("Under way", list(visible.in_phase(Phase.CLOSED, now).order_by("-upload_deadline", "-id"))),
        ("Coming", list(visible.in_phase(Phase.ANNOUNCED, now).order_by("opens_at", "id"))),
    ]
    front = front_of(now)
    crowned = {each.contest: each for each in front.crowned}
    context = {
        "front": front,
        "crowned": crowned,
        "soon": soon((each for _, found in groups for each in found if each.pk not in crowned), now),
        "groups": groups,
        "past": page_of(request, past, 20),
        "mine": my_places(request.user),
        "any": any(found for _, found in groups) or past.exists(),
        "may_create": may_create_contests(request.user),
        "games": games.GAMES.values(),
    }
    return render(request, "contest/home.html", context)


def soon(contests: Iterable[Contest], now: datetime) -> list[tuple[datetime, str, Contest]]:
    """What opens and closes next: (when, what, contest), earliest first."""
    found: dict[tuple[datetime, int], tuple[datetime, str, Contest]] = {}
    for contest in contests:
        dates = [(contest.opens_at, "opens")]
        if contest.entry_deadline == contest.upload_deadline:
            dates += [(contest.entry_deadline, "entry and uploads close")]
        else:
            dates += [(contest.entry_deadline, "entry closes"), (contest.upload_deadline, "uploads close")]
        found |= {(moment, contest.pk): (moment, words, contest) for moment, words in dates if _in(moment, now) > 0}
    return [each for _, each in sorted(found.items()) if _in(each[0], now) <= SOON.total_seconds()][:DATES]


def _in(moment: datetime, now: datetime) -> float:
    return (moment - now).total_seconds()
