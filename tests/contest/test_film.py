"""contest.replay.film: what a film shows is what the templates draw, to the node."""

from __future__ import annotations

import json
import random

import pytest

import games
from contest.replay import Replay
from contest.replay.dom import Element
from contest.replay.film import PARTS, Camera, film_of, packed
from games.engine import Game
from games.players import HousePlayer, Seated
from games.record import Record
from games.referee import play
from tests.film_reader import Reader

URL = "/m/7/1/"
NAMES = ("North < High", 'Ünïcødé 🂡 of the "East" & Co', "South Side", "Westward Ho")


SHORT = {"target": 60, "gameEndingScore": 40}  # so that a game has a few rounds, not dozens


def record_of(game: Game, seed: int) -> Record:
    """A game of the house's random players."""
    seats = [Seated(name, "bot.py", HousePlayer(game.house[0])) for name in NAMES[: game.seats[1]]]
    options = game.options({name: value for name, value in SHORT.items() if name in game.options({})})
    return play(game, seats, seed=seed, options=options, preset=game.presets[0].name, games=1).record


EVERY_GAME = [
    pytest.param(game, id=slug, marks=[pytest.mark.long("more")] if slug == "hearts" else [])
    for slug, game in games.GAMES.items()
]


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_ply_of_every_view_is_what_the_server_draws(game: Game) -> None:
    record = record_of(game, random.Random(game.slug).randrange(1, 10**6))
    for view in Replay(record, 1, "table", URL).views:
        replay = Replay(record, 1, view, URL, rules="/rules/")
        film = json.loads(packed(film_of(replay)))
        camera = Camera(replay)
        readers = [Reader(film, part, camera.nodes) for part in PARTS]
        for ply in range(replay.last + 1):
            shot = camera.shoot(ply)
            assert tuple(reader.next() for reader in readers) == shot, (record["seed"], view, ply)
            decision = camera.nodes.parse(replay.draw_decision(replay.step(ply, bare=True), texts=False))
            assert shot[PARTS.index("decision")] == camera.nodes.number(Element("div", (), decision))
        assert "felt" in camera.nodes.html(camera.shoot(replay.last)[PARTS.index("position")])


def test_the_film_of_a_round_shows_the_same() -> None:
    record = record_of(games.get("hearts"), 5)
    for view in ("table", "2"):
        replay = Replay(record, 1, view, URL)
        assert len(replay.rounds) > 2
        for this in replay.rounds[1:3]:
            film = json.loads(packed(film_of(replay, this)))
            camera = Camera(replay)
            readers = [Reader(film, part, camera.nodes) for part in PARTS]
            for ply in range(this.first, this.last + 1):
                assert tuple(reader.next() for reader in readers) == camera.shoot(ply), (view, ply)


def test_a_seats_film_tells_no_more_than_the_seat_knows() -> None:
    """At the first deal, its film has the faces of its own cards and of no others."""
    game = games.get("hearts")
    record = record_of(game, 11)
    hand = next(event for event in record["events"] if event["event"] == "hand")
    hidden = {card for index, cards in enumerate(hand["hands"]) if index for card in cards}
    replay = Replay({**record, "events": record["events"][:2]}, 1, "0", URL)
    text = packed(film_of(replay)).decode()
    film = json.loads(text)
    faces = {(card.suit, card.rank) for card in map(game.face, hidden) if card}
    own = {(face.suit, face.rank) for face in map(game.face, hand["hands"][0]) if face}
    shapes = film["shapes"]
    drawn = {
        (shapes[leaf[0]][shapes[leaf[0]].index("class") + 1].split()[1], leaf[1])
        for leaf in film["leaves"]
        if not isinstance(leaf, str) and len(leaf) == 2 and shapes[leaf[0]][0] == "i"
    }
    assert drawn == own
    assert not drawn & (faces - own)
