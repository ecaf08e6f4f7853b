"""Copy a contest: its settings and, if asked for, its people; never its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo

from django.db import transaction
from django.utils import timezone

from contest.contests import free_slug
from contest.models import Act, Announcement, Contest, Membership, Role, Team, User
from contest.models.moments import within_range
from contest.zones import official_zone

# Fields that start fresh or follow from what happened. All others are copied.
OWN = {
    *("id", "slug", "name", "opens_at", "entry_deadline", "upload_deadline", "frozen_from", "spectator_code"),
    *("play_started_at", "ended_at", "revision", "public_revision", "last_number", "frozen_number", "created_at"),
    *("is_clone", "endless"),
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
    """The new contest, and which of its objects replaces which of the old one's."""

    contest: Contest
    teams: Mapping[int, int]  # new id by old id; empty if teams were not copied
    original: Contest

    def moved(self, moment: datetime | None) -> datetime | None:
        """A moment of the old contest in the new one: at the same distance from its opening, by the wall clock."""
        zone = official_zone(self.original.time_zone)
        return moved(moment, self.original.opens_at, self.contest.opens_at, zone)


def moved(moment: datetime | None, before: datetime, after: datetime, zone: tzinfo) -> datetime | None:
    """At the same distance from `after` as from `before`, by the wall clock of a time zone: 18:00 stays 18:00 even if
    the clocks change in between."""
    if moment is None:
        return None
    wall, begin, end = (each.astimezone(zone).replace(tzinfo=None) for each in (moment, before, after))
    return within_range(timezone.make_aware(wall + (end - begin), zone))


@transaction.atomic
def clone(original: Contest, by: User, wish: Wish) -> Copy:
    """Copy a contest's settings into a private one that `by` owns and that opens at another time.

    Its stages are copied by tournaments.organising.clone.
    """
    fields = [field.attname for field in Contest._meta.concrete_fields if field.attname not in OWN]
    contest = Contest(slug=free_slug(wish.name), name=wish.name, **{name: getattr(original, name) for name in fields})
    contest.opens_at, contest.is_clone = wish.opens_at, True
    for name in ("entry_deadline", "upload_deadline", "frozen_from"):
        zone = official_zone(original.time_zone)
        setattr(contest, name, moved(getattr(original, name), original.opens_at, wish.opens_at, zone))
    contest.visibility = Contest.Visibility.PRIVATE  # until someone has reviewed its dates and settings
    contest.full_options()  # refuses options that the game no longer takes
    contest.save()
    _give_roles(original, contest, by, others=wish.roles)
    if wish.announcements:  # before the teams, so that they are not news to the members
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
    """Copy the teams that take part or wait for approval, with their members and new codes."""
    wanted = (Team.State.APPROVED, Team.State.PENDING)
    teams = list(original.teams.filter(state__in=wanted).order_by("pk").prefetch_related("memberships"))
    copies = Team.objects.bulk_create(
        Team(
            contest=contest,
            name=team.name,
            school=team.school,
            key=team.key,
            seed=team.seed,
            state=team.state,
            accepts_practice=team.accepts_practice,
        )
        for team in teams
    )
    Membership.objects.bulk_create(
        Membership(team=copy, contest=contest, user_id=member.user_id, is_captain=member.is_captain)
        for team, copy in zip(teams, copies, strict=True)
        for member in team.memberships.all()
    )
    return {team.pk: copy.pk for team, copy in zip(teams, copies, strict=True)}
