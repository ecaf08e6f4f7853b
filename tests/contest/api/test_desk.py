"""The desk for programs: settings, roles, teams, lists of teams, news, the audit log."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.datastructures import MultiValueDict

from contest import contests, questions
from contest.api.forms import filled, is_true
from contest.models import Contest, Role, Team
from tests.cast import Cast, make_team, make_user
from tests.programs import caller, count_queries, patch, post, program
from tournaments.api.desk.stage_acts import DecidesForm

pytestmark = pytest.mark.promise

API = "/api/v1/contests/spring-cup"
DESK = f"{API}/desk"


@pytest.fixture
def olga(cast: Cast) -> Client:
    return program(cast.olga, "desk")


# Person, scopes of the token (None: logged in to the portal), and the status of: reading settings, changing them,
# reading the joining codes, a dry run of a list of teams, adding a team, giving a role, giving up one's role.
RIGHTS = [
    ("", "", 401, 401, 401, 401, 401, 401, 401),
    ("zoe", "desk", 403, 403, 403, 403, 403, 403, 403),
    ("alice", "team bot desk", 403, 403, 403, 403, 403, 403, 403),
    ("ada", "team bot", 403, 403, 403, 403, 403, 403, 403),
    ("judy", "desk", 200, 403, 403, 403, 403, 403, 204),
    ("judy", None, 200, 403, 403, 403, 403, 403, 204),
    ("olga", "desk", 200, 200, 200, 200, 201, 403, 204),
    ("olga", None, 200, 200, 200, 200, 201, 403, 204),
    ("ada", "desk", 200, 200, 200, 200, 201, 201, 409),
    ("root", "desk", 200, 200, 200, 200, 201, 201, 404),
]


@pytest.mark.parametrize("row", RIGHTS, ids=lambda row: f"{row[0] or 'nobody'} {row[1]}")
def test_roles_have_the_rights_that_they_have_on_the_pages(cast: Cast, row: Any) -> None:
    who, scopes, *expected = row
    client = caller(getattr(cast, who, None), scopes)
    got = [
        client.get(f"{DESK}/settings").status_code,
        patch(client, f"{DESK}/settings", {"blurb": f"By {who}"}).status_code,
        client.get(f"{DESK}/teams/codes").status_code,
        post(client, f"{DESK}/teams/import?dry_run=true", {"text": "Owls"}).status_code,
        post(client, f"{DESK}/teams", {"name": "Owls"}).status_code,
        post(client, f"{DESK}/roles", {"who": "zoe", "role": "judge"}).status_code,
        post(client, f"{DESK}/roles/leave").status_code,
    ]
    assert got == expected


def test_a_dry_run_is_never_taken_for_the_action(cast: Cast, olga: Client) -> None:
    """Where there is no preview, where it is said twice, and where nobody can tell what was meant."""
    for address, sent in (("end?dry_run=true", {}), ("end", {"dry_run": True}), ("end?dry_run=1", {"dry_run": False})):
        refused = post(olga, f"{DESK}/{address}", {"reason": "It is late.", **sent})
        assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "dry_run")
    assert post(olga, f"{DESK}/end", {"reason": "It is late.", "dry_run": "perhaps"}).status_code == 422
    cast.contest.refresh_from_db()
    assert cast.contest.ended_at is None
    assert post(olga, f"{DESK}/end", {"reason": "It is late.", "dry_run": False}).status_code == 200


# The contest ----------------------------------------------------------------------------------------------------------


def test_settings_keep_what_was_not_sent(cast: Cast, olga: Client) -> None:
    before = olga.get(f"{DESK}/settings").json()
    after = patch(olga, f"{DESK}/settings", {"visibility": "private", "languages": ["c"]}).json()
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"visibility", "languages"} | ({"lacking"} if before["lacking"] != after["lacking"] else set())
    assert cast.contest.acts.filter(verb="change settings", user=cast.olga).count() == 1
    refused = patch(olga, f"{DESK}/settings", {"memory_mb": 1})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "memory_mb")


def test_options_of_the_game_change_one_by_one(cast: Cast, olga: Client) -> None:
    at_first = cast.contest.full_options()
    told = patch(olga, f"{DESK}/settings", {"options": {"target": 42}}).json()
    assert told["options"] == {**at_first, "target": 42}
    cast.contest.refresh_from_db()
    assert cast.contest.options == {"target": 42}
    for wrong in ({"target": "many"}, {"tarmac": 1}, [1], "x"):
        refused = patch(olga, f"{DESK}/settings", {"options": wrong})
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid"), wrong
        assert refused.json()["errors"][0]["field"].startswith("options")
    assert patch(olga, f"{DESK}/settings", {"options": {"target": None}}).json()["options"] == at_first


def test_a_contest_ends_reopens_and_is_deleted(cast: Cast, olga: Client) -> None:
    assert post(olga, f"{DESK}/end", {}).status_code == 422
    assert post(olga, f"{DESK}/end", {"reason": "Over."}).json()["phase"] == "ended"
    again = post(olga, f"{DESK}/end", {"reason": "Over."})
    assert (again.status_code, again.json()["detail"]) == (409, "This contest has already ended.")
    assert post(olga, f"{DESK}/reopen", {"reason": "Not yet."}).json()["ended_at"] is None
    owner = program(cast.ada, "desk")
    assert post(olga, f"{DESK}/delete", {"name": "Spring Cup"}).status_code == 403
    assert post(owner, f"{DESK}/delete", {"name": "Spring"}).status_code == 422
    assert post(owner, f"{DESK}/delete", {"name": "Spring Cup"}).status_code == 409
    Team.objects.all().delete()
    assert post(owner, f"{DESK}/delete", {"name": "Spring Cup"}).status_code == 204
    assert not Contest.objects.exists()


# Teams ----------------------------------------------------------------------------------------------------------------


def test_the_waiting_are_approved_or_refused(cast: Cast, olga: Client) -> None:
    waiting = [make_team(cast.contest) for _ in range(4)]
    Team.objects.filter(pk__in=[it.pk for it in waiting]).update(state=Team.State.PENDING)
    first, second, *others = (it.pk for it in waiting)
    assert post(olga, f"{DESK}/teams/{first}/approve").json()["state"] == "approved"
    refused = post(olga, f"{DESK}/teams/{second}/refuse", {"reason": "Too late."}).json()
    assert (refused["state"], refused["state_reason"]) == ("refused", "Too late.")
    assert post(olga, f"{DESK}/teams/{second}/refuse").status_code == 409
    assert post(olga, f"{DESK}/teams/approve-waiting", {"teams": [first, others[0]]}).json() == {"count": 1}
    assert post(olga, f"{DESK}/teams/refuse-waiting", {"teams": others}).json() == {"count": 1}
    for wrong in ({}, {"teams": []}, {"teams": ["x"]}, {"teams": [-1]}):
        assert post(olga, f"{DESK}/teams/refuse-waiting", wrong).status_code == 422


def test_a_list_of_teams_is_imported_as_a_whole_or_not_at_all(cast: Cast, olga: Client) -> None:
    wrong = {"text": "team,seed\nOwls,1\nAces,2\nLarks,0"}
    tried = post(olga, f"{DESK}/teams/import", {**wrong, "dry_run": True}).json()
    assert [bool(it["problems"]) for it in tried["lines"]] == [False, True, True]
    refused = post(olga, f"{DESK}/teams/import", wrong)
    assert refused.status_code == 422
    assert [(it["field"], it["detail"]) for it in refused.json()["errors"]] == [
        (f"line {it['line']}", problem) for it in tried["lines"] for problem in it["problems"]
    ]
    good = {"text": "team,seed\nOwls,1\nLarks,2"}
    assert post(olga, f"{DESK}/teams/import", {**good, "dry_run": True}).json()["entered"] == 0
    assert Team.objects.count() == 2
    done = post(olga, f"{DESK}/teams/import", good).json()
    assert (done["entered"], Team.objects.count()) == (2, 4)
    assert {it["code"] for it in done["lines"]} == set(Team.objects.filter(seed__gt=0).values_list("code", flat=True))
    file = SimpleUploadedFile("teams.csv", "name;school\nFinches;Münster".encode("cp1252"))
    assert olga.post(f"{DESK}/teams/import", {"file": file}).json()["lines"][0]["school"] == "Münster"
    codes = olga.get(f"{DESK}/teams/codes").json()["results"]
    assert [it["team"] for it in codes] == ["Owls", "Larks", "Aces", "Clubs", "Finches"]
    assert Client().get(codes[0]["link"]).status_code in (200, 302)


# News -----------------------------------------------------------------------------------------------------------------


def test_a_question_is_answered_by_whoever_has_seen_the_answer(cast: Cast, olga: Client) -> None:
    asked = questions.ask(cast.aces, cast.bob, "Ties", "Who wins one?")
    address = f"{DESK}/questions/{asked.pk}"
    (waiting,) = olga.get(f"{DESK}/questions?state=waiting").json()["results"]
    assert (waiting["team"], waiting["asked_by"], waiting["is_notice"]) == ("Aces", "bob", False)
    told = post(olga, f"{address}/answer", {"answer": "Both.", "to_all": True}).json()
    assert (told["answered_by"], told["to_all"]) == ("olga", True)
    stale = post(program(cast.ada, "desk"), f"{address}/answer", {"answer": "Nobody."})
    assert stale.status_code == 409
    assert "olga" in stale.json()["detail"]
    seen = olga.get(address).json()["answered_at"]
    assert post(olga, f"{address}/answer", {"answer": "Nobody.", "seen": seen}).json()["to_all"] is False
    assert post(olga, f"{address}/answer", {"answer": "x", "seen": "yesterday"}).status_code == 422


# The audit log --------------------------------------------------------------------------------------------------------


def test_as_many_queries_for_many_as_for_few(cast: Cast, olga: Client) -> None:
    addresses = [f"{DESK}/{it}" for it in ("teams", "teams/codes", "questions", "audit-log", "roles", "settings")]

    def more() -> None:
        for _ in range(4):
            team = make_team(cast.contest, members=(make_user(),))
            questions.tell(team, cast.olga, "Late", "Be quick.")
            contests.give_role(cast.contest, cast.ada, make_user(), Role.Kind.JUDGE)

    more()
    olga.get(addresses[0])
    few = [count_queries(olga, address) for address in addresses]
    more()
    assert [count_queries(olga, address) for address in addresses] == few
    assert max(few) <= 8


@pytest.mark.parametrize(("sent", "means"), [("true", 1), (1, 1), ("on", 1), ("0", 0), (0, 0), ("no", 0), ("", 0)])
def test_true_and_false_are_the_same_words_wherever_they_are_sent(sent: object, means: int) -> None:
    form = DecidesForm(MultiValueDict({"decides": [sent]}))
    assert (filled(form)["decides"], is_true("decides", sent)) == (bool(means), bool(means))
