"""What all addresses of the API share: tokens and scopes, problems, caching, repeated requests, paging, limits."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from contest import contests
from contest.models import Act, AnsweredRequest, ApiToken, Contest, Team, User
from tests.cast import Cast, make_team
from tests.programs import ALL, post, program
from tests.tournaments.visitors import visitor

# Tokens ---------------------------------------------------------------------------------------------------------------


def test_a_token_is_stored_as_a_digest_alone(cast: Cast) -> None:
    row, token = ApiToken.issue(cast.alice, "laptop", ["bot"])
    stored = json.dumps(list(ApiToken.objects.values()), default=str)
    assert token not in stored
    assert token.startswith(row.beginning)
    assert ApiToken.find(token) == row


def test_a_token_works_until_it_expires_or_is_revoked(cast: Cast) -> None:
    row, token = ApiToken.issue(cast.alice, "laptop", [], timedelta(hours=1))
    client = Client(headers={"authorization": f"Bearer {token}"})
    assert client.get("/api/v1/me").json()["username"] == "alice"
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert client.get("/api/v1/me").status_code == 401
    ApiToken.objects.update(expires_at=None)
    assert client.get("/api/v1/me").status_code == 200
    row.revoke()
    refused = client.get("/api/v1/me")
    assert refused.status_code == 401
    assert refused["WWW-Authenticate"].startswith("Bearer")


def test_a_token_of_a_closed_account_does_not_work(cast: Cast) -> None:
    client = program(cast.alice)
    User.objects.filter(pk=cast.alice.pk).update(is_active=False)
    assert client.get("/api/v1/me").status_code == 401


def test_a_wrong_token_is_refused_even_where_none_is_needed(cast: Cast) -> None:
    assert Client(headers={"authorization": "Bearer kibitz_nonsense"}).get("/api/v1/contests").status_code == 401


@pytest.mark.parametrize("scopes", [(), ("bot",), ("team",), ("desk",), ALL])
def test_a_token_has_no_rights_but_those_of_its_scopes(cast: Cast, scopes: tuple[str, ...]) -> None:
    told = program(cast.ada, *scopes).get("/api/v1/contests/spring-cup").json()
    assert told["your_role"] == ("owner" if "desk" in scopes else "")
    told = program(cast.alice, *scopes).get("/api/v1/contests/spring-cup").json()
    assert told["your_team"] == (cast.aces.pk if {"bot", "team"} & set(scopes) else None)
    assert program(cast.root, *scopes).get("/api/v1/contests/spring-cup").json()["your_role"] == (
        "administrator" if "desk" in scopes else ""
    )


@pytest.mark.parametrize("scopes", [(), ("bot",), ("desk",)])
def test_a_private_contest_is_there_only_for_scopes_that_belong_to_it(cast: Cast, scopes: tuple[str, ...]) -> None:
    Contest.objects.update(visibility=Contest.Visibility.PRIVATE)
    for user, needed in ((cast.alice, "bot"), (cast.ada, "desk"), (cast.zoe, None)):
        client, found = program(user, *scopes), 200 if needed in scopes else 404
        assert client.get("/api/v1/contests/spring-cup").status_code == found
        listed = [line["slug"] for line in client.get("/api/v1/contests").json()["results"]]
        assert listed == (["spring-cup"] if found == 200 else [])


def test_a_program_can_ask_for_the_public_view(cast: Cast) -> None:
    client = program(cast.ada, "desk")
    pending = make_team(cast.contest)
    Team.objects.filter(pk=pending.pk).update(state=Team.State.PENDING)
    address = f"/api/v1/contests/spring-cup/teams/{pending.pk}"
    assert (client.get(address).status_code, client.get(f"{address}?as=public").status_code) == (200, 404)
    assert client.get(address).status_code == 200  # it does not last, as it does in a browser
    assert not client.cookies


# Problems -------------------------------------------------------------------------------------------------------------


def test_errors_are_problems_with_a_sentence(cast: Cast) -> None:
    for answer, status, code in (
        (Client().get("/api/v1/contests/nowhere"), 404, "not_found"),
        (Client().get("/api/v1/nowhere"), 404, "not_found"),
        (Client().get("/api/v2"), 404, "not_found"),
        (Client(enforce_csrf_checks=True).post("/api/v1/nowhere"), 404, "not_found"),
        (Client().get("/api/v1/me"), 401, "not_authenticated"),
        (Client().delete("/api/v1/contests"), 405, "method_not_allowed"),
        (post(program(cast.alice, *ALL), "/api/v1/contests", {}), 403, "forbidden"),
        (post(program(cast.root), "/api/v1/contests", {}), 403, "forbidden"),
        (post(program(cast.root, "desk"), "/api/v1/contests", {}), 422, "invalid"),
        (program(cast.root, "desk").post("/api/v1/contests", "{", "application/json"), 400, "parse_error"),
        (program(cast.root, "desk").post("/api/v1/contests", "<a/>", "text/xml"), 415, "unsupported_media_type"),
        (Client().get("/api/v1/contests?cursor=x"), 400, "bad_cursor"),
    ):
        assert answer["Content-Type"] == "application/problem+json", answer.content
        told = answer.json()
        assert (answer.status_code, told["status"], told["code"]) == (status, status, code), told
        assert told["detail"]


def test_what_is_far_too_large_is_refused_before_it_is_read(cast: Cast, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    client = program(cast.root, "desk")
    for headers in ({}, {"Idempotency-Key": "a-1"}):
        refused = post(client, "/api/v1/contests", {"name": "x" * 1000}, **headers)
        assert (refused.status_code, refused.json()["code"]) == (413, "too_large")
    for sender in (client, visitor(cast.root)):
        refused = sender.post("/api/v1/contests", {"name": "x" * 1000}, headers={"Idempotency-Key": "a-2"})
        assert refused.status_code == 413


def test_a_wrong_field_is_named_in_the_words_of_the_page(cast: Cast) -> None:
    wrong = {"name": "Cup", "preset": "hearts:mactech-1998", "memory_mb": 1}
    told = post(program(cast.root, "desk"), "/api/v1/contests", wrong).json()
    assert [each["field"] for each in told["errors"]] == ["memory_mb"]
    assert "needs at least" in told["errors"][0]["detail"]
    assert not Contest.objects.filter(name="Cup").exists()


@pytest.mark.parametrize("moment", [-1, 1.5, {}, True])
def test_a_value_of_another_kind_is_wrong_and_no_fault_of_ours(cast: Cast, moment: object) -> None:
    told = post(program(cast.ada, "desk"), "/api/v1/contests/spring-cup/desk/freeze", {"at": moment})
    assert (told.status_code, told.json()["errors"][0]["field"]) == (422, "at")


def test_half_a_surrogate_pair_is_not_valid_text(cast: Cast) -> None:
    sent = {"name": "Half \ud800"}
    told = post(program(cast.zoe, "team"), "/api/v1/contests/spring-cup/teams", sent)
    assert (told.status_code, told.json()["code"]) == (400, "parse_error")
    assert "surrogate" in told.json()["detail"]


# Creating -------------------------------------------------------------------------------------------------------------


def test_a_contest_is_created_as_its_preset_says(cast: Cast) -> None:
    wanted = {"name": "Cup", "preset": "hearts:mactech-1998", "team_size": 3}
    answer = post(program(cast.root, "desk"), "/api/v1/contests", wanted)
    assert answer.status_code == 201, answer.content
    contest = Contest.objects.get(slug=answer.json()["slug"])
    assert answer["Location"] == f"/api/v1/contests/{contest.slug}"
    assert (contest.game_slug, contest.preset, contest.team_size) == ("hearts", "mactech-1998", 3)
    assert contest.stages.exists()
    assert contest.roles.get().user == cast.root


# Sent again -----------------------------------------------------------------------------------------------------------


def test_a_post_with_a_key_acts_once(cast: Cast) -> None:
    client, wanted = program(cast.root, "desk"), {"name": "Cup", "preset": "hearts:mactech-1998"}
    key = {"Idempotency-Key": "a-1"}
    first, second = (post(client, "/api/v1/contests", wanted, **key) for _ in range(2))
    assert first.status_code == second.status_code == 201
    assert first.json() == second.json()
    assert second["Location"] == first["Location"]
    assert second["Idempotency-Replayed"] == "true"
    assert Contest.objects.filter(name="Cup").count() == 1
    other = post(client, "/api/v1/contests", {**wanted, "name": "Another"}, **key)
    assert (other.status_code, other.json()["code"]) == (409, "key_used")
    assert post(client, "/api/v1/contests", wanted, **{"Idempotency-Key": "a-2"}).status_code == 201
    assert Contest.objects.filter(name="Cup").count() == 2


def test_a_failure_of_ours_leaves_neither_the_act_nor_the_key(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the machine stops here")

    monkeypatch.setattr("contest.api.contests.contest_body", fail)
    client = program(cast.root, "desk")
    client.raise_request_exception = False
    acts = Act.objects.count()
    wanted = {"name": "Cup", "preset": "hearts:mactech-1998"}
    told = post(client, "/api/v1/contests", wanted, **{"Idempotency-Key": "a-1"})
    assert (told.status_code, told["Content-Type"], told.json()["code"]) == (500, "application/problem+json", "fault")
    assert not AnsweredRequest.objects.exists()
    assert not Contest.objects.filter(name="Cup").exists()
    assert Act.objects.count() == acts


@contextmanager
def locked(table: str) -> Iterator[None]:
    """Nobody can write to this table."""

    def refuse(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if table in sql and not sql.startswith("SELECT"):
            raise OperationalError("database is locked")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        yield


@pytest.mark.django_db(transaction=True)
def test_while_the_database_is_busy_reading_goes_on_and_writing_may_be_tried_again(cast: Cast) -> None:
    client = program(cast.root, "desk")
    with locked("contest_apitoken"):
        assert client.get("/api/v1/me").status_code == 200
    wanted = {"name": "Cup", "preset": "hearts:mactech-1998"}
    with locked("contest_contest"):
        busy = post(client, "/api/v1/contests", wanted)
    assert (busy.status_code, busy.json()["code"], busy["Retry-After"]) == (503, "busy", "5")
    assert post(client, "/api/v1/contests", wanted).status_code == 201


# Caching and paging ---------------------------------------------------------------------------------------------------


def test_an_unchanged_answer_is_not_sent_again(cast: Cast) -> None:
    first = Client().get("/api/v1/contests/spring-cup")
    again = Client().get("/api/v1/contests/spring-cup", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == first["ETag"]
    contests.edit(cast.contest, cast.ada, {"blurb": "Now with a blurb"})
    changed = Client().get("/api/v1/contests/spring-cup", headers={"If-None-Match": first["ETag"]})
    assert (changed.status_code, changed.json()["blurb"]) == (200, "Now with a blurb")


def test_a_list_comes_in_pieces_that_repeat_and_miss_nothing(cast: Cast) -> None:
    for _ in range(7):
        make_team(cast.contest)
    address, names = "/api/v1/contests/spring-cup/teams?limit=4", []
    while address:
        told = Client().get(address).json()
        names += [team["name"] for team in told["results"]]
        address = told["next"]
    assert names == list(cast.contest.teams.order_by("pk").values_list("name", flat=True))


def test_teams_that_wait_for_approval_are_for_themselves_and_the_desk(cast: Cast) -> None:
    Team.objects.filter(pk=cast.aces.pk).update(state=Team.State.PENDING)
    address = "/api/v1/contests/spring-cup/teams"
    for client, sees in (
        (Client(), False),
        (program(cast.carl, "team"), False),
        (program(cast.alice), False),
        (program(cast.alice, "team"), True),
        (program(cast.judy, "desk"), True),
    ):
        assert ("Aces" in [team["name"] for team in client.get(address).json()["results"]]) is sees
        assert client.get(f"{address}/{cast.aces.pk}").status_code == (200 if sees else 404)


# Limits ---------------------------------------------------------------------------------------------------------------


def test_too_many_requests_are_refused_for_a_while(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    rates = {**settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "read": "2/min"}
    monkeypatch.setattr("contest.api.requests.Throttle.THROTTLE_RATES", rates)
    client = program(cast.alice)
    assert [client.get("/api/v1/me").status_code for _ in range(3)] == [200, 200, 429]
    refused = client.get("/api/v1/me")
    assert (refused.json()["code"], int(refused["Retry-After"]) > 0) == ("throttled", True)
    assert program(cast.bob).get("/api/v1/me").status_code == 200  # a limit for each


def test_a_session_needs_the_forms_token_to_change_something(cast: Cast) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(cast.root)
    wanted = {"name": "Cup", "preset": "hearts:mactech-1998"}
    assert post(browser, "/api/v1/contests", wanted).status_code == 403
    assert post(program(cast.root, "desk"), "/api/v1/contests", wanted).status_code == 201


def test_a_cache_that_hangs_costs_less_than_a_second(cast: Cast, settings: Any) -> None:
    """It takes connections and never answers, as a machine that swaps does."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"redis://127.0.0.1:{silent.getsockname()[1]}/1"
        settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": address}}
        assert Client().get("/api/v1/contests/spring-cup").status_code == 200
        options = settings.CACHES["default"]["OPTIONS"]
        assert (options["socket_timeout"], options["socket_connect_timeout"]) == (0.3, 0.3)
        silent.setblocking(False)
        tries = 0
        with suppress(BlockingIOError):
            while True:
                silent.accept()[0].close()
                tries += 1
        assert 1 <= tries <= 3
