"""Practice over the API: order, follow, cancel, read; with which tokens."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from contest import contests
from contest.models import Contest, Role, Scope, Team
from tests.cast import make_user
from tests.programs import count_queries, post, program
from tests.tournaments.practice.gym import gym, order, play_all
from tests.tournaments.visitors import visitor
from tournaments.models import PracticeGame, PracticeOrder

pytestmark = pytest.mark.django_db


def of(team: Team, *scopes: str) -> Client:
    return program(team.people()[0].user, *(scopes or ("bot",)))


def address(contest: Contest, *more: object) -> str:
    return "/".join(map(str, (f"/api/v1/contests/{contest.slug}/practice", *more)))


def test_from_the_order_to_the_figures() -> None:
    contest, (team, other) = gym()
    client = of(team)
    wish = {"version": 1, "opponents": [f"team:{other.pk}", "house:random"], "games": 4, "seed": 9}
    answer = post(client, address(contest), wish, **{"Idempotency-Key": "a-1"})
    assert answer.status_code == 202, answer.content
    again = post(client, address(contest), wish, **{"Idempotency-Key": "a-1"})
    assert again.json() == answer.json()
    placed = PracticeOrder.objects.get()
    assert answer["Location"] == address(contest, placed.pk)
    body = answer.json()
    assert (body["state"], body["games"], body["played"], body["waiting"]) == ("open", 4, 0, 4)
    assert [it["key"] for it in body["opponents"]] == [f"team:{other.pk}", "house:random", f"team:{other.pk}"]
    assert body["figures"]["win_rate"] is None
    play_all()
    body = client.get(answer["Location"]).json()
    assert (body["state"], body["played"], body["waiting"]) == ("done", 4, 0)
    found, games = body["figures"], body["game_list"]
    assert found["games"] == 4
    assert found["win_rate"] == pytest.approx(sum(game["won"] for game in games) / 4)
    assert found["points"] == pytest.approx(sum(game["points"] for game in games) / 4)
    assert found["win_low"] <= found["win_rate"] <= found["win_high"]
    assert [it["title"] for it in found["by_opponent"]] == ["Clubs", "House: random"]
    assert [game["seat"] for game in games] == [0, 1, 2, 3]
    assert [game["seed"] for game in games] == [9, 10, 11, 12]
    record = client.get(games[2]["record"]).json()
    assert record["result"]["scores"] == [it["points"] for it in games[2]["results"]]
    assert [it["name"] for it in record["seats"]] == [it["player"] for it in games[2]["results"]]
    assert client.get(games[0]["log"]).content
    assert client.get(games[0]["stderr"]).json() == []
    (line,) = client.get(address(contest)).json()["results"]
    assert (line["id"], line["played"]) == (placed.pk, 4)
    assert line["win_rate"] == pytest.approx(found["win_rate"])


def test_cancelling() -> None:
    contest, (team, other) = gym()
    placed = order(team, games=3)
    cancel = address(contest, placed.pk, "cancel")
    assert post(of(other), cancel).status_code == 404
    body = post(of(team), cancel).json()
    assert (body["state"], body["waiting"]) == ("cancelled", 0)
    assert post(of(team), cancel).status_code == 409


def test_who_may_read_and_act() -> None:
    contest, (team, other) = gym()
    owner, judge = contest.roles.get().user, make_user()
    contests.give_role(contest, owner, judge, Role.Kind.JUDGE)
    placed = order(team, games=1)
    play_all()
    mine, everybody = address(contest, placed.pk), address(contest)
    rows: list[tuple[Any, tuple[str, ...], int]] = [
        (team, ("bot",), 200),
        (team, ("team",), 403),
        (team, ("desk",), 404),
        (team, (), 403),
        (other, ("bot",), 404),
        (owner, ("desk",), 200),
        (judge, ("desk",), 200),
        (owner, ("bot",), 404),
        (owner, ("team",), 403),
        (make_user(), tuple(Scope.values), 404),
    ]
    for who, scopes, status in rows:
        user = who.people()[0].user if isinstance(who, Team) else who
        client = program(user, *scopes)
        for part in ("", "/games/1/record", "/games/1/log", "/games/1/stderr"):
            assert client.get(mine + part).status_code == status, (user, scopes, part)
    assert Client().get(mine).status_code == 401
    assert visitor(team.people()[0].user).get(mine).status_code == 200
    asked = f"{everybody}?team={team.pk}"
    assert [program(owner, scope).get(asked).status_code for scope in ("desk", "bot", "team")] == [200, 403, 403]
    assert of(other).get(asked).status_code == 403
    assert of(other, "bot", "desk").get(asked).status_code == 404
    assert post(program(judge, "desk"), f"{mine}/cancel").status_code == 403
    assert post(program(owner, "desk"), everybody, {"games": 1}).status_code == 403
    assert PracticeOrder.objects.count() == 1


def test_queries_do_not_grow() -> None:
    contest, (team, _) = gym()
    client, counts = of(team), []
    for number in (1, 2):
        placed = order(team, games=number)
        play_all()
        if number == 2:
            PracticeGame.objects.filter(order=placed, number=1).update(faults=1)
        client.get(address(contest))
        counts.append([count_queries(client, at) for at in (address(contest), address(contest, placed.pk))])
    assert counts[0] == counts[1], json.dumps(counts)
