"""The news that a reader may see: of what they follow, or of one thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.urls import reverse

from contest.models import Club, Contest, Team, User
from tournaments.models import Follow, NewsItem

HIDDEN = (Team.State.PENDING, Team.State.REFUSED)


def of_contest(contest: Contest) -> QuerySet[NewsItem]:
    return _whole(NewsItem.objects.filter(contest=contest))


def of_team(team: Team) -> QuerySet[NewsItem]:
    return _whole(NewsItem.objects.filter(teams=team))


def of_club(club: Club) -> QuerySet[NewsItem]:
    """Of public contests: their page does not speak of others."""
    teams = club.teams.exclude(state__in=HIDDEN).filter(contest__visibility=Contest.Visibility.PUBLIC)
    return _whole(NewsItem.objects.filter(teams__in=teams).distinct())


def followed_by(user: User) -> QuerySet[NewsItem]:
    """Of everything that somebody follows, without contests that they may not see any more."""
    follows = Follow.objects.filter(user=user).order_by()
    contests = follows.filter(contest__isnull=False).values("contest")
    teams = Team.objects.filter(pk__in=follows.filter(team__isnull=False).values("team")).exclude(state__in=HIDDEN)
    clubs = follows.filter(club__isnull=False, club__is_public=True).values("club")
    lasting = Team.objects.filter(club__in=clubs, contest__visibility=Contest.Visibility.PUBLIC)
    lasting = lasting.exclude(state__in=HIDDEN)
    items = NewsItem.teams.through.objects
    named = items.filter(Q(team__in=teams.values("pk")) | Q(team__in=lasting.values("pk"))).values("newsitem")
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
    path: str  # blank: they may not see it any more


def follows_of(user: User) -> list[Followed]:
    """Three queries."""
    rows = list(Follow.objects.filter(user=user).select_related("contest", "team__contest", "club"))
    mine = set(Contest.objects.mine(user).order_by().values_list("pk", flat=True))
    newest = _newest([row.club_id for row in rows if row.club_id])
    return [_followed(row, mine, newest) for row in rows]


def _newest(clubs: Sequence[int]) -> dict[int | None, str]:
    teams = Team.objects.filter(club__in=clubs, club__is_public=True, contest__visibility=Contest.Visibility.PUBLIC)
    found = teams.exclude(state__in=HIDDEN).order_by("contest__opens_at", "pk")
    return {team.club_id: team.name for team in found}


def _followed(row: Follow, mine: set[int], newest: dict[int | None, str]) -> Followed:
    if row.club_id is not None:
        name = newest.get(row.club_id, "")
        path = reverse("club", args=[row.club_id]) if name else ""
        return Followed("club", row.club_id, name or "A team that is hidden now", "across contests", path)
    contest = row.contest or (row.team.contest if row.team else None)
    assert contest is not None
    open_ = contest.visibility != Contest.Visibility.PRIVATE or contest.pk in mine
    if row.team is None:
        name = contest.name if open_ else "A contest that is private now"
        return Followed("contest", contest.pk, name, "contest", contest.get_absolute_url() if open_ else "")
    open_ = open_ and row.team.state not in HIDDEN
    name = row.team.name if open_ else "A team that is hidden now"
    path = reverse("team", args=[contest.slug, row.team.pk]) if open_ else ""
    return Followed("team", row.team.pk, name, contest.name if open_ else "", path)
