"""What goes over the wire to those who follow a casual game: each seat its own view, and strangers no cards at all."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore

from contest.broadcast.channel import Channel, read
from contest.broadcast.publish import store
from contest.replay.dom import Nodes
from tests.contest.server.served import Server
from tests.film_reader import Reader
from tests.tournaments.casual.parlour import ServerProcess, decide, table, wait_until_asked
from tests.waiting import wait_for
from tournaments.casual import moves
from tournaments.models import CasualGame, CasualSeat

pytestmark = [pytest.mark.long("worlds"), pytest.mark.promise, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def web(portal_env: dict[str, str]) -> Iterator[Server]:
    environment = os.environ | portal_env | {"ALLOWED_HOSTS": "localhost"}
    server = Server(settings.VAR_DIR / "casual_web.log", environment=environment)
    yield server
    server.stop()


def cookie_of(game: CasualGame, seat: CasualSeat) -> str:
    session = SessionStore()
    session["casual_keys"] = {str(game.pk): seat.key}
    session.create()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def published(game: CasualGame) -> None:
    """Wait until followers are told the open question, and so everything before it."""
    channel = Channel(game.channel)

    def is_told() -> bool:
        read(store(), channel)
        return game.asked in [note["data"]["number"] for note in channel.notes if note["name"] == "question"]

    wait_for(is_told)


def told_to(web: Server, game: CasualGame, **headers: str) -> str:
    """What somebody is told who begins to follow: all positions, and the notes."""
    status, _, body = web.get(f"/play/{game.pk}/live/?from=0", **headers)
    assert status == 200
    return body.decode()


def drawn(answer: str) -> str:
    """All words of the positions that the film in an answer draws."""
    film = json.loads(answer)["film"]
    nodes, found = Nodes(lambda tag, attributes: attributes), []
    for part in film["tracks"]:
        reader = Reader(film, part, nodes)
        found += [words(nodes, reader.next()) for _ in range(film["length"])]
    return re.sub(" (ten|small|img|legal|now|seen)(?= )", "", "\n".join(found).replace("\n", " "))


def words(nodes: Nodes, number: int) -> str:
    node = nodes[number]
    if isinstance(node, str):
        return node
    return " ".join([*(value for _, value in node.attributes), *(words(nodes, child) for child in node.children)])


def faces(game: CasualGame, cards: Any) -> list[str]:
    """Cards as a table draws them, in the words of `drawn`."""
    return [f" card {face.suit} {face.rank} " for card in cards if (face := game.game.face(card)) is not None]


@pytest.mark.parametrize("slug", ["hearts", "even_steven"])
def test_a_seat_is_sent_its_own_cards_alone_and_a_stranger_none(
    web: Server, casual_server: Callable[..., ServerProcess], slug: str
) -> None:
    casual_server()
    game, seat = table(slug)
    wait_until_asked(game)
    if slug == "hearts":  # the passes are over, and nobody else has seen the cards that seat 0 passed
        decide(game, seat, Random(1))
        wait_until_asked(game)
    published(game)
    now = moves.stand(game)
    (hand,) = [event for event in now.events if event["event"] == "hand"]
    own = moves.open_question(game, seat)["hand"]  # type: ignore[index]
    seen = {event["card"] for event in now.events if "card" in event}
    passed = {card for event in now.events if event["event"] == "pass" for card in event["cards"]}
    hidden = {card for cards in [*hand["hands"][1:], hand.get("stock", [])] for card in cards} - seen - passed - {*own}
    assert hidden
    mine = told_to(web, game, Cookie=cookie_of(game, seat))
    others = told_to(web, game)
    told, public = drawn(mine), drawn(others)
    assert [face for face in faces(game, own) if face not in told] == []
    assert [face for face in faces(game, hidden) if face in told] == []
    assert [face for face in faces(game, {*own, *hidden} - seen) if face in public] == []
    assert "question" in [note["name"] for note in json.loads(mine)["notes"]]
    assert "question" not in [note["name"] for note in json.loads(others)["notes"]]
    secrets = [str(game.seed), game.key, seat.key, *(str(event["seed"]) for event in now.events if "seed" in event)]
    assert [each for each in secrets if each in mine + others] == []
