"""The API keeps to its schema: whatever anybody sends to any address, the answer is one that the schema announces."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.db.models import Q
from hypothesis import HealthCheck, given, note, settings
from schemathesis.checks import CHECKS, load_all_checks

from contest import contests, questions
from contest.models import ApiToken, Scope
from contest.permissions import Access
from tests.cast import Cast, make_cast
from tests.tournaments import scenes
from tests.tournaments.practice import gym
from tests.tournaments.stagecraft import give_bot
from tournaments import notes
from tournaments.feeds.changes import follow
from tournaments.models import Delivery, Note, PracticeOrder, Review, Stage, Trial
from tournaments.organising import reviews
from tournaments.practice import orders, trials
from tournaments.practice.orders import Wish
from tournaments.practice.trials import Question
from tournaments.webhooks import changes

load_all_checks()
PROMISES = CHECKS.get_by_names(
    ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"]
)
EXAMPLES = int(os.environ.get("API_EXAMPLES", "2"))  # of each operation; 20 for a long search
WITH_A_ROLE = ("judy", "olga")  # the others are turned away from the desk, whatever they send
READERS = ("nobody", "alice", "carl", "judy", "olga")  # a stranger, a member, a rival, a judge, an organiser


@pytest.fixture
def cast(db: None) -> Cast:
    found = make_cast(options={"target": 5})
    scenes.arm(found.aces, found.clubs)
    stage = scenes.stage_of(found.contest)
    scenes.play_match(stage.matches.get())
    reviews.start(stage, found.ada, "The clock was wrong.", stage.matches.values_list("pk", flat=True))
    contests.announce(found.contest, found.ada, "Welcome")
    questions.ask(found.aces, found.bob, "Ties", "Who wins one?")
    gym.play_with_house(orders.place(found.aces, found.alice, Wish(games=1)))
    give_bot(found.aces, number=2, active=False)
    gym.play_with_house(trials.place(found.aces, found.alice, Question(2, 1, 0.0, 5.0, cap=12)).order, most=4)
    place = notes.Place(found.contest, match=stage.matches.order_by("pk")[0])
    notes.write(Access(found.contest, role="owner"), found.ada, place, notes.Wish("Why?", "public", 3, "Round 1"))
    follow(found.alice, "contest", found.contest.pk)
    for team, by in ((found.aces, found.alice), (None, found.ada)):
        changes.test(changes.create(found.contest, team, by, "https://example.org/", []), by)
    changes.test(changes.create_for(found.alice, "https://example.org/", []), found.alice)
    return found


@contextmanager
def undone() -> Iterator[None]:
    """What is done in here has not happened afterwards, so that every request finds the same contest."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def one_connection() -> Iterator[None]:
    """As Django's own test client does: requests share the connection, and the transaction, of the test."""
    ends = (request_started, request_finished)
    for end in ends:
        end.disconnect(close_old_connections)
    yield
    for end in ends:
        end.connect(close_old_connections)


def known_values(cast: Cast) -> dict[str, dict[str, Any]]:
    """Things that exist, by parameter: for addresses of a team's webhooks, of a follower's, and for all others."""
    stage = Stage.objects.earliest("pk")
    found: dict[str, Any] = {"slug": cast.contest.slug, "team_id": cast.aces.pk, "name": "c", "question_id": 1}
    found |= {"role_id": cast.contest.roles.get(user=cast.judy).pk, "file": "standings.json", "announcement_id": 1}
    found |= {"stage_id": stage.pk, "match_id": stage.matches.earliest("pk").pk, "game": 1, "number": 1}
    found |= {"review_id": Review.objects.earliest("pk").pk, "trial_id": Trial.objects.get().pk}
    found["note_id"] = Note.objects.get().pk
    found["order_id"] = PracticeOrder.objects.earliest("pk").pk
    owners = {"team": Q(webhook__team__isnull=False), "following": Q(webhook__contest=None)}
    owners["all"] = ~owners["team"] & ~owners["following"]
    messages = {whose: Delivery.objects.get(which) for whose, which in owners.items()}
    return {whose: found | {"webhook_id": it.webhook_id, "delivery_id": it.pk} for whose, it in messages.items()}


@pytest.fixture
def schema(cast: Cast, one_connection: None) -> Any:
    found = schemathesis.openapi.from_wsgi("/api/v1/schema", get_wsgi_application())
    values = known_values(cast)

    @found.hook("map_path_parameters")
    def real(context: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
        """Most of the time, things that exist: a stranger's guess is a 404 everywhere."""
        path = context.operation.path
        known = values[next((whose for whose in ("team", "following") if f"/{whose}/" in path), "all")]
        return path_parameters and {**path_parameters, **{it: known[it] for it in path_parameters if it in known}}

    @found.hook("filter_query")
    def first_page(context: Any, query: dict[str, Any] | None) -> bool:
        """Every made-up cursor is refused alike."""
        return "cursor" not in (query or {})

    return found


def headers_of(cast: Cast, who: str) -> dict[str, str]:
    plain = {"Accept-Encoding": "identity"}  # schemathesis does not unpack what a WSGI application compressed
    if who == "nobody":
        return plain
    return plain | {"Authorization": f"Bearer {ApiToken.issue(getattr(cast, who), 'test', Scope.values)[1]}"}


@pytest.mark.parametrize("every", [40, pytest.param(1, marks=pytest.mark.long("fuzz"))])
def test_every_answer_is_one_that_the_schema_announces(cast: Cast, schema: Any, every: int) -> None:
    """Every reader sends the same requests, because making one up costs as much as answering it. By default, to one
    operation in forty."""
    headers = {who: headers_of(cast, who) for who in READERS}
    statuses = {who: Counter[int]() for who in READERS}
    asked = Counter[str]()
    for operation in islice((found.ok() for found in schema.get_all_operations()), 0, None, every):

        @settings(max_examples=EXAMPLES, database=None, suppress_health_check=list(HealthCheck), deadline=None)
        @given(case=operation.as_strategy())
        def check(case: Any) -> None:
            label = case.operation.label
            asked[label] += 1
            for who in READERS:
                if asked[label] == 1 or who in WITH_A_ROLE or "/desk/" not in case.operation.path:
                    note(f"as {who}")
                    with undone():
                        answer = case.call_and_validate(headers=headers[who], checks=PROMISES)
                    statuses[who][answer.status_code] += 1

        check()
    for who, counted in statuses.items():
        assert counted[200] > 20 // every, f"{who} was turned away at the door: {counted}"
