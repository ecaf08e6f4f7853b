"""What the front page tells a person who plays: the next match, the last result and the next step of each team."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.http import HttpRequest
from django.utils import timezone

from contest.models import Membership, Team
from submissions.models import Submission
from tournaments.kinds.planned import stage_view
from tournaments.models import Match, MatchSeat, Stage
from tournaments.models.matches import MatchQuerySet
from tournaments.results.visibility import Sight, sight
from tournaments.view_models.queries import with_players
from tournaments.view_models.timetables import RoundTime, next_to_come

TEAMS = 4  # the ones entered last, in contests that have not ended


class Coming(NamedTuple):
    stage: Stage
    round: RoundTime | None = None  # of the stage, if it has started


@dataclass(frozen=True, slots=True)
class MyTeam:
    team: Team
    match: Match | None  # in progress, or waiting in the queue
    coming: Coming | None  # after the matches that there are
    last: Match | None  # played
    seat: MatchSeat | None  # the team's in it
    active: bool  # whether a version of its bot is
    progress: Submission | None  # the newest version, if it is not ready

    @property
    def others(self) -> Sequence[str]:
        """The opponents in the match that is next."""
        return [seat.name for seat in self.match.by_place if seat.team_id != self.team.pk] if self.match else []


def my_day(request: HttpRequest) -> list[MyTeam]:
    """Results as this reader may see them. A few queries for each team."""
    if not request.user.is_authenticated:
        return []
    mine = Membership.objects.filter(user=request.user, contest__ended_at=None, team__state=Team.State.APPROVED)
    found = mine.select_related("team", "team__contest").order_by("-joined_at")[:TEAMS]
    return [of_team(each.team, sight(request, each.team.contest), timezone.now()) for each in found]


def of_team(team: Team, reader: Sight, now: datetime) -> MyTeam:
    done = _own(team, reader, Match.State.DONE).order_by("-resulted", "-pk")[:1]
    last = next(iter(reader.as_known(done)), None)
    newest = team.submissions.without_source().order_by("-number").first()
    return MyTeam(
        team,
        open_match(team, reader),
        coming(team, reader, now),
        last,
        next((seat for seat in last.by_place if seat.team_id == team.pk), None) if last else None,
        team.submissions.active().exists(),
        newest if newest and newest.state != Submission.State.READY else None,
    )


def open_match(team: Team, reader: Sight) -> Match | None:
    """In progress, or waiting in the queue."""
    return _own(team, reader, Match.State.RUNNING).first() or _own(team, reader, Match.State.QUEUED).first()


def _own(team: Team, reader: Sight, state: Match.State) -> MatchQuerySet:
    own = reader.valid().filter(pk__in=team.match_seats.values("match"))  # a join would look at all matches
    return reader.in_state(state, with_players(own).select_related("stage"))


def coming(team: Team, reader: Sight, now: datetime) -> Coming | None:
    playing = [stage for stage in reader.stages if stage.state == Stage.State.RUNNING and team.pk in stage.order]
    rounds = [Coming(stage, found) for stage in playing if (found := next_to_come(stage, reader)) and found.starts_at]
    rounds = [it for it in rounds if it.round and _may_play(team, it.stage, it.round.number, reader)]
    stages = [stage for stage in reader.stages if stage.state == Stage.State.PUBLISHED and stage.starts_at]
    stages = [stage for stage in stages if stage.entry == Stage.Entry.ALL or team.pk in (stage.order or [team.pk])]
    first = rounds or map(Coming, stages)
    return min(first, key=lambda it: (it.round or it.stage).starts_at or now, default=None)


def _may_play(team: Team, stage: Stage, round: int, reader: Sight) -> bool:
    """Whether it may play in a round to come, as far as the reader knows: in a bracket, it may have lost before."""
    view, hidden = stage_view(stage, reader), reader.pairings_hidden_from(stage)
    ahead = (table.teams for table in view.plan.tables() if not table.decided)
    return not view.is_bracket or (hidden is not None and round >= hidden) or any(team.pk in teams for teams in ahead)
