"""All changes of a version's state. Nothing else changes it.

    queued → building → checking → ready | rejected
       ↑________|__________|     a failure of the portal, or a lost worker: counted, but never the bot's fault
       ↑___________________|     its turn is over and other teams wait (turns.py): the check goes on in the next one

    queued → superseded          the team uploaded a newer version before its turn; back to queued if that is rejected
                                 or cancelled
    queued, building, checking → cancelled    by an organiser

A worker's writes name its attempt, so a late worker changes nothing. Text that may come from a bot or a compiler is
made printable here, where it is written. Rows are locked in the order contest, team, version.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, cast

from django.db import IntegrityError, transaction
from django.db.models import F, Min
from django.utils import timezone

from contest import workers
from contest.ledger import hold
from contest.models import Act, AnyUser, ApiToken, Team, User
from contest.permissions import access_of
from contest.refusal import Refused
from contest.words import printable
from submissions import clock, turns
from submissions.able import left_to_others
from submissions.lease import LEASE, LeaseLost, Retries, requeue_lost
from submissions.models import Artifact, CheckGame, Submission, SubmissionQuerySet

State = Submission.State
FREE = {"worker": "", "lease_until": None, "last_error": ""}
RETRIES = Retries(timedelta(seconds=10), timedelta(minutes=10))


# Telling the workers --------------------------------------------------------------------------------------------------


def enqueue(submission_id: int) -> None:
    """Tell the workers about a queued version. If the broker does not answer, the next tick does it."""
    if workers.wake("submissions.tasks.process", submission_id):
        Submission.objects.filter(pk=submission_id).update(enqueued_at=timezone.now())


def pull_in(now: datetime) -> int:
    """Called by the tick: correct times that a clock which was ahead has written. Returns how many."""
    announced = Submission.objects.filter(state=State.QUEUED, enqueued_at__gt=now + clock.SLACK)
    return Submission.objects.pull_in(now, LEASE, RETRIES.last) + announced.update(enqueued_at=None)


def requeue_abandoned(now: datetime) -> int:
    """Called by the tick: requeue versions of lost workers, and announce queued ones that workers may not know about.

    Returns how many were announced. May run at any time, even twice at once.
    """
    requeue_lost(
        Submission.objects.abandoned(now).without_source().select_related("team"),
        RETRIES,
        now,
        lambda lost, error, due_at: _return(lost, Submission.objects.abandoned(now).held_by(lost), error, due_at),
    )
    waiting = list(Submission.objects.unannounced(now).order_by("due_at", "pk").values_list("pk", flat=True)[:500])
    for pk in waiting:
        enqueue(pk)
    return len(waiting)


def wake(now: datetime | None = None) -> None:
    """Tell the workers if a version could be taken now. Called after each turn: messages name versions, but a worker
    takes whatever is next, so a message may have found its team at work."""
    following = next((each for each in turns.order(now or timezone.now()) if not each.blocked), None)
    if following:
        enqueue(following.pk)


def try_again(languages: Sequence[str]) -> int:
    """End the pause after failures for queued versions in these languages. Returns their number."""
    now = timezone.now()
    waiting = Submission.objects.filter(state=Submission.State.QUEUED, language__in=languages, due_at__gt=now)
    ended = waiting.update(due_at=now, enqueued_at=None)
    wake(now)
    return ended


# The worker's side ----------------------------------------------------------------------------------------------------


def claim_next(worker: str, now: datetime | None = None) -> Submission | None:
    """Claim the version whose turn it is (turns.py). None if there is none."""
    now = now or clock.now()
    others = left_to_others(turns.BUILDS).languages
    for each in turns.order(now):
        if not each.blocked and each.language not in others and (claimed := claim(each.pk, worker, now)):
            return claimed
    return None


def claim(submission_id: int, worker: str, now: datetime | None = None) -> Submission | None:
    """Claim a queued version for building and checking. None if it cannot be claimed, or another version of its team
    is being built."""
    now = now or clock.now()
    fresh: dict[str, Any] = {"built_at": None, "check_note": "", "check_warning": "", "findings": []}
    try:
        with transaction.atomic():
            due = Submission.objects.claimable(now).filter(pk=submission_id)
            if not due.claim(now, LEASE, worker=worker, turn_at=now, ahead_at=None, **fresh):
                return None
            claimed = Submission.objects.select_related("team__contest").get(pk=submission_id)
            if not claimed.turns:
                CheckGame.objects.filter(submission=submission_id).delete()  # of an earlier attempt
            return claimed
    except IntegrityError:  # one_build_at_a_time
        return None


def give_way(claimed: Submission, now: datetime | None = None) -> None:
    """Return a version to the queue whose check has taken its turn. Its games so far are kept."""
    values = {"due_at": now or clock.now(), "enqueued_at": None, "worker": "", "turns": F("turns") + 1}
    with transaction.atomic():
        _hold_team(claimed.team)
        if not Submission.objects.held_by(claimed).give_back(**values):
            raise LeaseLost
        _supersede_older(claimed.team_id)


def give_back(claimed: Submission, now: datetime | None = None) -> bool:
    """Return a version to the queue because its worker must stop: due at once, and no failure."""
    with transaction.atomic():
        _hold_team(claimed.team)
        values = {"due_at": now or clock.now(), "enqueued_at": None, "worker": ""}
        returned = Submission.objects.held_by(claimed).give_back(**values)
        if returned:
            _supersede_older(claimed.team_id)
        return bool(returned)


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
        _write(claimed, state=State.READY, finished_at=now, verdict="", **FREE | values)
        claimed.contest.touch()
        claimed.refresh_from_db(fields=["activate_when_ready"])
        newer = claimed.team.submissions.active().filter(number__gt=claimed.number)
        if claimed.activate_when_ready and not newer.exists():
            _make_active(claimed, now)


def reject(claimed: Submission, verdict: str, now: datetime | None = None, **values: Any) -> None:
    """The version did not build or pass. `verdict` says why in one sentence; `values` are further columns.

    An older version that it superseded gets its turn after all.
    """
    now = now or timezone.now()
    with transaction.atomic():
        _hold_team(claimed.team)
        _write(claimed, state=State.REJECTED, finished_at=now, verdict=verdict, **FREE | values)
        _revive(claimed, now)


def put_back(claimed: Submission, error: str, now: datetime | None = None) -> None:
    """Return a version to the queue after a failure of the portal, with a pause that grows with every failure."""
    due_at = RETRIES.after_failure(claimed.failures, now or clock.now())
    if not _return(claimed, Submission.objects.held_by(claimed), error, due_at):
        raise LeaseLost


def _return(claimed: Submission, held: SubmissionQuerySet, error: str, due_at: datetime) -> int:
    with transaction.atomic():
        _hold_team(claimed.team)
        returned = held.put_back(error, due_at, enqueued_at=None, turns=0)
        if returned:
            _supersede_older(claimed.team_id)
        return returned


# Newer versions -------------------------------------------------------------------------------------------------------


def supersede(newer: Submission) -> list[int]:
    """Take older queued versions of the team out of the queue. Returns their numbers. Call it with the team locked.

    The newer version gets the oldest one's place. Not superseded are versions that organisers want built, versions that
    shall play where the newer one shall not, and entries of judged problems, each of which counts.
    """
    if newer.contest.game.sample:
        return []
    older = newer.team.submissions.filter(state=State.QUEUED, ordered=False, number__lt=newer.number)
    if not newer.activate_when_ready:
        older = older.filter(activate_when_ready=False)
    rows = list(older.values_list("number", "due_at", "ahead_at", "failures"))
    if not rows:
        return []
    numbers = [row[0] for row in rows]
    taken = older.filter(number__in=numbers).update(
        state=State.SUPERSEDED, superseded_by=newer.number, enqueued_at=None, ahead_at=None
    )
    if taken:
        newer.due_at = min([newer.due_at, *(row[1] for row in rows if not row[3])])
        newer.ahead_at = min((row[2] for row in rows if row[2]), default=newer.ahead_at)
        newer.save(update_fields=["due_at", "ahead_at"])
    return numbers


def _supersede_older(team: int) -> None:
    """A version has come back to the queue: a newer one may have been uploaded since. Call it with the team locked."""
    newest = Submission.objects.filter(team=team, state=State.QUEUED).without_source().select_related("team__contest")
    if found := newest.order_by("-number").first():
        supersede(found)


def _revive(ended: Submission, now: datetime) -> None:
    """A version was rejected or cancelled. Queue the newest superseded one that shall play, unless a newer one that
    shall is ready or in progress.

    So which version is active in the end does not depend on how long the queue was.
    """
    versions = ended.team.submissions
    last = versions.filter(state=State.SUPERSEDED, activate_when_ready=True, number__lt=ended.number).first()
    if last is None:
        return
    newer = versions.filter(number__gt=last.number, state__in=(State.READY, *Submission.IN_PROGRESS))
    newer = newer.filter(activate_when_ready=True)
    if not newer.exists():
        _queue_again(last, now)


def _queue_again(version: Submission, now: datetime, **values: Any) -> int:
    """Put a version that has ended back into the queue. Returns 0 if it has not ended."""
    ended = Submission.objects.filter(pk=version.pk, state__in=Submission.REPEATABLE)
    fresh = {"enqueued_at": None, "finished_at": None, "verdict": "", "failures": 0, "last_error": "", "turns": 0}
    again = ended.update(state=State.QUEUED, due_at=now, superseded_by=None, **fresh, **values)
    if again:
        transaction.on_commit(lambda: enqueue(version.pk))
    return again


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
        may_become_ready = (*Submission.IN_PROGRESS, Submission.State.SUPERSEDED)  # if a newer one is rejected
        coming = team.submissions.filter(state__in=may_become_ready, activate_when_ready=True)
        if not team.submissions.active().exists() and not coming.exists():
            raise Refused("No version is active, so there is nothing to withdraw.")
        coming.update(activate_when_ready=False)
        team.submissions.active().update(is_active=False)
        team.contest.touch()
        _record(team, by, "withdraw bot", team.name, reason)


def recheck(submission: Submission, by: AnyUser, reason: str, now: datetime | None = None) -> None:
    """Build and check a version again, for example after a compiler or a limit has changed: one that was rejected,
    superseded or cancelled."""
    if not reason.strip():
        raise Refused("Please say why you are checking this version again.")
    now = now or timezone.now()
    with transaction.atomic():
        hold(submission.team.contest_id)
        if not _queue_again(submission, now, ordered=True):
            raise Refused(f"Only a rejected version can be checked again; version {submission.number} is not.")
        Act.record(submission.contest, by, "check version again", submission, reason, team=submission.team_id)


def move_up(submission: Submission, by: AnyUser, now: datetime | None = None) -> None:
    """Move a queued version to the front of the queue. For organisers."""
    now = now or timezone.now()
    with transaction.atomic():
        hold(submission.team.contest_id)
        front = Submission.objects.filter(state=State.QUEUED, ahead_at__isnull=False).aggregate(at=Min("ahead_at"))[
            "at"
        ]
        first = min(now, front - timedelta(microseconds=1)) if front else now
        if not Submission.objects.filter(pk=submission.pk, state=State.QUEUED).update(ahead_at=first):
            raise Refused(f"Version {submission.number} is not waiting.")
        Act.record(submission.contest, by, "move build to the front", submission, team=submission.team_id)
        transaction.on_commit(lambda: enqueue(submission.pk))


def cancel(submission: Submission, by: AnyUser, reason: str, now: datetime | None = None) -> None:
    """Take a version out of the queue, or drop what its build or check is doing. For organisers.

    An older version that it superseded gets its turn after all.
    """
    if not reason.strip():
        raise Refused("Please give a reason. The team will see it.")
    now = now or timezone.now()
    with transaction.atomic():
        _hold_team(submission.team)
        cancelled = Submission.objects.filter(pk=submission.pk, state__in=Submission.IN_PROGRESS).update(
            state=State.CANCELLED,
            verdict=printable(f"An organiser cancelled the build: {reason.strip()}"),
            finished_at=now,
            worker="",
            lease_until=None,
            ahead_at=None,
            ordered=False,
        )
        if not cancelled:
            raise Refused(f"Version {submission.number} is neither waiting nor being built.")
        _revive(submission, now)
        Act.record(submission.contest, by, "cancel build", submission, reason, team=submission.team_id)
        submission.contest.touch()
        transaction.on_commit(wake)


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
    if not team.uploads_open(now):
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
