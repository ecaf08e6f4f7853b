"""Entering, and one's own team, for programs."""

from typing import Any

import pytest

from contest.models import Act, Contest, Team
from tests.cast import Cast, make_user
from tests.programs import ALL, caller, patch, post, program

pytestmark = pytest.mark.promise

API = "/api/v1/contests/spring-cup"
TEAM = f"{API}/team"


# Person, scopes of the token (None: logged in to the portal), and the status of: reading the own team, renaming it,
# changing its code, asking to leave it, entering with another team, joining one with a wrong code.
RIGHTS = [
    ("", "", 401, 401, 401, 401, 401, 401),
    ("zoe", "bot", 403, 403, 403, 403, 403, 403),
    ("zoe", "desk", 403, 403, 403, 403, 403, 403),
    ("zoe", "team", 403, 403, 403, 403, 409, 201),
    ("zoe", None, 403, 403, 403, 403, 409, 201),
    ("alice", "bot desk", 403, 403, 403, 403, 403, 403),
    ("alice", "team", 200, 200, 200, 204, 409, 201),
    ("alice", None, 200, 200, 200, 204, 409, 201),
    ("bob", "team", 200, 200, 403, 204, 409, 201),
    ("carl", "team", 200, 200, 200, 409, 409, 409),
    ("judy", "desk team", 403, 403, 403, 403, 409, 201),
    ("root", "desk team", 403, 403, 403, 403, 409, 201),
]


@pytest.mark.parametrize("row", RIGHTS, ids=lambda row: f"{row[0] or 'nobody'} {row[1]}")
def test_only_members_see_and_change_their_team(cast: Cast, row: Any) -> None:
    who, scopes, *expected = row
    client = caller(getattr(cast, who, None), scopes)
    got = [
        client.get(TEAM).status_code,
        patch(client, TEAM, {"name": f"New name of {who}"}).status_code,
        post(client, f"{TEAM}/code").status_code,
        post(client, f"{TEAM}/leave").status_code,
        post(client, f"{API}/teams/join", {"code": "nonsense"}).status_code,
        post(client, f"{API}/teams", {"name": "One more"}).status_code,
    ]
    assert got == expected


def test_a_team_enters_and_is_joined(cast: Cast) -> None:
    client = program(cast.zoe, "team")
    answer = post(client, f"{API}/teams", {"name": "  Night   Owls ", "school": "Utah"})
    assert answer.status_code == 201, answer.content
    team = Team.objects.get(name="Night Owls")
    assert answer["Location"] == f"{API}/teams/{team.pk}"
    assert (answer.json()["state"], answer.json()["school"]) == ("approved", "Utah")
    told = client.get(TEAM).json()
    assert told["code"] == team.code
    assert [(it["username"], it["is_captain"], it["is_you"]) for it in told["members"]] == [("zoe", True, True)]
    newbie = program(make_user("newbie"), "team")
    joined = post(newbie, f"{API}/teams/join", {"code": f"{team.code[:4]} {team.code[4:].upper()}"})
    assert [it["username"] for it in joined.json()["members"]] == ["zoe", "newbie"]
    assert set(Act.objects.filter(data__team=team.pk).values_list("verb", flat=True)) == {"enter", "join"}


def test_only_what_was_sent_is_changed(cast: Cast) -> None:
    Team.objects.filter(pk=cast.aces.pk).update(school="Utah")
    told = patch(program(cast.bob, "team"), TEAM, {"name": "Four Aces"}).json()
    assert (told["name"], told["school"]) == ("Four Aces", "Utah")
    assert patch(program(cast.bob, "team"), TEAM, {"school": ""}).json()["school"] == ""
    assert patch(program(cast.bob, "team"), TEAM, {"name": "clubs"}).status_code == 409
    cast.aces.refresh_from_db()
    assert (cast.aces.name, cast.aces.school) == ("Four Aces", "")


def test_the_captain_manages_the_team(cast: Cast) -> None:
    client = program(cast.alice, "team")
    assert client.get(TEAM).json()["way_out"]["act"] == "withdraw"
    assert post(client, f"{TEAM}/withdraw").json()["state"] == "withdrawn"
    assert post(client, f"{TEAM}/withdraw").status_code == 409
    assert client.get(TEAM).json()["way_out"]["act"] == "reenter"
    assert post(client, f"{TEAM}/reenter").json()["state"] == "approved"
    code = post(client, f"{TEAM}/code").json()["code"]
    assert code != cast.aces.code
    cast.aces.refresh_from_db()
    assert code == cast.aces.code
    bob = cast.aces.memberships.get(user=cast.bob)
    carl = cast.clubs.memberships.get()
    assert post(client, f"{TEAM}/members/{carl.pk}/remove").status_code == 404
    made = post(client, f"{TEAM}/members/{bob.pk}/captain").json()
    assert [(it["username"], it["is_captain"]) for it in made["members"]] == [("bob", True), ("alice", False)]
    for act in ("withdraw", "reenter", "code", f"members/{bob.pk}/captain", f"members/{bob.pk}/remove"):
        assert post(client, f"{TEAM}/{act}").status_code == 403
    alice = cast.aces.memberships.get(user=cast.alice)
    assert post(program(cast.bob, "team"), f"{TEAM}/members/{alice.pk}/remove").status_code == 200
    assert client.get(TEAM).status_code == 403


def test_a_code_invites_to_a_private_contest(cast: Cast) -> None:
    Contest.objects.update(visibility=Contest.Visibility.PRIVATE)
    client = program(cast.zoe, *ALL)
    for address in (TEAM, f"{API}/rules", f"{API}/questions"):
        assert client.get(address).status_code == 404
    assert post(client, f"{API}/teams", {"name": "Owls"}).status_code == 404
    assert post(client, f"{API}/teams/join", {"code": "abcdefgh"}).status_code == 404
    assert post(client, f"{API}/teams/join", {"code": cast.clubs.code}).status_code == 200
    assert client.get(TEAM).json()["name"] == "Clubs"
