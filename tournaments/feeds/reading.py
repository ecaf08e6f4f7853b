"""The news that a reader may see: of what they follow, or of one thing; and what they can follow."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse

from contest.models import Contest, Team, User
from contest.permissions import access
from tournaments.models import Follow, NewsItem

HIDDEN = (Team.State.PENDING, Team.State.REFUSED)


def of_contest(contest: Contest) -> QuerySet[NewsItem]:
    return _whole(NewsItem.objects.filter(contest=contest))


def of_team(team: Team) -> QuerySet[NewsItem]:
    return _whole(NewsItem.objects.filter(teams=team))


def followed_by(user: User) -> QuerySet[NewsItem]:
    """Of everything that somebody follows, without contests that they may not see any more."""
    follows = Follow.objects.filter(user=user).order_by()
    contests = follows.filter(contest__isnull=False).values("contest")
    teams = Team.objects.filter(pk__in=follows.filter(team__isnull=False).values("team")).exclude(state__in=HIDDEN)
    items = NewsItem.teams.through.objects
    named = items.filter(team__in=teams.values("pk")).values("newsitem")
    return _whole(NewsItem.objects.filter(_seen_by(user), Q(contest__in=contests) | Q(pk__in=named)))


def _seen_by(user: User) -> Q:
    """Contests whose pages they may open."""
    if user.is_superuser:
        return Q()
    mine = Contest.objects.mine(user).order_by().values("pk")
    return ~Q(contest__visibility=Contest.Visibility.PRIVATE) | Q(contest__in=mine)


def _whole(found: QuerySet[NewsItem]) -> QuerySet[NewsItem]:
    return found.select_related("contest", "announcement").order_by("-at", "-pk")


@dataclass(frozen=True, slots=True)
class Followed:
    """Something that somebody follows, with its page. `field` and `pk` name it."""

    field: str
    pk: int
    name: str
    where: str
    path: str | None  # None: they may not see it any more


def follows_of(user: User) -> list[Followed]:
    """Two queries."""
    rows = list(Follow.objects.filter(user=user).select_related("contest", "team__contest"))
    mine = set(Contest.objects.mine(user).order_by().values_list("pk", flat=True))
    return [_followed(row, mine) for row in rows]


def _followed(row: Follow, mine: set[int]) -> Followed:
    contest = row.contest or (row.team.contest if row.team else None)
    assert contest is not None
    open_ = contest.visibility != Contest.Visibility.PRIVATE or contest.pk in mine
    if row.team is None:
        name = contest.name if open_ else "A contest that is private now"
        return Followed("contest", contest.pk, name, "contest", contest.get_absolute_url() if open_ else None)
    open_ = open_ and row.team.state not in HIDDEN
    name = row.team.name if open_ else "A team that is hidden now"
    path = reverse("team", args=[contest.slug, row.team.pk]) if open_ else None
    return Followed("team", row.team.pk, name, contest.name if open_ else "", path)


def must_be_visible(request: HttpRequest, field: str, pk: int) -> None:
    """Raises Http404. `field`: contest or team."""
    team = get_object_or_404(Team.objects.select_related("contest"), pk=pk) if field == "team" else None
    contest = team.contest if team else get_object_or_404(Contest, pk=pk)
    if not access(request, contest).sees or (team is not None and team.state in HIDDEN):
        raise Http404("no such page")
