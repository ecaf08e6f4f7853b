"""The public pages of people and of teams across contests. They show what everybody may see, whoever asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from contest.models import Club, Team, User
from contest.paging import page_of
from contest.pictures import of_words
from tournaments.models import CasualGame
from tournaments.view_models import careers
from tournaments.view_models.career_charts import charts_of
from tournaments.view_models.careers import Career, open_club
from tournaments.view_models.previews import PICTURES
from tournaments.view_models.trophies import Summary, summary_of

SIZE = 25  # contests on a page
PICTURE_SECONDS = 600
RIVALS = 12
CASUAL = 20  # games


@require_safe
def person(request: HttpRequest, username: str) -> HttpResponse:
    """Somebody who does not show their page sees it alone."""
    user = get_object_or_404(User, username=username, is_active=True)
    if not user.is_public and request.user != user:
        raise Http404("no such page")
    found = careers.careers_of(_teams_of(user))
    context = {"person": user, "casual": _casual_games_of(user), **_shown(request, found)}
    return render(request, "tournaments/person.html", context)


def _casual_games_of(user: User) -> list[CasualGame]:
    """The latest that everybody can watch, if they wish to show them."""
    if not user.shows_casual:
        return []
    mine = CasualGame.objects.filter(seats__user=user, state=CasualGame.State.OVER, private=False, lesson=False)
    return list(mine.defer("record").distinct().order_by("-ended_at", "-pk")[:CASUAL])


@require_safe
def person_picture(request: HttpRequest, username: str) -> HttpResponse:
    user = get_object_or_404(User, username=username, is_active=True, is_public=True)
    return _picture(user.username, summary_of(careers.careers_of(_teams_of(user))))


def _teams_of(user: User) -> list[Team]:
    found = Team.objects.filter(memberships__user=user).select_related("contest", "club")
    return careers.shown(found)


@require_safe
def club(request: HttpRequest, club_id: int) -> HttpResponse:
    club, teams = open_club(club_id)
    context = {
        "club": club,
        "newest": teams[0],
        "rivals": _rivals(club, teams),
        **_shown(request, careers.careers_of(teams)),
    }
    return render(request, "tournaments/club.html", context)


@require_safe
def club_picture(request: HttpRequest, club_id: int) -> HttpResponse:
    _, teams = open_club(club_id)
    return _picture(teams[0].name, summary_of(careers.careers_of(teams)))


@require_safe
def club_pair(request: HttpRequest, club_id: int, other_club_id: int) -> HttpResponse:
    """Two clubs against each other, contest by contest."""
    (club, teams), (other, others) = open_club(club_id), open_club(other_club_id)
    if club == other:
        raise Http404("a team does not meet itself")
    there = {team.contest_id: team for team in others}
    pairs = [(team, there[team.contest_id]) for team in teams if team.contest_id in there]
    met = careers.meetings(pairs)
    known = [each.balance for each in met if each.balance is not None]
    context = {
        "club": club,
        "other": other,
        "newest": teams[0],
        "newest_other": others[0],
        "page": page_of(request, met, SIZE),
        "matches": sum(each.matches for each in known),
        "won": sum(each.won for each in known),
        "lost": sum(each.lost for each in known),
        "tied": sum(each.tied for each in known),
        "pending": len(met) - len(known),
    }
    return render(request, "tournaments/club_pair.html", context)


def _rivals(club: Club, teams: Sequence[Team]) -> list[tuple[int, str, int]]:
    """Other clubs in the same contests: (id, name, in how many contests). Two queries."""
    contests = [team.contest_id for team in teams]
    others = Team.objects.listed().filter(contest__in=contests, club__is_public=True).exclude(club=club)
    counted = others.order_by().values("club").annotate(count=Count("pk")).order_by("-count", "club")[:RIVALS]
    counts = {row["club"]: row["count"] for row in counted}
    newest = {team.club_id: team.name for team in others.filter(club__in=counts).order_by("contest__opens_at", "pk")}
    return [(pk, newest[pk], count) for pk, count in counts.items() if pk is not None]


def _shown(request: HttpRequest, found: list[Career]) -> dict[str, Any]:
    page = page_of(request, found, SIZE)
    return {"page": page, "summary": summary_of(found), "charts": charts_of(list(page))}


def _picture(name: str, summary: Summary) -> HttpResponse:
    words = (name, summary.sentence, [(where, title) for title, where, _ in summary.trophies[:5]])
    png = PICTURES.get(("career", *map(str, words)), lambda: of_words(*words))
    response = HttpResponse(png, content_type="image/png")
    patch_cache_control(response, public=True, max_age=PICTURE_SECONDS)
    return response
