"""A small fixed cast, made by the functions that the pages call. Import what a test needs, where it needs it.

    ada   owner of the contest        olga  organiser        judy  judge        root  superuser, no role
    alice captain of team Aces        bob   member of Aces   carl  captain (and only member) of Clubs
    zoe   has an account and nothing else

`make_cast()` creates the contest "Spring Cup" with all of them; `make_contest`, `make_team`, `make_user` create one
object, and `make_teams` any number of teams. Passwords are `PASSWORD`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import Any

from django.contrib.auth.hashers import make_password
from django.utils import timezone

import games
from contest import contests, teams
from contest.models import Act, Contest, Membership, Role, Team, User

PASSWORD = "seven of clubs"
PASSWORD_HASH = make_password(PASSWORD)
_numbers = count(1)


def make_user(username: str = "", **fields: Any) -> User:
    username = username or f"user{next(_numbers)}"
    fields.setdefault("email", f"{username}@example.org")
    return User.objects.create_user(username, password=PASSWORD, **fields)


def _unsaved_user(username: str) -> User:
    return User(username=username, email=f"{username}@example.org", password=PASSWORD_HASH)


def make_contest(owner: User | None = None, name: str = "", **fields: Any) -> Contest:
    """A contest that opened yesterday and is open. The game is Tricky Eights by default, the preset the game's
    first."""
    now = timezone.now()
    fields = {
        "opens_at": now - timedelta(days=1),
        "entry_deadline": now + timedelta(days=7),
        "upload_deadline": now + timedelta(days=7),
        **fields,
    }
    game = fields.pop("game", "tricky_eights")
    preset = fields.pop("preset", games.get(game).preset().name)
    name = name or f"Contest {next(_numbers)}"
    return contests.create(owner or make_user(), name, game, preset, **fields)


def make_team(contest: Contest, captain: User | None = None, name: str = "", *, members: tuple[User, ...] = ()) -> Team:
    """A team that entered by itself, with its captain and further members."""
    number = next(_numbers)
    team = teams.create(contest, captain or make_user(), name or f"Team {number}", school=f"School {number}")
    for member in members:
        teams.join(contest, member, team.code)
    return team


def make_teams(contest: Contest, count: int) -> list[Team]:
    """Write the rows of that many `make_team` calls, with seed numbers, in a few statements: most stage tests begin
    with it."""
    numbers = [next(_numbers) for _ in range(count)]
    captains = User.objects.bulk_create(_unsaved_user(f"user{number}") for number in numbers)
    teams = Team.objects.bulk_create(
        Team(contest=contest, name=f"Team {number}", school=f"School {number}", state=Team.State.APPROVED, seed=seed)
        for seed, number in enumerate(numbers, start=1)
    )
    entered = list(zip(teams, captains, strict=True))
    Membership.objects.bulk_create(
        Membership(team=team, contest=contest, user=captain, is_captain=True) for team, captain in entered
    )
    Act.objects.bulk_create(
        Act(contest=contest, user=captain, verb="enter", target=team.name, data={"team": team.pk})
        for team, captain in entered
    )
    contest.touch()
    return teams


@dataclass
class Cast:
    contest: Contest
    ada: User
    olga: User
    judy: User
    root: User
    alice: User
    bob: User
    carl: User
    zoe: User
    aces: Team
    clubs: Team


def make_cast(**contest_fields: Any) -> Cast:
    names = ("ada", "olga", "judy", "alice", "bob", "carl", "zoe", "root")
    people = {user.username: user for user in User.objects.bulk_create(_unsaved_user(name) for name in names)}
    root = people.pop("root")
    root.is_staff = root.is_superuser = True
    root.save(update_fields=["is_staff", "is_superuser"])
    contest = make_contest(people["ada"], contest_fields.pop("name", "Spring Cup"), **contest_fields)
    contests.give_role(contest, people["ada"], people["olga"], Role.Kind.ORGANISER)
    contests.give_role(contest, people["ada"], people["judy"], Role.Kind.JUDGE)
    aces = make_team(contest, people["alice"], "Aces", members=(people["bob"],))
    clubs = make_team(contest, people["carl"], "Clubs")
    return Cast(contest=contest, root=root, aces=aces, clubs=clubs, **people)


def open_until(contest: Contest, **shift: float) -> Contest:
    """Move both deadlines of a contest to now + timedelta(**shift); hours=-1 closes it."""
    moment = timezone.now() + timedelta(**shift)
    contest.entry_deadline = contest.upload_deadline = moment
    contest.save(update_fields=["entry_deadline", "upload_deadline"])
    return contest
