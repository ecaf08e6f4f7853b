"""What organisers do with stages and matches. Every action is one transaction and one line in the audit log.

draft ⇄ published → running ⇄ paused → done        (done goes back to running when something is played again)

endings.py resets, shortens and abandons stages. admission.py decides who enters a stage and who could play.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from contest import ledger, teams, workers
from contest.formatting import cardinal
from contest.ledger import Fact, Held, hold
from contest.models import Act, Audience, Contest, Kind, Team, User
from contest.refusal import Refused, reason_given
from submissions import clock
from tournaments import kinds
from tournaments.formats import FormatError
from tournaments.kinds import following, schedule
from tournaments.kinds.plans import schools_now
from tournaments.models import Match, Stage
from tournaments.models.stages import deciding_stage, hold_stage
from tournaments.organising import admission, stage_settings, timetable
from tournaments.organising.stage_settings import Wish, checked
from tournaments.results import history
from tournaments.seating import deals, queue

State = Stage.State
TOO_LATE_TO_EDIT = "This stage has started, so you can no longer edit it."


def drawn(stage: Stage) -> list[int]:
    """The order if the stage started now. While hardly anybody has a bot, the order of all expected teams."""
    order = admission.current_order(stage)
    able = admission.ready(stage, order)
    return able if len(able) >= max(2, stage.played_in.least) else order


# Creating and editing -------------------------------------------------------------------------------------------------


@transaction.atomic
def create(contest: Contest, by: User | None, wish: Wish) -> Stage:
    contest = hold(contest.pk)
    wish = checked(contest, wish)
    stage = Stage(contest=contest)
    _take_over(stage, wish)
    # A final that is prepared while its teams still play: until it is over there is no champion.
    others = contest.stages.filter(decides=True)
    is_final = stage.awaits_source and all(other.pk == stage.source_id for other in others)
    stage.save()
    if is_final:
        _let_decide(stage)
    _arrange(stage, wish)
    Act.record(contest, by, "create stage", stage, stage=stage.pk, settings=stage_settings.described(stage))
    contest.touch()
    return stage


@transaction.atomic
def edit(stage: Stage, by: User, wish: Wish) -> None:
    """Change a stage that has not started. A published one is drawn again and stays published."""
    held, stage = hold_stage(stage)
    if not stage.can_be_edited:
        raise Refused(TOO_LATE_TO_EDIT)
    wish = checked(stage.contest, wish, stage)
    before, was, awaited = stage_settings.described(stage), _played_by(stage), stage.awaits_source
    _take_over(stage, wish)
    if history.is_secretly_reset(stage) and _played_by(stage) != was:
        raise Refused(
            "Results are frozen, so the public still sees this stage as it was before the reset. Until you lift the "
            "freeze, you can only change its name, times, invited teams and the order made by hand."
        )
    if stage.state == State.DRAFT and awaited and not stage.awaits_source:
        stage.decides = False  # no longer a final that is prepared
    _arrange(stage, wish)
    if stage.state == State.PUBLISHED:
        draw(stage)
        write_entrants(held, stage, by)
    stage.save()
    following.reconcile(stage)
    Act.record(
        stage.contest,
        by,
        "change stage",
        stage,
        stage=stage.pk,
        changes=stage_settings.changes(before, stage_settings.described(stage)),
    )
    stage.contest.touch()


def _played_by(stage: Stage) -> tuple[object, ...]:
    """The settings that affect its pages, apart from results."""
    return stage.format, stage.options, stage.entry, stage.source_id, stage.best, stage.seeding, stage.release


def _take_over(stage: Stage, wish: Wish) -> None:
    stage.name, stage.format, stage.options = wish.name, wish.format, dict(wish.options or {})
    stage.entry, stage.source, stage.best, stage.invited = wish.entry, wish.source, wish.best, list(wish.invited)
    stage.seeding, stage.release, stage.refusal = wish.seeding, wish.release, ""
    stage.starts_at, stage.starts_after, stage.ends_at = wish.starts_at, wish.starts_after, wish.ends_at
    stage.check_in_closes_at = wish.check_in_closes_at
    stage.order = list(dict.fromkeys(wish.order)) if wish.seeding == Stage.Seeding.HAND else []


def _arrange(stage: Stage, wish: Wish) -> None:
    """Take over the timetable, if there is one to take over. It decides whether results are released by rounds."""
    if wish.timetable is not None:
        timetable.arrange(stage, wish.timetable)
        stage.save(update_fields=["release"])


def draw(stage: Stage) -> None:
    """Fix the order of the entrants as far as it is known. Raises Refused if there are too few, or if the stage was
    copied into a contest that cannot have it."""
    deals.check_stage(stage.contest, stage.options)
    if stage.awaits_source:
        if stage.seeding != Stage.Seeding.HAND:
            stage.order = []
        stage.schools = {}
        return
    try:
        stage.order = admission.seeded(stage)
        kinds.of(stage).check(stage)
    except FormatError as error:
        raise Refused(f"{error}. In this contest, {len(stage.order)} can take part.") from None
    entrants = set(map(str, stage.order))
    apart = schools_now(stage) if stage.options.get("schools_apart") else {}
    stage.schools = {team: school for team, school in apart.items() if team in entrants}


@transaction.atomic
def decide(stage: Stage, by: User) -> None:
    """Make this stage the deciding one: its winner is the contest's champion."""
    contest, stage = hold_stage(stage)
    if now := would_replace_champion(stage):
        raise Refused(f"“{now}” has decided the contest. Publish this draft, and say then whether it decides instead.")
    if not stage.decides:
        _let_decide(stage)
        Act.record(contest, by, "choose deciding stage", stage, stage=stage.pk)
        contest.touch()


def _let_decide(stage: Stage) -> None:
    """Let this stage decide, and no other one: not even one that was removed."""
    Stage._base_manager.filter(contest=stage.contest_id, decides=True).update(decides=False)
    Stage.objects.filter(pk=stage.pk).update(decides=True)
    stage.decides = True


@transaction.atomic
def delete(stage: Stage, by: User) -> None:
    held, stage = hold_stage(stage)
    if not stage.can_be_edited:
        raise Refused("This stage has started, so you cannot delete it: its matches are kept.")
    if stage.resets:
        raise Refused("This stage was played before you reset it, so you cannot delete it: its matches are kept.")
    if follower := stage.followers.first():
        raise Refused(f"“{follower}” depends on this stage. Edit or delete “{follower}” first.")
    Act.record(stage.contest, by, "delete stage", stage, stage=stage.pk)
    stage.contest.touch()
    if stage.ledger.exists():  # somebody may have seen it, and the ledger refers to it
        stage.state = State.REMOVED
        stage.save(update_fields=["state"])
        stage.tables.all().delete()
        ledger.write(held, Fact(Kind.STAGE_REMOVED, stage.pk, by=by))
    else:
        stage.delete()


# Publishing and running -----------------------------------------------------------------------------------------------


@transaction.atomic
def publish(stage: Stage, by: User | None, *, decides: bool = False) -> None:
    """Show the stage to everybody. A stage of all teams takes in those that enter until it starts. A stage whose teams
    come from another one is drawn when that is finished. `decides`: its winner is the champion, even if there is one
    already."""
    held, stage = hold_stage(stage)
    _keep_champion(held, stage, by, decides)
    draw_first(stage)
    write_entrants(held, stage, by)
    timetable.keep_names(stage, None)
    _move(held, stage, State.PUBLISHED, by, Kind.STAGE_PUBLISHED, "publish stage", order=stage.order)


def would_replace_champion(stage: Stage) -> Stage | None:
    """The finished stage that decides the contest, which a draft takes the place of if its organisers say so."""
    return _decided_without(stage) if stage.state == State.DRAFT and not stage.decides else None


def _decided_without(stage: Stage) -> Stage | None:
    """The finished stage that decides the contest if this one does not."""
    now = deciding_stage(stage.contest.stages.exclude(pk=stage.pk))
    return now if now is not None and now.state == State.DONE else None


def _keep_champion(contest: Contest, stage: Stage, by: User | None, decides: bool) -> None:
    if (now := would_replace_champion(stage)) is None:
        return
    _let_decide(stage if decides else now)
    if decides:
        Act.record(contest, by, "choose deciding stage", stage, stage=stage.pk)


def draw_first(stage: Stage) -> None:
    """Draw a stage as at its publication, without saving it. Raises Refused."""
    if stage.state != State.DRAFT:
        raise Refused("Only a draft can be published.")
    draw(stage)


@transaction.atomic
def unpublish(stage: Stage, by: User) -> None:
    """Hide the stage again. It is drawn again when it is next published."""
    held, stage = _in_state(stage, State.PUBLISHED, "Only a published stage that has not started can be unpublished.")
    stage.tables.all().delete()
    if stage.seeding != Stage.Seeding.HAND:
        stage.order = []
    if now := _decided_without(stage):  # a final that was prepared before there was a champion goes on deciding
        stage.decides = stage.decides and stage.is_led and stage.created_at < (now.finished_at or stage.created_at)
    _move(held, stage, State.DRAFT, by, Kind.STAGE_UNPUBLISHED, "unpublish stage")


@transaction.atomic
def start(stage: Stage, by: User | None, *, decides: bool = False) -> None:
    """Pin everybody's version and let the matches be played.

    The stage is drawn again without the teams that cannot play now, so that nobody waits beside an empty seat; they are
    kept in `left_out`. A draft is published first, with `decides` as there. Raises Refused if too few teams have a bot
    or a connection, or if the stage they come from is not finished.
    """
    held, stage = hold_stage(stage)
    was_known = stage.state == State.PUBLISHED
    if not was_known:
        _keep_champion(held, stage, by, decides)
    able = able_to_start(stage)
    if not was_known or stage.is_led:
        write_entrants(held, stage, by)
    if not was_known:
        ledger.write(held, Fact(Kind.STAGE_PUBLISHED, stage.pk, by=by, audience=history.audience_of(stage)))
    kinds.of(stage).begin(stage, able)
    stage.timetable.filter(number=1).update(hold=False)
    timetable.keep_names(stage, kinds.of(stage).sketch(stage, able), held.last_number + 1)
    stage.released = timetable.released_with(stage, 0) if stage.release == Stage.Release.ROUNDS else 0
    stage.started_at = timezone.now()
    Contest.objects.filter(pk=stage.contest_id, play_started_at=None).update(play_started_at=stage.started_at)
    write_entrants(held, stage, by)
    _move(held, stage, State.RUNNING, by, Kind.STAGE_STARTED, "start stage", left_out=stage.left_out)


def able_to_start(stage: Stage) -> list[int]:
    """Draw a stage as at its start, without saving it. Returns the teams that can play. Raises Refused."""
    if stage.state not in (State.DRAFT, State.PUBLISHED):
        raise Refused("This stage has already started.")
    if stage.awaits_source:
        raise Refused(f"“{stage.source}” is not finished, so it is not known yet who plays here.")
    if stage.ends_at is not None and stage.ends_at <= timezone.now():
        raise Refused("The end of this stage is in the past, so nothing would be played. Choose a later end first.")
    if stage.state == State.DRAFT or stage.is_led:
        draw(stage)
    else:  # reset, after which the contest may have changed
        deals.check_stage(stage.contest, stage.options)
        stage.order = admission.current_order(stage)
    able = admission.ready(stage, stage.order)
    if len(able) < stage.played_in.least:
        raise Refused(_too_few(stage, len(able)))
    return able


def _too_few(stage: Stage, able: int) -> str:
    least = stage.played_in.least
    count = {0: "None", 1: "Only one"}.get(able, f"Only {able}")
    have = "has" if able < 2 else "have"
    bot = "an active bot or a connection" if stage.contest.live else "an active bot"
    if stage.has_closed_check_in(timezone.now()):
        have = f"{'is' if able < 2 else 'are'} checked in and {have}"
    return f"{count} of the {len(stage.order)} teams {have} {bot}; a stage needs at least {cardinal(least)}."


@transaction.atomic
def pause(stage: Stage, by: User, reason: str = "") -> None:
    """Let matches in progress finish, and start no further ones."""
    held, stage = _in_state(stage, State.RUNNING, "Only a running stage can be paused.")
    _move(held, stage, State.PAUSED, by, Kind.STAGE_PAUSED, "pause stage", reason)


@transaction.atomic
def resume(stage: Stage, by: User, reason: str = "") -> None:
    held, stage = _in_state(stage, State.PAUSED, "This stage is not paused.")
    _move(held, stage, State.RUNNING, by, Kind.STAGE_RESUMED, "resume stage", reason)
    queued = Match.objects.claimable(timezone.now()).filter(stage=stage).count()
    transaction.on_commit(lambda: workers.wake(queue.PLAY, times=queued))


@transaction.atomic
def reschedule(stage: Stage, by: User, ends_at: datetime | None, options: Mapping[str, Any] | None = None) -> None:
    """Change the end of a ladder in progress (None: no end), and other `options`."""
    held, stage = _in_state(stage, (State.RUNNING, State.PAUSED), "Only the end of a running stage can be changed.")
    before = stage_settings.described(stage)
    kinds.of(stage).reschedule(stage, ends_at, options or {})
    _move(
        held,
        stage,
        stage.state,
        by,
        None,
        "change stage",
        changes=stage_settings.changes(before, stage_settings.described(stage)),
    )


def _move(
    held: Held,
    stage: Stage,
    state: str,
    by: User | None,
    kind: Kind | None,
    verb: str,
    reason: str = "",
    **data: Any,
) -> None:
    """Put the stage into that state. `kind` of the ledger entry; None: no entry."""
    stage.state, stage.refusal = state, ""
    stage.save()
    if kind is None:
        stage.contest.touch()
    else:
        at = stage.started_at if kind == Kind.STAGE_STARTED else None
        audience, behind = history.audience_of(stage, kind), history.hidden_round(stage, kind)
        fact = Fact(
            kind,
            stage.pk,
            round=behind,
            by=by,
            reason=reason,
            at=at,
            audience=audience if behind is None else Audience.RESULTS,
            withheld=behind is not None,
            data={"released": stage.released} if kind == Kind.STAGE_STARTED and stage.released else {},
        )
        ledger.write(held, fact)
    Act.record(stage.contest, by, verb, stage, reason, stage=stage.pk, **data)
    following.reconcile(stage)


def write_entrants(
    held: Held, stage: Stage, by: User | None, reason: str = "", changed: Mapping[str, Any] = MappingProxyType({})
) -> None:
    """Write an entry with the entrants, their order, and who was left out. Secret only if hidden results decide it.
    `changed`: which team organisers have put in, and the one that had its seat."""
    follows = (stage.is_led or stage.seeding == Stage.Seeding.STANDINGS) and not _follows_from_known(stage)
    secret = follows or stage.started_at or history.is_secretly_reset(stage)
    audience = Audience.RESULTS if secret else Audience.EVERYONE
    data = {**stage.entrants_told, **changed}
    entrants = Fact(Kind.ENTRANTS_SET, stage.pk, by=by, reason=reason, audience=audience, data=data)
    ledger.write(held, entrants)


def _follows_from_known(stage: Stage) -> bool:
    """Whether the stage that its entrants come from was finished before the freeze, and has not changed since."""
    frozen = stage.contest.frozen_number
    if frozen is None or stage.source is None or not stage.is_led:
        return False
    since = stage.source.ledger.filter(number__gt=frozen, audience=Audience.RESULTS)
    return stage.source.state == State.DONE and not since.exists()


def _in_state(stage: Stage, states: str | tuple[str, ...], refusal: str) -> tuple[Held, Stage]:
    held, locked = hold_stage(stage)
    if locked.state not in (states if isinstance(states, tuple) else (states,)):
        raise Refused(refusal)
    return held, locked


# Matches and teams ----------------------------------------------------------------------------------------------------


def why_not_void(match: Match) -> str:
    """Why a match cannot be voided, as a sentence. Empty: it can."""
    if match.state == Match.State.VOID:
        return f"{match} is already void."
    if match.pending:
        return f"{match} belongs to {match.review}. Its result counts only if you apply the review."
    return ""


@transaction.atomic
def void(match: Match, by: User, reason: str, *, hold: bool = False) -> None:
    """Void a match with everything that follows from it. It is played again, except on a ladder.

    `hold` pauses the stage, so that nothing is played again before an organiser resumes it.
    """
    reason = reason_given(reason, "Enter a reason. Everybody can read it on the page of the match.")
    held, stage = hold_stage(match.stage)
    match = Match.objects.select_related("contest").get(pk=match.pk)
    if refusal := why_not_void(match):
        raise Refused(refusal)
    schedule.void(held, [(match, reason)], by)
    again = stage.state == State.DONE and kinds.of(stage).plays_again
    if hold and (stage.state == State.RUNNING or again):
        stage.state, stage.finished_at = State.PAUSED, None
        stage.save(update_fields=["state", "finished_at"])
        # The pause follows from a result, so it is as secret as the result.
        behind = match.table.round if match.is_unreleased else None
        reopened = Fact(Kind.STAGE_REOPENED, stage.pk, round=behind, withheld=behind is not None)
        why = f"To play {match} again."
        paused = replace(reopened, kind=Kind.STAGE_PAUSED, by=by, reason=why, audience=Audience.RESULTS)
        ledger.write(held, *([reopened] if again else []), paused)
        Act.record(stage.contest, by, "pause stage", stage, why, stage=stage.pk)
    reconcile_contest(stage.contest)


@transaction.atomic
def play_stopped(contest: Contest, by: User) -> None:
    """Play the matches again, once, that wait after failures of the portal: for an organiser, or for a while."""
    held, now = hold(contest.pk), clock.now()
    waiting = Q(due_at=None) | Q(due_at__gt=now, failures__gt=0)
    count = Match.objects.filter(waiting, contest=contest, state=Match.State.QUEUED).update(due_at=now)
    if not count:
        raise Refused("No match waits for that.")
    Act.record(held, by, "play again", "the match that failed" if count == 1 else f"{count} matches that failed")
    held.touch(hidden=held.is_frozen())
    transaction.on_commit(lambda: workers.wake(queue.PLAY, times=count))


@transaction.atomic
def disqualify(team: Team, by: User, reason: str) -> None:
    """Disqualify a team. Its stages go on without it."""
    hold(team.contest_id)
    teams.disqualify(team, by, reason)
    reconcile_contest(team.contest)


@transaction.atomic
def withdraw(team: Team, by: User, reason: str) -> None:
    """Withdraw a team at its own request. Its stages go on without it."""
    hold(team.contest_id)
    teams.withdraw(team, by, reason)
    reconcile_contest(team.contest)


@transaction.atomic
def reinstate(team: Team, by: User, reason: str) -> None:
    """Let a team take part again. Matches played without it that are now wrong become void."""
    hold(team.contest_id)
    teams.reinstate(team, by, reason)
    reconcile_contest(team.contest)


@transaction.atomic
def refuse_start(stage: Stage, why: str) -> None:
    """Tell people, once, that a due stage cannot start. The tick tries again."""
    _, stage = hold_stage(stage)
    if stage.refusal == why or stage.has_started:
        return
    stage.refusal = why[:300]
    stage.save(update_fields=["refusal"])
    stage.contest.touch(hidden=stage.contest.is_frozen())


@transaction.atomic
def redraw(stage: Stage) -> bool:
    """Draw a published stage again if its entrants or seeding come from another stage and have become known, changed,
    or are no longer known. False: nothing to do."""
    held, stage = hold_stage(stage)
    if stage.state != State.PUBLISHED or not stage.is_led:
        return False
    before = stage.order
    try:
        draw(stage)
        refusal = ""
    except Refused as refused:
        refusal = str(refused)
    if stage.order == before:
        return False
    stage.refusal = refusal
    stage.save(update_fields=["order", "refusal"])
    write_entrants(held, stage, None)
    Act.record(stage.contest, None, "draw stage", stage, stage=stage.pk, order=stage.order)
    following.reconcile(stage)
    return True


@transaction.atomic
def reconcile_contest(contest: Contest) -> None:
    """Bring all stages in line after a change of who takes part or of what counts."""
    for stage in Stage.objects.filter(contest=contest).exclude(state=State.DRAFT):
        if not redraw(stage):
            following.reconcile(stage)
