"""Announcements, questions and answers for programs."""

from typing import Any

import pytest

from contest import contests, questions
from contest.models import Membership, Question
from tests.cast import Cast
from tests.programs import caller, count_queries, post, program

API = "/api/v1/contests/spring-cup"
QUESTIONS = f"{API}/questions"


@pytest.fixture
def asked(cast: Cast) -> dict[str, int]:
    """Questions of Aces: waiting, answered to them, answered to everyone; and a message to Clubs."""
    waiting, own, public = (questions.ask(cast.aces, cast.bob, it, it) for it in ("waiting", "own", "public"))
    questions.answer(own, cast.olga, "For you.", to_all=False, seen=None)
    questions.answer(public, cast.olga, "For *all*.", to_all=True, seen=None)
    notice = questions.tell(cast.clubs, cast.olga, "notice", "Be quick.")
    return {"waiting": waiting.pk, "own": own.pk, "public": public.pk, "notice": notice.pk}


READERS = [
    ("", "", {"public"}),
    ("zoe", "bot team desk", {"public"}),
    ("alice", "", {"public"}),
    ("alice", "bot", {"public"}),
    ("alice", "desk", {"public"}),
    ("alice", "team", {"waiting", "own", "public"}),
    ("bob", None, {"waiting", "own", "public"}),
    ("carl", "team bot", {"public", "notice"}),
    ("carl", None, {"public", "notice"}),
    ("olga", "desk team", {"public"}),
]


@pytest.mark.parametrize("row", READERS, ids=lambda row: f"{row[0] or 'nobody'} {row[1]}")
def test_a_team_reads_its_own_and_everyone_what_is_public(cast: Cast, asked: dict[str, int], row: Any) -> None:
    who, scopes, expected = row
    client = caller(getattr(cast, who, None), scopes)
    told = client.get(QUESTIONS).json()["results"]
    assert {it["subject"] for it in told} == expected
    for it in told:
        assert it["is_yours"] is ((who, it["subject"]) not in {("carl", "public")} and len(expected) > 1)
        assert bool(it["asked_at"]) is it["is_yours"]
        assert it["asked_by"] in ("", "bob")
    reachable = {subject for subject, pk in asked.items() if client.get(f"{QUESTIONS}/{pk}").status_code == 200}
    assert reachable == expected


def test_reading_by_a_program_leaves_the_news_new_for_people(cast: Cast, asked: dict[str, int]) -> None:
    program(cast.alice, "team").get(QUESTIONS)
    assert Membership.objects.get(user=cast.alice).read_at is None


ASKERS = [
    ("", "", 401),
    ("zoe", "team", 403),
    ("zoe", None, 403),
    ("olga", "team desk", 403),
    ("alice", "bot", 403),
    ("alice", "desk", 403),
    ("alice", "team", 201),
    ("alice", None, 201),
]


@pytest.mark.parametrize("row", ASKERS, ids=lambda row: f"{row[0] or 'nobody'} {row[1]}")
def test_only_members_ask(cast: Cast, row: Any) -> None:
    who, scopes, status = row
    client = caller(getattr(cast, who, None), scopes)
    answer = post(client, QUESTIONS, {"subject": "Ties", "text": "Who wins one?"})
    assert answer.status_code == status
    assert Question.objects.count() == (status == 201)
    if status == 201:
        assert client.get(answer["Location"]).json() == answer.json()
        assert answer.json()["asked_by"] == "alice"


def test_as_many_queries_for_many_as_for_few(cast: Cast, asked: dict[str, int]) -> None:
    client = program(cast.alice, "team")
    contests.announce(cast.contest, cast.ada, "Lunch")
    addresses = (QUESTIONS, f"{API}/announcements")
    client.get(QUESTIONS)
    few = [count_queries(client, address) for address in addresses]
    for number in range(3):
        contests.announce(cast.contest, cast.olga, f"Lunch {number}")
        questions.tell(cast.aces, cast.olga, "notice", "Be quick.")
    assert [count_queries(client, address) for address in addresses] == few
    assert max(few) <= 6
