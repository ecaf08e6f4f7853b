"""The page of a person. It shows what everybody may see, whoever asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from contest.formatting import nth
from contest.models import Contest, Team, User
from contest.paging import page_of
from tournaments import kinds
from tournaments.kinds import champions
from tournaments.models import CasualGame
from tournaments.results.visibility import public

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


@dataclass(frozen=True, slots=True)
class Entry:
    """`place` is in words, and blank unless the contest has ended and was decided."""

    team: Team
    place: str


def teams_of(user: User) -> list[Team]:
    """Their teams in public contests, the contest that opened last first. Contests come with them."""
    found = Team.objects.filter(memberships__user=user, contest__visibility=Contest.Visibility.PUBLIC)
    found = found.exclude(state__in=(Team.State.PENDING, Team.State.REFUSED))
    return list(found.select_related("contest").order_by("-contest__opens_at", "-pk"))


def entries_of(teams: Sequence[Team]) -> list[Entry]:
    return [Entry(team, _places(team.contest).get(team.pk, "")) for team in teams]


def _places(contest: Contest) -> dict[int, str]:
    """Places in the deciding stage by team id: "Champion", "2nd of 16", "shared 3rd of 8"."""
    if contest.ended_at is None or contest.ended_at > timezone.now():
        return {}
    sight = public(contest)
    stage, champion = champions.decided(sight), champions.of(sight)
    lines = kinds.of(stage).export(stage, sight) if stage else ()
    ranks = {line["team_id"]: line["rank"] for line in lines if line["rank"]}
    sharing = Counter(ranks.values())
    places = {
        team: f"{'shared ' if sharing[rank] > 1 else ''}{nth(rank)} of {len(ranks)}" for team, rank in ranks.items()
    }
    return places | ({champion.team.pk: "Champion"} if champion else {})
