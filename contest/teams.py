"""What people do with teams: members with their own, organisers with all. A deed that cannot be done raises Refused.

Every deed is one transaction that takes the contest's row first, so that the limits (members, names, seed numbers) hold
when several people act at once, then reads again what it decides by, and leaves a line in the trail.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from contest import ledger
from contest.ledger import Fact, Held
from contest.models import Act, Contest, Kind, LedgerEntry, Membership, Team, User, new_code
from contest.refusal import Refused

State = Team.State
GONE = (State.REFUSED, State.WITHDRAWN, State.DISQUALIFIED)


def _fresh(team: Team) -> Contest:
    """Take the contest's row and read the team again: what its page showed may have changed since."""
    team.contest = contest = team.contest.hold()
    team.refresh_from_db(fields=["name", "school", "code", "state", "state_reason", "seed"])
    return contest


def _fresh_member(membership: Membership) -> Team:
    """The same for somebody in a team. Refused when he is not in it any more."""
    _fresh(membership.team)
    now = membership.team.memberships.filter(pk=membership.pk).first()
    if now is None:
        raise Refused(f"{membership.user} is not in the team “{membership.team}” any more.")
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
    raise Refused("The entry deadline has passed. An organiser can move it if there is a good reason.")


def _name_must_be_free(contest: Contest, name: str, but: Team | None = None) -> None:
    others = contest.teams.filter(name__iexact=name)
    if but:
        others = others.exclude(pk=but.pk)
    if others.exists():
        raise Refused(f"There is already a team called “{name}” in this contest.")


def _must_be_free(contest: Contest, user: User) -> None:
    membership = Membership.objects.filter(contest=contest, user=user).select_related("team").first()
    if membership:
        raise Refused(f"You are already in the team “{membership.team}”. Leave it first to be in another one.")


# Members --------------------------------------------------------------------------------------------------------------


@transaction.atomic
def create(contest: Contest, by: User, name: str, school: str = "", now: datetime | None = None) -> Team:
    """Enter the contest with a new team; its founder is the captain."""
    contest = contest.hold()
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
    """Become a member by the code that the team's members know. New members may come until the contest ends."""
    contest = contest.hold()
    if contest.ended_at and contest.ended_at <= (now or timezone.now()):
        raise Refused("This contest has ended.")
    team = contest.teams.with_code(code).first()
    if team is None:
        raise Refused("No team of this contest has that code. Ask a member of the team: the code stands on its page.")
    _must_be_free(contest, by)
    if team.state in (State.REFUSED, State.DISQUALIFIED):
        raise Refused(f"The team “{team}” does not take part any more ({team.get_state_display().lower()}).")
    if team.memberships.count() >= contest.team_size:
        people = "1 member" if contest.team_size == 1 else f"{contest.team_size} members"
        raise Refused(f"The team “{team}” is full: a team has at most {people}.")
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
    team.save(update_fields=["name", "school"])
    Act.record(team.contest, by, "rename team", name, team=team.pk, before=before)
    team.contest.touch()


@transaction.atomic
def change_code(team: Team, by: User) -> str:
    """The old code no longer lets anybody in."""
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
    """A captain who leaves hands over to the member who has been there longest. The last member cannot leave."""
    team = _fresh_member(membership)
    others = team.memberships.exclude(pk=membership.pk).order_by("joined_at", "pk")
    successor = others.first()
    if successor is None:
        raise Refused("You are the last member. Withdraw the team instead; its bots stay on record.")
    membership.delete()
    if membership.is_captain:
        others.filter(pk=successor.pk).update(is_captain=True)
    Act.record(team.contest, membership.user, "leave", team, team=team.pk)
    team.contest.touch()


@transaction.atomic
def remove(membership: Membership, by: User) -> None:
    """Take somebody else out of the team."""
    team = _fresh_member(membership)
    if membership.user_id == by.pk:
        raise Refused("To leave the team yourself, use “Leave the team”.")
    if membership.is_captain:
        raise Refused("The captain cannot be removed. Make somebody else the captain first.")
    membership.delete()
    Act.record(team.contest, by, "remove member", membership.user, team=team.pk)
    team.contest.touch()


@transaction.atomic
def withdraw(team: Team, by: User, reason: str = "") -> None:
    """Leave the contest. Nothing is deleted; until entry closes or play begins the team can come back by itself."""
    contest = _fresh(team)
    if team.state not in (State.PENDING, State.APPROVED):
        raise Refused(f"The team does not take part anyway ({team.get_state_display().lower()}).")
    if contest.ended_at:
        raise Refused("This contest has ended.")
    _set_state(team, by, State.WITHDRAWN, "withdraw", reason)


@transaction.atomic
def reenter(team: Team, by: User, now: datetime | None = None) -> None:
    """Come back after having withdrawn. Not once play has begun: others have moved up, and matches would be void."""
    contest = _fresh(team)
    if team.state != State.WITHDRAWN:
        raise Refused("Only a team that has withdrawn can come back.")
    _entry_must_be_open(contest, now)
    if contest.play_started_at is not None:
        raise Refused("The tournament has begun: ask an organiser to let the team back in.")
    _set_state(team, by, State.PENDING if contest.approval_required else State.APPROVED, "re-enter")


# Organisers -----------------------------------------------------------------------------------------------------------


def _set_state(team: Team, by: User, state: str, verb: str, reason: str = "") -> None:
    """Of a team that was read again (`_fresh`) in this transaction."""
    before = team.state
    team.state, team.state_reason = state, reason[:300]
    team.save(update_fields=["state", "state_reason"])
    Act.record(team.contest, by, verb, team, reason, team=team.pk, before=before)
    if (kind := _fact_of(team, before)) is None:
        team.contest.touch()
    else:
        ledger.write(Held(team.contest), Fact(kind, team=team.pk, by=by, reason=reason))


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
    """Let a waiting or refused team take part; also after the deadline."""
    _fresh(team)
    if team.state not in (State.PENDING, State.REFUSED):
        raise Refused(f"“{team}” is not waiting for approval ({team.get_state_display().lower()}).")
    _set_state(team, by, State.APPROVED, "approve team")


@transaction.atomic
def refuse(team: Team, by: User, reason: str = "") -> None:
    _fresh(team)
    if team.state != State.PENDING:
        raise Refused(f"“{team}” is not waiting for approval ({team.get_state_display().lower()}).")
    _set_state(team, by, State.REFUSED, "refuse team", reason)


@transaction.atomic
def add(contest: Contest, by: User, name: str, school: str = "") -> Team:
    """Enter a team for people who join it by its code; the first is its captain. No deadline applies."""
    contest = contest.hold()
    _name_must_be_free(contest, name)
    team = Team.objects.create(contest=contest, name=name, school=school)
    Act.record(contest, by, "add team", team, team=team.pk)
    contest.touch()
    return team


@transaction.atomic
def disqualify(team: Team, by: User, reason: str) -> None:
    """Put a team out of the contest. What that means for its matches is decided by the tournaments' plan."""
    if not reason.strip():
        raise Refused("Please give a reason: the team and everybody in the trail will read it.")
    _fresh(team)
    if team.state == State.DISQUALIFIED:
        raise Refused(f"“{team}” is already disqualified.")
    _set_state(team, by, State.DISQUALIFIED, "disqualify team", reason)


@transaction.atomic
def reinstate(team: Team, by: User, reason: str) -> None:
    """Take back a disqualification or a withdrawal, whatever the deadline and also when play has begun."""
    _fresh(team)
    if team.state not in (State.DISQUALIFIED, State.WITHDRAWN):
        raise Refused(f"“{team}” is neither disqualified nor withdrawn.")
    if not reason.strip():
        raise Refused("Please give a reason.")
    _set_state(team, by, State.APPROVED, "reinstate team", reason)


@transaction.atomic
def decide_many(contest: Contest, by: User, team_ids: Iterable[int], *, approved: bool, reason: str = "") -> int:
    """Approve or refuse the waiting ones among these teams; the others are left as they are. Returns how many."""
    contest = contest.hold()
    waiting = list(contest.teams.filter(pk__in=team_ids, state=State.PENDING).select_related("contest"))
    for team in waiting:
        approve(team, by) if approved else refuse(team, by, reason)
    return len(waiting)


@transaction.atomic
def set_seeds(contest: Contest, by: User, seeds: Mapping[int, int | None]) -> int:
    """Give teams (by id) their seed numbers, None for none; teams not named keep theirs. Returns how many changed.

    Raises Refused, and changes nothing, when a number would be used twice.
    """
    contest = contest.hold()
    teams = {team.pk: team for team in contest.teams.all()}
    wanted = {pk: seeds.get(pk, team.seed) for pk, team in teams.items()}
    holders: dict[int, list[str]] = {}
    for pk, seed in wanted.items():
        if seed is not None:
            holders.setdefault(seed, []).append(teams[pk].name)
    doubled = {seed: names for seed, names in sorted(holders.items()) if len(names) > 1}
    if doubled:
        said = "; ".join(f"{seed} ({', '.join(names)})" for seed, names in doubled.items())
        raise Refused(f"Two teams cannot have the same seed number: {said}.")
    changed = [team for pk, team in teams.items() if team.seed != wanted[pk]]
    if not changed:
        return 0
    before = {team.name: team.seed for team in changed}
    contest.teams.filter(pk__in=[team.pk for team in changed]).update(seed=None)  # free the numbers before moving them
    for team in changed:
        team.seed = wanted[team.pk]
    Team.objects.bulk_update(changed, ["seed"])
    Act.record(
        contest, by, "seed teams", f"{len(changed)} teams", before=before, after={t.name: t.seed for t in changed}
    )
    contest.touch()
    return len(changed)
