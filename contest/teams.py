"""What members do with their own team, and organisers with any. An action that is not possible raises Refused.

Every action is one transaction and one entry of the audit log. It locks the contest's row first and then reads the team
again, so that limits (members, names, seed numbers) hold when several people act at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from contest import ledger
from contest.ledger import Fact, Held, hold
from contest.models import Act, Contest, Kind, LedgerEntry, Membership, Team, User, new_code
from contest.names import folded
from contest.refusal import Refused, reason_given

State = Team.State
GONE = (State.REFUSED, State.WITHDRAWN, State.DISQUALIFIED)


def _fresh(team: Team) -> Held:
    """Lock the contest's row and reload the team, which may have changed since its page was shown."""
    team.contest = contest = hold(team.contest_id)
    team.refresh_from_db(fields=["name", "school", "key", "code", "state", "state_reason", "seed", "uploads_until"])
    return contest


def _fresh_member(membership: Membership) -> Team:
    """The same for a member. Raises Refused if they are no longer in the team."""
    _fresh(membership.team)
    now = membership.team.memberships.filter(pk=membership.pk).first()
    if now is None:
        raise Refused(f"{membership.user} is no longer in the team “{membership.team}”.")
    membership.is_captain = now.is_captain
    return membership.team


def _entry_must_be_open(contest: Contest, now: datetime | None) -> None:
    now = now or timezone.now()
    if contest.entry_open(now):
        return
    if contest.ended_at and contest.ended_at <= now:
        raise Refused("This contest has ended.")
    if now < contest.opens_at:
        raise Refused("Entry has not opened yet.")
    raise Refused("Entry has closed. An organiser can extend the deadline.")


def _name_must_be_free(contest: Contest, name: str, but: Team | None = None) -> None:
    if but and folded(but.name) == folded(name):
        return  # also where an older name is the same for us
    others = contest.teams.filter(key=folded(name))
    if others.exists():
        raise Refused(f"This contest already has a team called “{name}”.")


def _must_be_free(contest: Contest, user: User) -> None:
    membership = Membership.objects.filter(contest=contest, user=user).select_related("team").first()
    if membership:
        raise Refused(f"You are already in the team “{membership.team}”. To change teams, leave it first.")


# Members --------------------------------------------------------------------------------------------------------------


@transaction.atomic
def create(contest: Contest, by: User, name: str, school: str = "", now: datetime | None = None) -> Team:
    """Enter the contest with a new team, whose founder is captain."""
    contest = hold(contest.pk)
    _entry_must_be_open(contest, now)
    _must_be_free(contest, by)
    _name_must_be_free(contest, name)
    state = State.PENDING if contest.approval_required else State.APPROVED
    team = Team.objects.create(contest=contest, name=name, school=school, state=state)
    Membership.objects.create(team=team, contest=contest, user=by, is_captain=True)
    Act.record(contest, by, "enter", team, team=team.pk)
    contest.touch()
    return team


@transaction.atomic
def join(contest: Contest, by: User, code: str, now: datetime | None = None) -> Team:
    """Join a team by its code. New members may join until the contest ends."""
    contest = hold(contest.pk)
    if contest.ended_at and contest.ended_at <= (now or timezone.now()):
        raise Refused("This contest has ended.")
    team = contest.teams.with_code(code).first()
    if team is None:
        raise Refused("No team of this contest has this code. Ask a member, who finds the code on the page “My team”.")
    _must_be_free(contest, by)
    if team.state in (State.REFUSED, State.DISQUALIFIED):
        raise Refused(f"The team “{team}” no longer takes part ({team.get_state_display().lower()}).")
    if team.memberships.count() >= contest.team_size:
        people = "1 member" if contest.team_size == 1 else f"{contest.team_size} members"
        raise Refused(f"The team “{team}” is full: teams have at most {people}.")
    Membership.objects.create(team=team, contest=contest, user=by, is_captain=not team.memberships.exists())
    Act.record(contest, by, "join", team, team=team.pk)
    contest.touch()
    return team


@transaction.atomic
def edit(team: Team, by: User, name: str, school: str) -> None:
    _fresh(team)
    _name_must_be_free(team.contest, name, but=team)
    before = [team.name, team.school]
    if before == [name, school]:
        return
    team.name, team.school = name, school
    team.save(update_fields=["name", "school", "key", "school_key"])
    Act.record(team.contest, by, "rename team", name, team=team.pk, before=before)
    team.contest.touch()


@transaction.atomic
def change_code(team: Team, by: User) -> str:
    """Replace the joining code; the old one stops working."""
    _fresh(team)
    team.code = new_code()
    team.save(update_fields=["code"])
    Act.record(team.contest, by, "change joining code", team, team=team.pk)
    return team.code


@transaction.atomic
def make_captain(membership: Membership, by: User) -> None:
    team = _fresh_member(membership)
    team.memberships.update(is_captain=False)
    team.memberships.filter(pk=membership.pk).update(is_captain=True)
    Act.record(team.contest, by, "make captain", membership.user, team=team.pk)


@transaction.atomic
def leave(membership: Membership) -> None:
    """Leave the team. The longest-standing other member succeeds a captain. The last member cannot leave."""
    team = _fresh_member(membership)
    others = team.memberships.exclude(pk=membership.pk).order_by("joined_at", "pk")
    successor = others.first()
    if successor is None:
        raise Refused("You are the last member, so you cannot leave. Withdraw the team instead; its bots are kept.")
    membership.delete()
    if membership.is_captain:
        others.filter(pk=successor.pk).update(is_captain=True)
    Act.record(team.contest, membership.user, "leave", team, team=team.pk)
    team.contest.touch()


@transaction.atomic
def remove(membership: Membership, by: User) -> None:
    """Remove another member from the team, whose joining code changes."""
    team = _fresh_member(membership)
    if membership.user_id == by.pk:
        raise Refused("To leave the team, use “Leave the team”.")
    if membership.is_captain:
        raise Refused("You cannot remove the captain. Make someone else captain first.")
    membership.delete()
    team.code = new_code()  # they know the old one
    team.save(update_fields=["code"])
    Act.record(team.contest, by, "remove member", membership.user, team=team.pk)
    team.contest.touch()


@transaction.atomic
def withdraw(team: Team, by: User, reason: str = "") -> None:
    """Leave the contest. Nothing is deleted. The team can come back until entry closes or play begins."""
    contest = _fresh(team)
    if team.state not in (State.PENDING, State.APPROVED):
        raise Refused(f"The team is not taking part ({team.get_state_display().lower()}).")
    if contest.ended_at:
        raise Refused("This contest has ended.")
    _set_state(contest, team, by, State.WITHDRAWN, "withdraw", reason)


@transaction.atomic
def reenter(team: Team, by: User, now: datetime | None = None) -> None:
    """Come back after withdrawing. Not once play has begun, because matches would become void."""
    contest = _fresh(team)
    if team.state != State.WITHDRAWN:
        raise Refused("Only a team that has withdrawn can come back.")
    _entry_must_be_open(contest, now)
    if contest.play_started_at is not None:
        raise Refused("The tournament has begun. Ask an organiser to let the team back in.")
    _set_state(contest, team, by, State.PENDING if contest.approval_required else State.APPROVED, "re-enter")


# Organisers -----------------------------------------------------------------------------------------------------------


def _set_state(held: Held, team: Team, by: User, state: str, verb: str, reason: str = "") -> None:
    """Change the state of a team that `_fresh` reloaded in this transaction."""
    before = team.state
    team.state, team.state_reason = state, reason[:300]
    team.save(update_fields=["state", "state_reason"])
    Act.record(held, by, verb, team, reason, team=team.pk, before=before)
    if (kind := _fact_of(team, before)) is None:
        held.touch()
    else:
        ledger.write(held, Fact(kind, team=team.pk, by=by, reason=reason))


def _fact_of(team: Team, before: str) -> Kind | None:
    """What the ledger tells of the new state: that a team has left, or is back. None: it was never in."""
    if team.state == State.DISQUALIFIED:
        return Kind.TEAM_DISQUALIFIED
    if team.state == State.WITHDRAWN and before == State.APPROVED:
        return Kind.TEAM_WITHDRAWN
    left = LedgerEntry.objects.filter(team=team).order_by("number").values_list("kind", flat=True).last()
    is_back = team.state == State.APPROVED and left in (Kind.TEAM_DISQUALIFIED, Kind.TEAM_WITHDRAWN)
    return Kind.TEAM_REINSTATED if is_back else None


@transaction.atomic
def approve(team: Team, by: User) -> None:
    """Let a waiting or refused team take part, even after the deadline."""
    contest = _fresh(team)
    if team.state not in (State.PENDING, State.REFUSED):
        raise Refused(f"“{team}” is not waiting for approval ({team.get_state_display().lower()}).")
    _set_state(contest, team, by, State.APPROVED, "approve team")


@transaction.atomic
def refuse(team: Team, by: User, reason: str = "") -> None:
    contest = _fresh(team)
    if team.state != State.PENDING:
        raise Refused(f"“{team}” is not waiting for approval ({team.get_state_display().lower()}).")
    _set_state(contest, team, by, State.REFUSED, "refuse team", reason)


@transaction.atomic
def add(contest: Contest, by: User, name: str, school: str = "") -> Team:
    """Enter a team that people join by code; the first becomes captain. No deadline applies."""
    contest = hold(contest.pk)
    _name_must_be_free(contest, name)
    team = Team.objects.create(contest=contest, name=name, school=school)
    Act.record(contest, by, "add team", team, team=team.pk)
    contest.touch()
    return team


@transaction.atomic
def extend_uploads(team: Team, by: User, until: datetime | None, reason: str) -> None:
    """Let a team upload until later than the others, or (None) no longer. Everybody reads the reason once a stage has
    begun."""
    contest = _fresh(team)
    if until is not None:
        reason = reason_given(reason, "Please give a reason. Everybody can read it once a stage has begun.")
        if until <= contest.upload_deadline:
            raise Refused("Uploads of all teams close later than that. Choose a later moment.")
        if until <= timezone.now():
            raise Refused("This moment has passed. Choose a later one.")
    before, team.uploads_until, team.uploads_until_reason = team.uploads_until, until, reason[:300] if until else ""
    team.save(update_fields=["uploads_until", "uploads_until_reason"])
    moments = {"before": before and before.isoformat(), "after": until and until.isoformat()}
    Act.record(contest, by, "change upload deadline of team", team, reason, team=team.pk, **moments)
    contest.touch()


@transaction.atomic
def disqualify(team: Team, by: User, reason: str) -> None:
    """Disqualify a team. The tournament's plan decides what this means for its matches."""
    reason = reason_given(
        reason, "Please give a reason. The team will read it, and so will everyone with access to the audit log."
    )
    contest = _fresh(team)
    if team.state == State.DISQUALIFIED:
        raise Refused(f"“{team}” is already disqualified.")
    _set_state(contest, team, by, State.DISQUALIFIED, "disqualify team", reason)


@transaction.atomic
def reinstate(team: Team, by: User, reason: str) -> None:
    """Undo a disqualification or a withdrawal, even after the deadline and during play."""
    contest = _fresh(team)
    if team.state not in (State.DISQUALIFIED, State.WITHDRAWN):
        raise Refused(f"“{team}” is neither disqualified nor withdrawn.")
    reason = reason_given(reason, "Please give a reason.")
    _set_state(contest, team, by, State.APPROVED, "reinstate team", reason)


@transaction.atomic
def decide_many(contest: Contest, by: User, team_ids: Iterable[int], *, approved: bool, reason: str = "") -> int:
    """Approve or refuse those of these teams that are waiting. Returns how many."""
    contest = hold(contest.pk)
    waiting = list(contest.teams.filter(pk__in=team_ids, state=State.PENDING).select_related("contest"))
    for team in waiting:
        approve(team, by) if approved else refuse(team, by, reason)
    return len(waiting)


@transaction.atomic
def set_seeds(contest: Contest, by: User, seeds: Mapping[int, int | None]) -> int:
    """Set seed numbers by team id; None removes one. Other teams keep theirs. Returns how many changed.

    Raises Refused if two teams would have the same number.
    """
    contest = hold(contest.pk)
    teams = {team.pk: team for team in contest.teams.all()}
    wanted = {pk: seeds.get(pk, team.seed) for pk, team in teams.items()}
    holders: dict[int, list[str]] = {}
    for pk, seed in wanted.items():
        if seed is not None:
            holders.setdefault(seed, []).append(teams[pk].name)
    doubled = {seed: names for seed, names in sorted(holders.items()) if len(names) > 1}
    if doubled:
        said = "; ".join(f"{seed} ({', '.join(map(format, names))})" for seed, names in doubled.items())
        raise Refused(f"Two teams cannot have the same seed number: {said}.")
    changed = [team for pk, team in teams.items() if team.seed != wanted[pk]]
    if not changed:
        return 0
    before = {team.name: team.seed for team in changed}
    contest.teams.filter(pk__in=[team.pk for team in changed]).update(seed=None)  # free them first
    for team in changed:
        team.seed = wanted[team.pk]
    Team.objects.bulk_update(changed, ["seed"])
    Act.record(
        contest, by, "seed teams", f"{len(changed)} teams", before=before, after={t.name: t.seed for t in changed}
    )
    contest.touch()
    return len(changed)
