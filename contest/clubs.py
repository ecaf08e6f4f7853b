"""A team across contests: which teams are the same one, as their captains say.

Nobody else can know it. A name alone proves nothing, because anybody may choose it. So a team is added to a club only
by somebody who is captain of it and of a team that is in the club already. If a captain enters another contest under
the same name, that is taken as said; the captain can take it back.
"""

from __future__ import annotations

from django.db import transaction

from contest.ledger import hold
from contest.models import Act, Club, Membership, Team, User
from contest.refusal import Refused


def captained(user: User, but: Team) -> list[Team]:
    """The teams of other contests whose captain they are, the newest first."""
    rows = Membership.objects.filter(user=user, is_captain=True).exclude(contest=but.contest_id)
    found = rows.select_related("team", "contest", "team__club").order_by("-contest__opens_at", "-pk")
    teams = []
    for row in found:
        row.team.contest = row.contest
        teams.append(row.team)
    return teams


def continued(team: Team) -> list[Team]:
    """The other teams of its club, the newest first."""
    if team.club_id is None:
        return []
    found = Team.objects.filter(club=team.club_id).exclude(pk=team.pk).select_related("contest")
    return list(found.order_by("-contest__opens_at", "-pk"))


@transaction.atomic
def link(team: Team, other: Team, by: User) -> Club:
    """Make a team part of the club of another one, and both of a new one if that has none."""
    held = hold(team.contest_id)
    for each in (team, other):
        if not Membership.objects.filter(team=each, user=by, is_captain=True).exists():
            raise Refused(f"Only the captain of “{each}” can say this.")
    team.refresh_from_db(fields=["club"])
    other = Team.objects.select_for_update(no_key=True).get(pk=other.pk)
    if other.club is not None and other.club_id == team.club_id:
        return other.club  # said twice
    club = other.club or Club.objects.create()
    if Team.objects.filter(club=club, contest=team.contest_id).exclude(pk=team.pk).exists():
        raise Refused("Another team of this contest is already part of that.")
    _leave(team)
    Team.objects.filter(pk__in=[team.pk, other.pk]).update(club=club)
    team.club = club
    Act.record(held, by, "link team", team, team=team.pk, to=other.pk)
    held.touch()
    return club


@transaction.atomic
def unlink(team: Team, by: User) -> None:
    held = hold(team.contest_id)
    team.refresh_from_db(fields=["club"])
    if team.club_id is None:
        raise Refused("This team is not linked to any other.")
    _leave(team)
    Act.record(held, by, "unlink team", team, team=team.pk)
    held.touch()


def _leave(team: Team) -> None:
    """A club of one team ends: that team has a page of its own."""
    if (club := team.club) is None:
        return
    Team.objects.filter(pk=team.pk).update(club=None)
    team.club = None
    if club.teams.count() < 2:
        club.delete()


@transaction.atomic
def show(team: Team, by: User, *, public: bool) -> None:
    """Let everybody open the page of its club, or nobody."""
    held = hold(team.contest_id)
    if team.club_id is None:
        raise Refused("This team is not linked to any other.")
    Club.objects.filter(pk=team.club_id).update(is_public=public)
    Act.record(held, by, "show team across contests" if public else "hide team across contests", team, team=team.pk)
    held.touch()


def recognise(team: Team, by: User) -> Team | None:
    """A team that its captain has just entered goes on with their last one of this name. Returns that one."""
    before = next((it for it in captained(by, team) if it.name.lower() == team.name.lower()), None)
    if before is None:
        return None
    try:
        with transaction.atomic():
            link(team, before, by)
    except Refused:  # their club takes part already
        return None
    return before
