"""Every change of a version's state, and nothing else changes it.

    queued → building → checking → ready | rejected
       ↑________|__________|     a failure of the machinery, or a worker that is gone: counted, never the bot's fault

What a worker writes names its attempt, so a worker that comes too late changes nothing. Texts that a bot or a compiler
may have had a part in are made printable here, where they are written. Rows are locked in one order: contest, team,
version.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any, cast

from celery import current_app
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from contest.models import Act, AnyUser, Team, User
from contest.permissions import access_of
from contest.refusal import Refused
from contest.words import printable
from submissions.lease import LEASE, LeaseLost, Retries, requeue_lost
from submissions.models import Artifact, CheckGame, Submission

logger = logging.getLogger(__name__)

State = Submission.State
RETRIES = Retries(timedelta(seconds=10), timedelta(minutes=10), free_losses=1)


# Telling the workers --------------------------------------------------------------------------------------------------


def enqueue(submission_id: int) -> None:
    """Tell the workers about a queued version. When the broker does not answer, the next tick tells them."""
    try:
        current_app.send_task("submissions.tasks.process", [submission_id])
    except OperationalError:
        logger.warning("the broker does not answer: version %d waits for the next tick", submission_id)
        return
    Submission.objects.filter(pk=submission_id).update(enqueued_at=timezone.now())


def requeue_abandoned(now: datetime) -> int:
    """What the periodic tick does for versions: take them from workers that are gone, and tell the workers about every
    queued one of which they may not know. Returns how many were told. May run twice at once and at any time.
    """
    requeue_lost(
        Submission.objects.abandoned(now).without_source().select_related("team"),
        RETRIES,
        now,
        lambda lost, error, due_at: (
            Submission.objects.abandoned(now).held_by(lost).put_back(error, due_at, enqueued_at=None)
        ),
    )
    waiting = list(Submission.objects.unannounced(now).order_by("due_at", "pk").values_list("pk", flat=True)[:500])
    for pk in waiting:
        enqueue(pk)
    return len(waiting)


# The worker's side ----------------------------------------------------------------------------------------------------


def claim(submission_id: int, worker: str, now: datetime | None = None) -> Submission | None:
    """Take a queued version for building and checking. None when it is not to be taken (any more)."""
    now = now or timezone.now()
    with transaction.atomic():
        fresh: dict[str, Any] = {"built_at": None, "check_note": "", "check_warning": "", "findings": [], "skill": ""}
        due = Submission.objects.claimable(now).filter(pk=submission_id)
        taken = due.claim(now, LEASE, worker=worker, **fresh)
        if not taken:
            return None
        CheckGame.objects.filter(submission=submission_id).delete()  # of an earlier attempt
        return Submission.objects.select_related("team__contest").get(pk=submission_id)


def _write(claimed: Submission, **values: Any) -> None:
    """Change the row while the claim holds; raises LeaseLost when it does not."""
    values = {name: printable(it) if isinstance(it, str) else it for name, it in values.items()}
    if not Submission.objects.held_by(claimed).update(**values):
        raise LeaseLost
    for name, value in values.items():
        setattr(claimed, name, value)


def built(claimed: Submission, artifact: Artifact, run_command: str, now: datetime | None = None) -> None:
    """The build succeeded: what was made is written down, and the check begins."""
    now = now or timezone.now()
    _write(
        claimed,
        state=State.CHECKING,
        artifact=artifact,
        build_command=artifact.command,
        run_command=run_command,
        toolchain=artifact.toolchain,
        build_log=artifact.log,
        build_seconds=artifact.seconds,
        built_at=now,
    )


def checked_game(claimed: Submission, game: CheckGame) -> None:
    """Keep one game of the check as soon as it is played, so that the team sees it."""
    with transaction.atomic():
        _hold(claimed)
        game.save()


def ready(claimed: Submission, *, now: datetime | None = None, **values: Any) -> None:
    """The version passed. It becomes the active one if its team wished so, unless a newer one is active already.

    `values` are further columns: what its check found out.
    """
    now = now or timezone.now()
    with transaction.atomic():
        _hold_team(claimed.team)
        _write(
            claimed,
            state=State.READY,
            finished_at=now,
            verdict="",
            worker="",
            lease_until=None,
            last_error="",
            **values,
        )
        claimed.contest.touch()
        claimed.refresh_from_db(fields=["activate_when_ready"])
        newer = claimed.team.submissions.active().filter(number__gt=claimed.number)
        if claimed.activate_when_ready and not newer.exists():
            _make_active(claimed, now)


def reject(claimed: Submission, verdict: str, now: datetime | None = None, **values: Any) -> None:
    """The version did not build or did not pass: `verdict` says why in one sentence. `values` are further columns."""
    _write(
        claimed,
        state=State.REJECTED,
        finished_at=now or timezone.now(),
        verdict=verdict,
        worker="",
        lease_until=None,
        last_error="",
        **values,
    )


def put_back(claimed: Submission, error: str, now: datetime | None = None) -> None:
    """The machinery failed: back into the queue, to be taken again after a pause that grows with every failure."""
    due_at = RETRIES.after_failure(claimed.failures, now or timezone.now())
    if not Submission.objects.held_by(claimed).put_back(error, due_at, enqueued_at=None):
        raise LeaseLost


def _hold_team(team: Team) -> Team:
    """Lock the contest's row, then the team's, until the transaction ends, and return the team as it is now."""
    contest = team.contest.hold()
    held = Team.objects.select_for_update(no_key=True).get(pk=team.pk)
    held.contest = contest
    return held


def _hold(claimed: Submission) -> None:
    """Lock the row for this transaction while the claim holds; raises LeaseLost when it does not."""
    if not Submission.objects.held_by(claimed).select_for_update().exists():
        raise LeaseLost


# The team's and the organisers' side ----------------------------------------------------------------------------------


def activate(submission: Submission, by: AnyUser, reason: str = "", now: datetime | None = None) -> None:
    """Make a ready version the one that plays. Who is not in the team gives a reason. Raises Refused."""
    with transaction.atomic():
        team = _hold_team(submission.team)
        may_change(team, by, now or timezone.now(), reason)
        submission.refresh_from_db(fields=["state", "is_active"])
        if not submission.is_ready:
            raise Refused(f"Version {submission.number} is not ready, so it cannot play.")
        if submission.is_active:
            raise Refused(f"Version {submission.number} is the active one already.")
        _make_active(submission, now or timezone.now())
        _record(team, by, "activate version", f"{submission}", reason)


def withdraw(team: Team, by: AnyUser, reason: str = "", now: datetime | None = None) -> None:
    """Take the team's bot out of play: no version is active, none becomes so by itself. Raises Refused.

    Versions stay, and any ready one can be activated again. Who is not in the team gives a reason.
    """
    with transaction.atomic():
        team = _hold_team(team)
        may_change(team, by, now or timezone.now(), reason)
        coming = team.submissions.in_progress().filter(activate_when_ready=True)
        if not team.submissions.active().exists() and not coming.exists():
            raise Refused("No version is active, so there is nothing to withdraw.")
        coming.update(activate_when_ready=False)
        team.submissions.active().update(is_active=False)
        team.contest.touch()
        _record(team, by, "withdraw bot", team.name, reason)


def recheck(submission: Submission, by: AnyUser, reason: str, now: datetime | None = None) -> None:
    """An organiser has a finished version built and checked again, after a compiler or a limit has changed."""
    if not reason.strip():
        raise Refused("Please say why the version is checked again.")
    now = now or timezone.now()
    with transaction.atomic():
        submission.contest.hold()
        again = Submission.objects.filter(pk=submission.pk, state=State.REJECTED).update(
            state=State.QUEUED, due_at=now, enqueued_at=None, finished_at=None, verdict="", failures=0, last_error=""
        )
        if not again:
            raise Refused(f"Only a rejected version can be checked again; version {submission.number} is not.")
        Act.record(submission.contest, by, "check version again", submission, reason, team=submission.team_id)
        transaction.on_commit(lambda: enqueue(submission.pk))


def may_change(team: Team, by: AnyUser, now: datetime, reason: str = "") -> None:
    """Whether what plays for the team may still be changed. Organisers may always, with a reason. Raises Refused."""
    contest = team.contest
    if access_of(by, contest).organises:
        if not reason.strip() and not _is_member(team, by):
            raise Refused("Please give a reason: you are not in this team, and its members will ask.")
        return
    if not team.is_competing:
        raise Refused(f"Your team is not taking part: {team.get_state_display().lower()}.")
    if not contest.uploads_open(now):
        raise Refused("Uploads are closed, so what plays for your team cannot be changed. Ask an organiser.")


def _make_active(submission: Submission, now: datetime) -> None:
    submission.team.submissions.active().update(is_active=False)
    Submission.objects.filter(pk=submission.pk).update(is_active=True, activated_at=now)
    submission.is_active, submission.activated_at = True, now
    submission.contest.touch()


def _is_member(team: Team, by: AnyUser) -> bool:
    return team.memberships.filter(user=cast(User, by)).exists()


def _record(team: Team, by: AnyUser, verb: str, target: str, reason: str) -> None:
    """The trail holds what organisers do to a team's bot, not what the team does itself."""
    if not _is_member(team, by):
        Act.record(team.contest, by, verb, target, reason, team=team.pk)
