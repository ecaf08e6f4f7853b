"""The contests in which somebody took part, with their team and its place, as everybody may know them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from contest.formatting import nth
from contest.models import Contest, Team, User
from tournaments import kinds
from tournaments.kinds import champions
from tournaments.results.visibility import public


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
