"""contest.replay.growing: the films of a game in progress show what that of the finished game shows."""

from __future__ import annotations

import json
import random

import pytest

import games
from contest.replay import Replay
from contest.replay.film import Camera, film_of
from contest.replay.growing import Growing, LiveCamera, film_from
from games.engine import Fault, FaultKind, Game
from games.players import HousePlayer, Seated
from games.record import Record
from games.referee import play
from tests.contest.test_film import NAMES, SHORT, URL, record_of
from tests.film_reader import Reader
from tests.tournaments.records import Scripted

SAME = ("where", "caption", "position")
"""The parts that are drawn alike in the end."""


def so_far(record: Record, events: int) -> Record:
    nothing = [0 for _ in record["seats"]]
    result = {"scores": nothing, "places": nothing, "disqualified": []}
    return {**record, "events": record["events"][:events], "result": result}


def growing(record: Record, events: int, view: str) -> Growing:
    return Growing(so_far(record, events), 1, view, URL, (view,))


@pytest.mark.parametrize(
    "slug", [pytest.param(slug, marks=[] if slug == "barracuda" else pytest.mark.long("more")) for slug in games.GAMES]
)
def test_all_of_them_together_are_the_film_of_the_finished_game(slug: str) -> None:
    chance = random.Random(slug)
    record = record_of(games.get(slug), chance.randrange(1, 10**6))
    for view in ("table", "hidden", "0"):
        replay = Replay(record, 1, view, URL)
        nodes, whole = Camera(replay).nodes, json.loads(json.dumps(film_of(replay)))
        finished = {name: Reader(whole, name, nodes) for name in SAME}
        ply = 0
        while ply <= replay.last:
            there = min(replay.last + 1, ply + chance.choice((1, 1, 2, 3, 40)))
            film = json.loads(json.dumps(film_from(growing(record, there, view), ply, 1000)))
            assert (film["from"], film["length"]) == (ply, there - ply)
            readers = {name: Reader(film, name, nodes) for name in LiveCamera.parts}
            for at in range(ply, there):
                trees = {name: reader.next() for name, reader in readers.items()}
                expected = {name: reader.next() for name, reader in finished.items()}
                for name, tree in expected.items():
                    assert trees[name] == tree, (record["seed"], view, at, nodes.html(trees[name]), nodes.html(tree))
            ply = there


def faulty(game: Game) -> Record:
    """A game in which a bot wanted to play a card that must stay its secret."""
    fault = Fault(FaultKind.ILLEGAL, "played the 2 of secrets, which it does not hold", b"secret card")
    players = [Scripted(fault, at=3), *(HousePlayer(game.house[0]) for _ in range(game.seats[1] - 1))]
    seats = [Seated(name, "bot.py", player) for name, player in zip(NAMES, players, strict=False)]
    options = game.options({name: value for name, value in SHORT.items() if name in game.options({})})
    return play(game, seats, seed=3, options=options, preset=game.presets[0].name, games=1).record


@pytest.mark.promise
@pytest.mark.parametrize("slug", ["hearts", "tricky_eights", "barracuda"])
def test_who_may_not_see_cards_hears_nothing_of_a_refused_one(slug: str) -> None:
    record = faulty(games.get(slug))
    assert "secret" in json.dumps(record)
    assert "secret" not in json.dumps(film_from(growing(record, len(record["events"]), "hidden"), 0, 1000))
