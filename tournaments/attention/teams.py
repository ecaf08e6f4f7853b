"""Teams that wait for an organiser, that have no bot, or whose programs have lost their connection."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Count, Exists, Min, OuterRef, Subquery

from contest.formatting import duration
from contest.models import Team
from submissions.models import Submission
from tournaments.attention.look import Concern, Level, Look, counted, linked, s
from tournaments.models import Duty, Stage
from tournaments.seating import draw, programs

NEAR = timedelta(hours=48)  # before a deadline or a start: from then on, teams without a bot matter


def admissions(look: Look) -> Iterator[Concern]:
    waiting = look.contest.teams.filter(state=Team.State.PENDING).count()
    if waiting and not look.ended:
        text = f"{waiting} team{s(waiting)} wait{'s' if waiting == 1 else ''} for you to approve or refuse."
        yield Concern(Level.LOOK, text, f"{look.url('desk-teams')}?state=pending", "Approve or refuse")


def questions(look: Look) -> Iterator[Concern]:
    waiting = look.contest.questions.waiting().order_by()
    count, oldest = waiting.aggregate(count=Count("pk"), oldest=Min("asked_at")).values()
    if count:
        text = f"{count} unanswered question{s(count)}, the oldest asked {duration(look.now - oldest)} ago."
        yield Concern(Level.LOOK, text, look.url("desk-questions"), "Answer")


def bots(look: Look) -> Iterator[Concern]:
    """Teams without a bot shortly before a deadline, and teams whose latest version was rejected."""
    begun = look.contest.play_started_at and not any(stage.can_be_edited for stage in look.stages)
    if look.ended or begun:
        return
    near = look.deadline is not None and look.deadline - look.now < NEAR
    newest = Submission.objects.filter(team=OuterRef("pk")).order_by("-number").values("state")[:1]
    active = Exists(Submission.objects.active().filter(team=OuterRef("pk")))
    teams = list(look.contest.teams.competing().annotate(active=active, newest=Subquery(newest)))
    here = draw.connected_teams(look.contest)
    without = [team for team in teams if not team.active and team.pk not in here]
    rejected = [team for team in without if team.newest == Submission.State.REJECTED]
    if rejected:
        text = f"{counted(rejected, 'team has', 'teams have')} no bot: the latest version was rejected."
        level = Level.LOOK if near else Level.KNOW
        yield Concern(level, text, f"{look.url('desk-versions')}?state=rejected", "Versions", linked(look, rejected))
    if not near or look.deadline is None:
        return
    silent = [team for team in without if team.newest is None]
    if silent:
        text = f"{counted(silent, 'team has', 'teams have')} not uploaded a bot. The deadline is in "
        yield Concern(
            Level.LOOK,
            f"{text}{duration(look.deadline - look.now)}.",
            look.url("desk-teams"),
            "Teams",
            linked(look, silent),
        )
    worse = [team for team in teams if team.active and team.newest == Submission.State.REJECTED]
    if worse:
        text = f"{counted(worse, 'team plays', 'teams play')} with an older version: the latest was rejected."
        yield Concern(Level.KNOW, text, look.url("desk-versions"), "Versions", linked(look, worse))


def connections(look: Look) -> Iterator[Concern]:
    """Programs that have lost their connection to the contest server."""
    there = None if look.ended else programs.overview(look.contest, look.now)
    if there is None:
        return
    playing = any(stage.state == Stage.State.RUNNING for stage in look.stages)
    if not Duty.held(programs.DUTY, look.now):
        text = "The contest server is not running, so no team’s program can connect. Start it: manage.py botserver."
        yield Concern(Level.ACT if playing else Level.LOOK, text, "#workers", "Workers")
        return
    if there.gone:
        gone = [client.team for client in there.gone]
        text = f"{counted(gone, 'team has', 'teams have')} lost the connection to the contest server. "
        text += f"{len(there.connected)} of {there.teams} teams are connected."
        level = Level.LOOK if playing else Level.KNOW
        yield Concern(level, text, look.url("desk-teams"), "Teams", linked(look, gone))
    if there.never and playing:
        armed = set(Submission.objects.active().filter(team__contest=look.contest).values_list("team", flat=True))
        never = [client.team for client in there.never if client.team.pk not in armed]
        text = f"{counted(never, 'team has', 'teams have')} neither uploaded a bot nor ever connected a program."
        if never:
            yield Concern(Level.KNOW, text, look.url("desk-teams"), "Teams", linked(look, never))
