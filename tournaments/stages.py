"""What organisers do with stages and matches. Every deed is one transaction and one line of the trail.

draft ⇄ published → running ⇄ paused → done        (done goes back to running when something is played again)
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from contest import teams
from contest.models import Act, Contest, Team, User
from contest.refusal import Refused
from submissions.models import Submission
from tournaments import formats, queue, schedule, standings
from tournaments.formats import FormatError
from tournaments.formats.plan import Plan
from tournaments.locks import hold
from tournaments.models import Match, Stage

State = Stage.State
NAME_LENGTH = 80
PATIENCE = timedelta(minutes=10)  # how long a start that is due waits for versions that are being built and checked


@dataclass(frozen=True, slots=True)
class Wish:
    """A stage as an organiser fills it in."""

    name: str
    format: str = "single_elimination"
    options: Mapping[str, Any] | None = None
    seeding: str = Stage.Seeding.NUMBER
    order: Sequence[int] = ()  # team ids from the first seed; for seeding by hand
    starts_at: datetime | None = None


# Seeding --------------------------------------------------------------------------------------------------------------


def seeded(contest: Contest, seeding: str, by_hand: Sequence[int] = ()) -> list[int]:
    """The competing teams from the first seed. By hand: those named first, the others after them by seed number."""
    competing = list(Team.objects.filter(contest=contest).competing().in_seed_order().values_list("pk", flat=True))
    if seeding == Stage.Seeding.STANDINGS:
        rank = {row.team.pk: number for number, row in enumerate(standings.of_contest(contest))}
        return sorted(competing, key=lambda team: rank.get(team, len(rank)))
    if seeding == Stage.Seeding.HAND:
        named = [team for team in dict.fromkeys(by_hand) if team in set(competing)]
        return named + [team for team in competing if team not in set(named)]
    return competing


def without_bot(order: Sequence[int]) -> list[Team]:
    """Entrants that have no active version now: when the stage started now, it would be drawn without them."""
    entrants = Team.objects.in_bulk(order)
    active = set(Submission.objects.active().filter(team__in=entrants).values_list("team", flat=True))
    return [entrants[team] for team in order if team in entrants and team not in active]


def ready(order: Sequence[int]) -> list[int]:
    """Those of the order who could play now: still in the contest, and with an active version."""
    competing = Team.objects.competing().filter(pk__in=order, submissions__is_active=True)
    able = set(competing.values_list("pk", flat=True))
    return [team for team in order if team in able]


def waits_for_checks(stage: Stage, now: datetime) -> bool:
    """Does a stage that is due wait a little, because entrants without a bot have one in the works?"""
    if stage.starts_at is None or now >= stage.starts_at + PATIENCE:
        return False
    return Submission.objects.in_progress().filter(team__in=without_bot(stage.order)).exists()


def preview(stage: Stage) -> Plan | None:
    """The bracket as it would be drawn if the stage started now. None: too few teams."""
    try:
        return stage.played_in.plan(drawn(stage), {}, stage.options)
    except FormatError:
        return None


def drawn(stage: Stage) -> list[int]:
    """The order of a bracket that started now; while hardly anybody has a bot, that of all who are expected."""
    order = current_order(stage)
    able = ready(order)
    return able if len(able) > 1 else order


def current_order(stage: Stage) -> list[int]:
    """The order in which the stage would be published now; once it is published, the one it was published with."""
    return stage.order if stage.state != State.DRAFT else seeded(stage.contest, stage.seeding, stage.order)


# Making and changing --------------------------------------------------------------------------------------------------


def checked(contest: Contest, wish: Wish) -> Wish:
    """The wish with complete options. Raises Refused."""
    name = " ".join(wish.name.split())
    if not name:
        raise Refused("A stage needs a name.")
    if len(name) > NAME_LENGTH:
        raise Refused(f"The name of a stage has at most {NAME_LENGTH} characters.")
    try:
        options = formats.get(wish.format).options(wish.options or {}, contest.game)
    except FormatError as error:
        raise Refused(f"{error}.") from None
    return replace(wish, name=name, options=options)


@transaction.atomic
def create(contest: Contest, by: User | None, wish: Wish) -> Stage:
    wish = checked(contest, wish)
    hold(contest.pk)
    stage = Stage(contest=contest, seed=secrets.randbits(31))
    _take_over(stage, wish)
    stage.save()
    Act.record(contest, by, "create stage", stage, stage=stage.pk, options=wish.options)
    contest.touch()
    return stage


@transaction.atomic
def edit(stage: Stage, by: User, wish: Wish) -> None:
    """Change a stage that has not started. A published one is drawn again and stays published."""
    wish = checked(stage.contest, wish)
    stage = _locked(stage)
    if not stage.can_be_edited:
        raise Refused("This stage has started: its format and its seeding stay as they are.")
    before = {"name": stage.name, "options": stage.options, "seeding": stage.seeding, "order": stage.order}
    _take_over(stage, wish)
    if stage.state == State.PUBLISHED:
        _draw(stage)
    stage.save()
    schedule.reconcile(stage)
    Act.record(stage.contest, by, "change stage", stage, stage=stage.pk, before=before)
    stage.contest.touch()


def _take_over(stage: Stage, wish: Wish) -> None:
    stage.name, stage.format, stage.options = wish.name, wish.format, dict(wish.options or {})
    stage.seeding, stage.starts_at, stage.refusal = wish.seeding, wish.starts_at, ""
    stage.order = seeded(stage.contest, wish.seeding, wish.order) if wish.seeding == Stage.Seeding.HAND else []


def _draw(stage: Stage) -> None:
    """Fix the order of the entrants. Raises Refused when there are too few."""
    stage.order = seeded(stage.contest, stage.seeding, stage.order)
    try:
        stage.played_in.plan(stage.order, {}, stage.options)
    except FormatError as error:
        raise Refused(f"{error}: {len(stage.order)} of this contest can take part.") from None


@transaction.atomic
def delete(stage: Stage, by: User) -> None:
    stage = _locked(stage)
    if not stage.can_be_edited:
        raise Refused("This stage has started: what was played is kept.")
    Act.record(stage.contest, by, "delete stage", stage, stage=stage.pk)
    stage.contest.touch()
    stage.delete()


# Publishing and running -----------------------------------------------------------------------------------------------


@transaction.atomic
def publish(stage: Stage, by: User | None) -> None:
    """Show the bracket to everybody. Who enters the contest later is not in it."""
    stage = _in_state(stage, State.DRAFT, "Only a draft can be published.")
    _draw(stage)
    _move(stage, State.PUBLISHED, by, "publish stage", order=stage.order)


@transaction.atomic
def unpublish(stage: Stage, by: User) -> None:
    """Take the bracket back, to be drawn again when it is published the next time."""
    stage = _in_state(stage, State.PUBLISHED, "Only a published stage that has not started can be taken back.")
    stage.tables.all().delete()
    if stage.seeding != Stage.Seeding.HAND:
        stage.order = []
    _move(stage, State.DRAFT, by, "unpublish stage")


@transaction.atomic
def start(stage: Stage, by: User | None) -> None:
    """Pin everybody's version and let the matches be played.

    The bracket is drawn again without the teams that cannot play now, so that nobody waits beside a chair that they
    leave empty; they are kept in `left_out`. A draft is published on the way. Raises Refused when fewer than two teams
    have a bot.
    """
    stage = _in_state(stage, (State.DRAFT, State.PUBLISHED), "This stage has already started.")
    if stage.state == State.DRAFT:
        _draw(stage)
    able = ready(stage.order)
    if len(able) < stage.played_in.least:
        count = {0: "None", 1: "Only one"}[len(able)]
        raise Refused(f"{count} of the {len(stage.order)} teams has a bot that can play; a stage needs at least two.")
    active = Submission.objects.active().filter(team__in=able).order_by("pk").values_list("team", "pk")
    stage.versions = {str(team): version for team, version in active}
    stage.left_out = [team for team in stage.order if team not in able]
    stage.order = able
    stage.started_at = timezone.now()
    Contest.objects.filter(pk=stage.contest_id, play_started_at=None).update(play_started_at=stage.started_at)
    _move(stage, State.RUNNING, by, "start stage", left_out=stage.left_out)


@transaction.atomic
def pause(stage: Stage, by: User, reason: str = "") -> None:
    """Matches that are being played are played to their end; no further one begins."""
    stage = _in_state(stage, State.RUNNING, "Only a stage that is being played can be paused.")
    _move(stage, State.PAUSED, by, "pause stage", reason)


@transaction.atomic
def resume(stage: Stage, by: User) -> None:
    stage = _in_state(stage, State.PAUSED, "This stage is not paused.")
    _move(stage, State.RUNNING, by, "resume stage")
    queued = Match.objects.claimable(timezone.now()).filter(stage=stage).count()
    transaction.on_commit(lambda: queue.wake(queued))


def _move(stage: Stage, state: str, by: User | None, verb: str, reason: str = "", **data: Any) -> None:
    stage.state, stage.refusal = state, ""
    stage.save()
    Act.record(stage.contest, by, verb, stage, reason, stage=stage.pk, **data)
    schedule.reconcile(stage)
    stage.contest.touch()


def _locked(stage: Stage) -> Stage:
    """The row as it is now, nobody else changing it; the contest is locked first, as everywhere."""
    hold(stage.contest_id)
    return Stage.objects.select_for_update().select_related("contest").get(pk=stage.pk)


def _in_state(stage: Stage, states: str | tuple[str, ...], refusal: str) -> Stage:
    locked = _locked(stage)
    if locked.state not in (states if isinstance(states, tuple) else (states,)):
        raise Refused(refusal)
    return locked


# Matches and teams ----------------------------------------------------------------------------------------------------


@transaction.atomic
def void(match: Match, by: User, reason: str, *, hold: bool = False) -> None:
    """Take a match out with everything that follows from it; it is played again on other deals.

    `hold` pauses the stage, so that nothing is played again before an organiser resumes it.
    """
    reason = " ".join(reason.split())
    if not reason:
        raise Refused("Please say why: everybody can read it on the match's page.")
    stage = _locked(match.stage)
    match = Match.objects.select_related("contest").get(pk=match.pk)
    if match.state == Match.State.VOID:
        raise Refused(f"{match} is void already.")
    schedule.void([(match, reason)], by)
    if hold and stage.state in (State.RUNNING, State.DONE):
        stage.state, stage.finished_at = State.PAUSED, None
        stage.save(update_fields=["state", "finished_at"])
        Act.record(stage.contest, by, "pause stage", stage, f"To play {match} again.", stage=stage.pk)
    schedule.reconcile(stage)
    stage.contest.touch()


@transaction.atomic
def disqualify(team: Team, by: User, reason: str) -> None:
    """Put a team out of the contest; its stages go on without it."""
    hold(team.contest_id)
    teams.disqualify(team, by, reason)
    reconcile_contest(team.contest)


@transaction.atomic
def reinstate(team: Team, by: User, reason: str) -> None:
    """Let a team take part again; matches that were played without it where it belongs are void."""
    hold(team.contest_id)
    teams.reinstate(team, by, reason)
    reconcile_contest(team.contest)


@transaction.atomic
def refuse_start(stage: Stage, why: str) -> None:
    """A stage is due and cannot start: people are told, once, and it is tried again."""
    stage = _locked(stage)
    if stage.refusal == why or stage.has_started:
        return
    stage.refusal = why[:300]
    stage.save(update_fields=["refusal"])
    stage.contest.touch()


@transaction.atomic
def reconcile_contest(contest: Contest) -> None:
    """After a change of who takes part."""
    for stage in Stage.objects.filter(contest=contest).exclude(state=State.DRAFT):
        schedule.reconcile(stage)
