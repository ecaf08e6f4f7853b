"""The page of a person. It shows what everybody may see, whoever asks."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from contest.models import User
from contest.paging import page_of
from tournaments.models import CasualGame
from tournaments.view_models.entries import entries_of, teams_of

SIZE = 25  # contests on a page
CASUAL = 20  # games


@require_safe
def person(request: HttpRequest, username: str) -> HttpResponse:
    """Somebody who does not show their page sees it alone."""
    user = get_object_or_404(User, username=username, is_active=True)
    if not user.is_public and request.user != user:
        raise Http404("no such page")
    page = page_of(request, teams_of(user), SIZE)
    context = {"person": user, "page": page, "entries": entries_of(list(page)), "casual": _casual_games_of(user)}
    return render(request, "tournaments/person.html", context)


def _casual_games_of(user: User) -> list[CasualGame]:
    """The latest that everybody can watch, if they wish to show them."""
    if not user.shows_casual:
        return []
    mine = CasualGame.objects.filter(seats__user=user, state=CasualGame.State.OVER, private=False, lesson=False)
    return list(mine.defer("record").distinct().order_by("-ended_at", "-pk")[:CASUAL])
