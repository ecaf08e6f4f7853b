"""All changes of a version's state. Nothing else changes it.

    queued → building → checking → ready | rejected
       ↑________|__________|     a failure of the portal, or a lost worker: counted, but never the bot's fault

A worker's writes name its attempt, so a late worker changes nothing. Text that may come from a bot or a compiler is
made printable here, where it is written. Rows are locked in the order contest, team, version.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any, cast

from celery import current_app
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from contest.ledger import hold
from contest.models import Act, AnyUser, ApiToken, Team, User
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
    """Tell the workers about a queued version. If the broker does not answer, the next tick does it."""
    try:
        current_app.send_task("submissions.tasks.process", [submission_id])
    except OperationalError:
        logger.warning("the broker does not answer: version %d waits for the next tick", submission_id)
        return
    Submission.objects.filter(pk=submission_id).update(enqueued_at=timezone.now())


def requeue_abandoned(now: datetime) -> int:
    """Called by the tick: requeue versions of lost workers, and announce queued ones that workers may not know about.

    Returns how many were announced. May run at any time, even twice at once.
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
    """Claim a queued version for building and checking. None if it cannot be claimed."""
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
    """Change the row. Raises LeaseLost if the claim no longer holds."""
    values = {name: printable(it) if isinstance(it, str) else it for name, it in values.items()}
    if not Submission.objects.held_by(claimed).update(**values):
        raise LeaseLost
    for name, value in values.items():
        setattr(claimed, name, value)


def built(claimed: Submission, artifact: Artifact, run_command: str, now: datetime | None = None) -> None:
    """Store the result of a successful build. The check begins."""
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
    """Store a game of the check as soon as it is played, so that the team can see it."""
    with transaction.atomic():
        _hold(claimed)
        game.save()


def ready(claimed: Submission, *, now: datetime | None = None, **values: Any) -> None:
    """The version passed its check. It becomes active if its team wants that and no newer version is active.

    `values` are further columns, with the findings of the check.
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
    """The version did not build or pass. `verdict` says why in one sentence; `values` are further columns."""
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
    """Return a version to the queue after a failure of the portal, with a pause that grows with every failure."""
    due_at = RETRIES.after_failure(claimed.failures, now or timezone.now())
    if not Submission.objects.held_by(claimed).put_back(error, due_at, enqueued_at=None):
        raise LeaseLost


def _hold_team(team: Team) -> Team:
    """Lock the contest's row, then the team's, until the transaction ends, and return the team's current state."""
    contest = hold(team.contest_id)
    held = Team.objects.select_for_update(no_key=True).get(pk=team.pk)
    held.contest = contest
    return held


def _hold(claimed: Submission) -> None:
    """Lock the row for this transaction. Raises LeaseLost if the claim no longer holds."""
    if not Submission.objects.held_by(claimed).select_for_update().exists():
        raise LeaseLost


# The team's and the organisers' side ----------------------------------------------------------------------------------


def activate(
    submission: Submission, by: AnyUser, reason: str = "", now: datetime | None = None, token: ApiToken | None = None
) -> None:
    """Make a ready version the active one. Organisers outside the team must give a reason. Raises Refused."""
    with transaction.atomic():
        team = _hold_team(submission.team)
        may_change(team, by, now or timezone.now(), reason, token)
        submission.refresh_from_db(fields=["state", "is_active"])
        if not submission.is_ready:
            raise Refused(f"Version {submission.number} is not ready, so it cannot play.")
        if submission.is_active:
            raise Refused(f"Version {submission.number} is already active.")
        _make_active(submission, now or timezone.now())
        _record(team, by, "activate version", f"{submission}", reason)


def withdraw(
    team: Team, by: AnyUser, reason: str = "", now: datetime | None = None, token: ApiToken | None = None
) -> None:
    """Withdraw the team's bot: no version is active or becomes so by itself. Raises Refused.

    Versions are kept, and any ready one can be activated again. Organisers outside the team must give a reason.
    """
    with transaction.atomic():
        team = _hold_team(team)
        may_change(team, by, now or timezone.now(), reason, token)
        coming = team.submissions.in_progress().filter(activate_when_ready=True)
        if not team.submissions.active().exists() and not coming.exists():
            raise Refused("No version is active, so there is nothing to withdraw.")
        coming.update(activate_when_ready=False)
        team.submissions.active().update(is_active=False)
        team.contest.touch()
        _record(team, by, "withdraw bot", team.name, reason)


def recheck(submission: Submission, by: AnyUser, reason: str, now: datetime | None = None) -> None:
    """Build and check a rejected version again, for example after a compiler or a limit has changed."""
    if not reason.strip():
        raise Refused("Please say why you are checking this version again.")
    now = now or timezone.now()
    with transaction.atomic():
        hold(submission.team.contest_id)
        again = Submission.objects.filter(pk=submission.pk, state=State.REJECTED).update(
            state=State.QUEUED, due_at=now, enqueued_at=None, finished_at=None, verdict="", failures=0, last_error=""
        )
        if not again:
            raise Refused(f"Only a rejected version can be checked again; version {submission.number} is not.")
        Act.record(submission.contest, by, "check version again", submission, reason, team=submission.team_id)
        transaction.on_commit(lambda: enqueue(submission.pk))


def may_change(team: Team, by: AnyUser, now: datetime, reason: str = "", token: ApiToken | None = None) -> None:
    """Raise Refused if `by` cannot change which version plays. Organisers always can, with a reason.

    A program has only those rights that the scopes of its `token` give.
    """
    contest = team.contest
    if access_of(by, contest, token).organises:
        if not reason.strip() and not _is_member(team, by):
            raise Refused("Please give a reason. You are not in this team, and its members will ask.")
        return
    if not team.is_competing:
        raise Refused(f"Your team is not taking part ({team.get_state_display().lower()}).")
    if not contest.uploads_open(now):
        raise Refused("Uploads have closed, so you cannot change your team's version. Ask an organiser.")


def _make_active(submission: Submission, now: datetime) -> None:
    submission.team.submissions.active().update(is_active=False)
    Submission.objects.filter(pk=submission.pk).update(is_active=True, activated_at=now)
    submission.is_active, submission.activated_at = True, now
    submission.contest.touch()


def _is_member(team: Team, by: AnyUser) -> bool:
    return team.memberships.filter(user=cast(User, by)).exists()


def _record(team: Team, by: AnyUser, verb: str, target: str, reason: str) -> None:
    """Write to the audit log what organisers do to a team's bot, but not what the team does itself."""
    if not _is_member(team, by):
        Act.record(team.contest, by, verb, target, reason, team=team.pk)
