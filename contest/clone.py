"""A contest made from another one: what was set and, where wished, its people; never what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from contest.contests import free_slug
from contest.models import Act, Announcement, Contest, Membership, Role, Team, User

# What is made anew or follows from what happened; all other settings are taken over as they are.
OWN = {
    *("id", "slug", "name", "opens_at", "entry_deadline", "upload_deadline", "frozen_from", "spectator_code"),
    *("play_started_at", "ended_at", "revision", "public_revision", "last_number", "frozen_number", "created_at"),
    "is_clone",
}


@dataclass(frozen=True, slots=True)
class Wish:
    name: str
    opens_at: datetime
    roles: bool = True
    teams: bool = False
    announcements: bool = False


@dataclass(frozen=True, slots=True)
class Copy:
    """The new contest, and what became of the old one's."""

    contest: Contest
    teams: Mapping[int, int]  # the new id by the old one; empty when teams were not taken over
    original: Contest

    def moved(self, moment: datetime | None) -> datetime | None:
        """A moment of the old contest in the new one: as far from its opening, by the clock on the wall."""
        return moved(moment, self.original.opens_at, self.contest.opens_at)


def moved(moment: datetime | None, before: datetime, after: datetime) -> datetime | None:
    """As far from `after` as it was from `before`, in days and hours of the portal's time zone: 18:00 stays 18:00 when
    the clocks change in between."""
    if moment is None:
        return None
    zone = timezone.get_current_timezone()
    wall, begin, end = (each.astimezone(zone).replace(tzinfo=None) for each in (moment, before, after))
    return timezone.make_aware(wall + (end - begin), zone)


@transaction.atomic
def clone(original: Contest, by: User, wish: Wish) -> Copy:
    """The contest with its settings, private, opened at another time; owned by `by`. Its stages are the tournaments' to
    copy."""
    fields = [field.attname for field in Contest._meta.concrete_fields if field.attname not in OWN]
    contest = Contest(slug=free_slug(wish.name), name=wish.name, **{name: getattr(original, name) for name in fields})
    contest.opens_at, contest.is_clone = wish.opens_at, True
    for name in ("entry_deadline", "upload_deadline", "frozen_from"):
        setattr(contest, name, moved(getattr(original, name), original.opens_at, wish.opens_at))
    contest.visibility = Contest.Visibility.PRIVATE  # until its dates and settings have been looked over
    contest.full_options()  # refuses options that the game does not take any more
    contest.save()
    _give_roles(original, contest, by, others=wish.roles)
    if wish.announcements:  # before the teams: they are nothing that is said to their members now
        for it in original.announcements.order_by("posted_at", "pk"):
            Announcement.objects.create(contest=contest, title=it.title, text=it.text, posted_by=by)
    teams = _copy_teams(original, contest) if wish.teams else {}
    taken = [name for name in ("roles", "teams", "announcements") if getattr(wish, name)]
    Act.record(contest, by, "clone contest", original.name, of=original.pk, taken=taken)
    Act.record(original, by, "clone contest", f"{contest.name}, as a new contest", clone=contest.pk)
    return Copy(contest, teams, original)


def _give_roles(original: Contest, contest: Contest, by: User, *, others: bool) -> None:
    roles = {by.pk: Role.Kind.OWNER.value}
    if others:
        roles = dict(original.roles.order_by("pk").values_list("user", "role")) | roles
    Role.objects.bulk_create(Role(contest=contest, user_id=user, role=role) for user, role in roles.items())


def _copy_teams(original: Contest, contest: Contest) -> dict[int, int]:
    """Those that take part or wait for approval, with their members, under new codes."""
    wanted = (Team.State.APPROVED, Team.State.PENDING)
    teams = list(original.teams.filter(state__in=wanted).order_by("pk").prefetch_related("memberships"))
    copies = Team.objects.bulk_create(
        Team(contest=contest, name=team.name, school=team.school, seed=team.seed, state=team.state) for team in teams
    )
    Membership.objects.bulk_create(
        Membership(team=copy, contest=contest, user_id=member.user_id, is_captain=member.is_captain)
        for team, copy in zip(teams, copies, strict=True)
        for member in team.memberships.all()
    )
    return {team.pk: copy.pk for team, copy in zip(teams, copies, strict=True)}
