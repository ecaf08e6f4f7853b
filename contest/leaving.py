"""Delete an account: what would happen, and doing it.

Results and versions belong to teams, and the audit log to contests, so they stay; the person becomes “a former member”
there. Everything else goes at once. The row of the account is kept without a name, an address or a password, so that
entries by different former members remain different.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from contest import personal
from contest.ledger import hold
from contest.models import Act, Contest, Membership, Role, Team, User
from contest.refusal import Refused


@dataclass(frozen=True, slots=True)
class TeamLeft:
    """A team of theirs. `captain`: who follows them as captain; None if they are not captain, or nobody is left."""

    team: Team
    captain: User | None
    is_last: bool


@dataclass(frozen=True, slots=True)
class Leaving:
    """What deleting an account would do."""

    teams: list[TeamLeft]
    roles: list[Role]
    alone: list[Contest]  # contests that would have no owner
    is_last_administrator: bool

    @property
    def why_not(self) -> str:
        """Why the account cannot be deleted yet; blank if it can."""
        if self.is_last_administrator:
            return "You are the only administrator of this portal. Make somebody else one first."
        if self.alone:
            names = ", ".join(f"“{contest}”" for contest in self.alone)
            return f"You are the only owner of {names}. Make somebody else an owner first."
        return ""


def foreseen(user: User) -> Leaving:
    mine = user.memberships.select_related("team", "contest").order_by("contest_id")
    teams = [_left(membership) for membership in mine]
    roles = list(user.roles.select_related("contest").order_by("contest_id"))
    owned = [role.contest for role in roles if role.role == Role.Kind.OWNER]
    others = Role.objects.filter(contest__in=owned, role=Role.Kind.OWNER, user__is_active=True).exclude(user=user)
    shared = set(others.values_list("contest", flat=True))
    administrators = User.objects.filter(is_superuser=True, is_active=True)
    is_last = user.is_superuser and not administrators.exclude(pk=user.pk).exists()
    return Leaving(teams, roles, [contest for contest in owned if contest.pk not in shared], is_last)


def _left(membership: Membership) -> TeamLeft:
    team = membership.team
    team.contest = membership.contest
    next_one = _successor(membership)
    return TeamLeft(team, next_one.user if next_one and membership.is_captain else None, next_one is None)


def _successor(membership: Membership) -> Membership | None:
    """The longest-standing other member."""
    others = Membership.objects.filter(team=membership.team_id).exclude(pk=membership.pk)
    return others.select_related("user").order_by("joined_at", "pk").first()


@transaction.atomic
def delete(user: User, now: datetime | None = None) -> None:
    """Delete the account. Raises Refused while somebody must take over first."""
    teams, roles = user.memberships.values_list("contest", flat=True), user.roles.values_list("contest", flat=True)
    for contest_id in sorted({*teams, *roles}):  # in this order, so two who leave at once do not block each other
        hold(contest_id)
    user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if user.left_at is not None:
        return
    if why_not := foreseen(user).why_not:
        raise Refused(why_not)
    personal.forget(user)  # while they are still in their teams
    for membership in user.memberships.select_related("contest", "team"):
        _leave(membership)
    for role in user.roles.select_related("contest"):
        Act.record(role.contest, user, "delete account", role=role.role)
        role.contest.touch()
        role.delete()
    _empty(user, now or timezone.now())


def _leave(membership: Membership) -> None:
    follower = _successor(membership)
    Act.record(membership.contest, membership.user, "delete account", membership.team, team=membership.team_id)
    membership.delete()
    if follower is not None and membership.is_captain:
        Membership.objects.filter(pk=follower.pk).update(is_captain=True)
    membership.contest.touch()


def _empty(user: User, now: datetime) -> None:
    """Only the number of the row is left. Their old name is free again."""
    user.username = f"former-{secrets.token_hex(8)}"
    user.first_name = user.last_name = user.email = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.is_public = user.shows_casual = user.mail_news = user.mail_matches = False
    user.last_login, user.left_at = None, now
    user.set_unusable_password()
    user.groups.clear()
    user.user_permissions.clear()
    user.save()
