"""Check-in: which teams are there, whether their bots are ready, and how to reach the missing ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from contest.models import Contest, Membership, Team
from submissions.models import Submission
from tournaments.models import Stage
from tournaments.organising import admission
from tournaments.results.visibility import Sight
from tournaments.seating import draw


@dataclass(frozen=True, slots=True)
class Arrival:
    team: Team
    bot: str  # what it would play with now, in words; blank: nothing
    members: Sequence[Membership]


@dataclass(frozen=True, slots=True)
class CheckIn:
    """The check-in of a stage that has not started."""

    stage: Stage
    missing: int
    entrants: int


def teams_in(contest: Contest, called: str, state: str) -> QuerySet[Team]:
    """The teams that take part, by name. `state`: one of CheckInForm, or blank for all."""
    teams = Team.objects.called(called).competing().filter(contest=contest)
    if state == "no-bot":
        armed = Submission.objects.active().filter(team__contest=contest).values("team")
        return teams.exclude(Q(pk__in=armed) | Q(pk__in=draw.connected_teams(contest)))
    return teams.filter(checked_in_at__isnull=state == "missing") if state else teams


def arrivals(contest: Contest, teams: Sequence[Team]) -> list[Arrival]:
    """These teams with their bots and members: three queries."""
    active = dict(Submission.objects.active().filter(team__in=teams).values_list("team", "number"))
    bots = {team: f"version {number}" for team, number in active.items()}
    bots |= dict.fromkeys(draw.connected_teams(contest), "connected")
    people: dict[int, list[Membership]] = {}
    for membership in Membership.objects.filter(team__in=teams).select_related("user"):
        people.setdefault(membership.team_id, []).append(membership)
    return [Arrival(team, bots.get(team.pk, ""), people.get(team.pk, ())) for team in teams]


def check_ins(contest: Contest) -> list[CheckIn]:
    """The stages that have yet to start and have a check-in, the next one to close first."""
    found = contest.stages.exclude(check_in_closes_at=None).select_related("contest", "source")
    coming = [stage for stage in found.order_by("check_in_closes_at", "pk") if stage.can_be_edited]
    orders = [(stage, admission.current_order(stage)) for stage in coming]
    return [CheckIn(stage, len(admission.missing(stage, order)), len(order)) for stage, order in orders]


def check_in_for(team: Team, reader: Sight, now: datetime) -> CheckIn | None:
    """The check-in that its members should think of next, as far as they know it, or for which they were too late."""
    coming = [
        stage
        for stage in reader.stages
        if stage.state == Stage.State.PUBLISHED
        and stage.check_in_closes_at is not None
        and (stage.awaits_source or team.pk in stage.order)
    ]
    found = min(coming, key=lambda stage: (stage.has_closed_check_in(now), stage.check_in_closes_at), default=None)
    return None if found is None else CheckIn(found, len(admission.missing(found, [team.pk])), 1)
