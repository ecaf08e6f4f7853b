"""A contest that goes on in two ways, and what readers see each time.

`in_both` lets each of two stories happen, looks, and rolls it back. So everything but the story is the same, including
the numbers of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from unittest.mock import patch

from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from contest.models import Contest, Membership, Scope
from tests.programs import program
from tests.tournaments.stagecraft import Hall, finish
from tests.tournaments.visitors import addresses, seen, visitor
from tournaments.feeds.changes import settings_of
from tournaments.kinds import planned, present
from tournaments.models import Match, Stage
from tournaments.results import ratings, standings
from tournaments.view_models import front, stages_told

CACHES = (standings.CACHE, planned.CACHE, planned.RECORDS, present.KNOWN, ratings.CACHE, front.CACHE)
CACHES += (stages_told.COUNTS,)
Told = dict[str, tuple[int, str]]
Story = Callable[[], None]
CODE = "only-to-watch"


class Undo(Exception):
    pass


def in_both(stories: Sequence[Story], look: Callable[[], Told]) -> list[Told]:
    # The same moment in all, because announcements tell when they were made; later than anything so far.
    found, now = [], timezone.now() + timedelta(hours=1)
    for story in stories:
        try:
            cache.clear()
            for kept in CACHES:  # otherwise the second world would see what was cached in the first
                kept.clear()
            with transaction.atomic(), patch.object(timezone, "now", lambda: now):
                story()
                found.append(look())
                raise Undo
        except Undo:
            pass
    return found


def differing(worlds: Sequence[Told]) -> list[str]:
    first, *others = worlds
    assert all(list(first) == list(other) for other in others)
    return [address for address in first if any(first[address] != other[address] for other in others)]


def play_on(
    stage: Stage, *, weak: bool = False, most: int = 1000, disqualify: bool = False, of: Match | None = None
) -> None:
    """Play what is waiting in the stage, or the match `of`: the stronger seed is better, or (`weak`) the weaker one."""
    for _ in range(1 if of else most):
        match = of or Match.objects.claimable(timezone.now()).filter(stage=stage).first()
        if match is None:
            return
        teams = sorted((seat.team for seat in match.seats.all() if seat.team), key=lambda team: team.seed or 0)
        order = list(reversed(teams)) if weak else teams
        out = frozenset({order[-1].pk}) if disqualify else frozenset[int]()
        finish(match, {team.pk: place for place, team in enumerate(order, start=1)}, out)


EVERYWHERE = (
    r"$|people/|c/<slug:slug>/(?!desk/stages)|m/"
    r"|api/v1/(?!contests/<slug:slug>/desk/(stages|reviews|matches))"
)
ABOUT_RESULTS = (
    r"$|people/|c/<slug:slug>/($|preview|calendar|bracket|standings|matches|teams/<int:team_id>/($|calendar))"
    r"|m/<int:match_id>/($|record|match|preview|<int:game>/($|preview))"
    r"|api/v1/contests/<slug:slug>/(stages|standings|matches|ledger)|api/v1/matches/<int:match_id>$"
)


def public_addresses(hall: Hall, where: str = ABOUT_RESULTS) -> list[str]:
    """All addresses about a contest, for any reader: of some of its matches and teams."""
    slug = hall.contest.slug
    stages = [stage.pk for stage in hall.contest.stages.all()]
    ids = some_matches(hall.contest)
    teams = [hall.teams[0].pk, hall.teams[-1].pk]
    values: dict[str, Sequence[object]] = {
        "slug": [slug], "team": teams[:1], "team_id": teams, "other_id": teams, "stage_id": stages, "match_id": ids,
        "name": [hall.contest.game.log_name], "code": ["wrong"], "username": captains_of(teams),
    }  # fmt: skip
    asked = addresses(values, where)
    queries = (
        *("standings/?rev=0", "matches/?state=done", "matches/?state=void", "matches/?faults=true", "?rev=0"),
        *(f"standings/?stage={stage}" for stage in stages),
        *(f"bracket/{stage}/?{more}" for stage in stages for more in ("rev=0", f"team={teams[0]}")),
        *(f"bracket/{stage}/?round={number}" for stage in stages for number in (1, 2, 3)),
        *(f"matches/?stage={stage}" for stage in stages),
        *(f"matches/?team={team}" for team in teams),
    )
    told = [f"/m/{match}/?rev=0" for match in ids[::3]]
    paper = [f"/m/{match}/1/?{part}" for match in ids for part in ("sheets=all", "transcript=1&view=0")]
    pages = [*asked, *paper, *(f"/c/{slug}/{query}" for query in queries), *told]
    programs = [*api_streams(teams), *(api_queries(teams, stages, ids) if where == EVERYWHERE else ())]
    return [*pages, *(f"/api/v1/contests/{slug}/{query}" for query in programs)]


def captains_of(teams: Sequence[int]) -> list[str]:
    found = Membership.objects.filter(team__in=teams, is_captain=True).order_by("team")
    return list(found.values_list("user__username", flat=True))


def some_matches(contest: Contest) -> list[int]:
    """The first two matches, one from the middle, the last one, and the numbers that the next two will get."""
    drawn = sorted(contest.matches.values_list("pk", flat=True)) or [0]
    return sorted({*drawn[:2], drawn[len(drawn) // 2], drawn[-1], drawn[-1] + 1, drawn[-1] + 2})


def api_streams(teams: Sequence[int]) -> list[str]:
    """All that programs can read about the results of a contest, beyond the plain addresses."""
    return ["matches?format=ndjson", "ledger?format=ndjson", *(f"ratings?team={team}" for team in teams[:2])]


def api_queries(teams: Sequence[int], stages: Sequence[int], matches: Sequence[int]) -> list[str]:
    """The ways to ask for parts of it."""
    return [
        *("matches?since=2001-01-01T00:00:00Z", "matches?round=2", "matches?faults=true"),
        *(f"matches?state={state}" for state in Match.State.values),
        *("ledger?limit=3", "ledger?after=7", f"matches?after={matches[1]}"),
        *(f"ledger?after=match_result.{match}" for match in matches[::2]),
        *(f"matches?team={team}&version=1" for team in teams[:1]),
        *(f"matches?stage={stage}&limit=2" for stage in stages),
        *(f"stages/{stage}/tables?round=2" for stage in stages),
        *(f"stages/{stage}/tables?team={teams[0]}" for stage in stages),
    ]


def readers(hall: Hall) -> dict[str, Callable[[list[str]], Told]]:
    """Strangers, a member of the first team, their program, and a holder of the link for spectators."""

    def spectator(asked: list[str]) -> Told:
        client = visitor()
        assert client.get(f"/c/{hall.contest.slug}/watch/{CODE}/").status_code == 302
        return seen(asked, client)

    Contest.objects.filter(pk=hall.contest.pk).update(spectator_code=CODE)
    member = hall.teams[0].people()[0].user
    settings_of(member)  # the secret address of their feed is drawn once, not in each world
    return {
        "stranger": lambda asked: seen(asked, None),
        "member": lambda asked: seen(asked, member),
        "program": lambda asked: seen(asked, program(member, *Scope.values)),
        "spectator": spectator,
    }
