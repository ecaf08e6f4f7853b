"""The tests' own cast: rows written in bulk equal those that the normal actions write."""

from __future__ import annotations

from typing import Any

import pytest

from contest.models import Act, Contest, Membership, Team, User
from tests.cast import make_contest, make_team, make_teams

# Each row has its own; passwords are salted.
OWN = {"id", "contest_id", "user_id", "team_id", "username", "email", "name", "school", "target", "data", "code"}
OWN |= {"key", "school_key", "password", "at", "joined_at", "created_at", "date_joined", "seed"}


def rows(contest: Contest) -> list[list[dict[str, Any]]]:
    members = Membership.objects.filter(contest=contest)
    written = (
        User.objects.filter(memberships__in=members),
        Team.objects.filter(contest=contest),
        members,
        Act.objects.filter(contest=contest, verb="enter"),
    )
    return [[{key: row[key] for key in row.keys() - OWN} for row in query.values()] for query in written]


@pytest.mark.django_db
def test_teams_made_together_are_like_teams_that_entered() -> None:
    one_by_one, together = make_contest(), make_contest()
    for _ in range(3):
        make_team(one_by_one)
    made = make_teams(together, 3)
    assert rows(one_by_one) == rows(together)
    assert [list(team.memberships.values_list("user__username", flat=True)) for team in made] == [
        [f"user{team.name.removeprefix('Team ')}"] for team in made
    ]
    assert len({team.code for team in made}) == 3
    assert all(User.objects.get(memberships__team=team).check_password("seven of clubs") for team in made)
    assert [act.data["team"] for act in together.acts.filter(verb="enter").order_by("id")] == [team.pk for team in made]
