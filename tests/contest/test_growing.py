"""contest.replay.growing and reel: a film of a game in progress shows what that of the finished game shows."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import games
from contest.replay import Replay
from contest.replay.dom import Element, Nodes
from contest.replay.film import film_of
from contest.replay.growing import LIVE_PARTS, Growing, as_seen
from contest.replay.reel import TABLES, Reel
from games.engine import Fault, FaultKind, Game
from games.players import HousePlayer, Seated
from games.record import Record
from games.referee import play
from tests.contest.test_film import NAMES, SHORT, URL, record_of
from tests.film_reader import Reader
from tests.tournaments.records import Scripted

SAME = ("where", "caption", "position")
"""The parts that are drawn alike in the end."""


def unfinished(record: Record) -> Record:
    nothing = [0 for _ in record["seats"]]
    return {**record, "result": {"scores": nothing, "places": nothing, "disqualified": []}}


def batches(events: list[Any], chance: random.Random) -> list[list[Any]]:
    found, at = [], 0
    while at < len(events):
        size = chance.choice((1, 1, 2, 3, 40))
        found.append(events[at : at + size])
        at += size
    return found


class Piecewise:
    """What static/js/film.js makes of the pieces of a film."""

    def __init__(self, nodes: Nodes) -> None:
        self.film: dict[str, Any] = {name: [] for name in TABLES}
        self.patterns: dict[str, list[str]] = {name: [] for name in LIVE_PARTS}
        self.nodes = nodes
        self.trees = dict.fromkeys(LIVE_PARTS, nodes.number(Element("div", (), ())))

    def append(self, piece: dict[str, Any]) -> list[dict[str, int]]:
        """The trees of each new position."""
        for name in TABLES:
            self.film[name] += piece[name]
        found: list[dict[str, int]] = []
        for name, track in piece["tracks"].items():
            self.patterns[name] += track["patterns"]
            for index, (pattern, *operands) in enumerate(track["rows"]):
                blank = {"patterns": [], "order": 0, "operands": []}
                reader = Reader({**self.film, "tracks": {name: blank}}, name, self.nodes)
                reader.tree = self.trees[name]
                reader.steps, reader.operands = iter(self.patterns[name][pattern]), iter(operands)
                self.trees[name] = reader.changed(reader.tree)
                if len(found) == index:
                    found.append({})
                found[index][name] = self.trees[name]
        return found


LONG_FILMS = ("tricky_eights", "hearts")
EVERY_GAME = [
    pytest.param(game, id=slug, marks=[pytest.mark.long("more")] if slug in LONG_FILMS else [])
    for slug, game in games.GAMES.items()
]


@pytest.mark.parametrize("game", EVERY_GAME)
def test_pieces_make_the_film_of_the_finished_game(game: Game) -> None:
    chance = random.Random(game.slug)
    record = record_of(game, chance.randrange(1, 10**6))
    events = record["events"]
    for view in ("table", "hidden", "0"):
        shown = Growing(unfinished(record), events[0], 1, view, URL)
        reel = Reel(shown)
        nodes = reel.camera.nodes
        pieces, grown = Piecewise(nodes), []
        for batch in batches(events, chance):
            shown.grow(batch)
            while reel.drawn <= shown.last:
                grown += pieces.append(json.loads(json.dumps(reel.piece(25))))
        replay = Replay(record, 1, view, URL)
        whole, late = json.loads(json.dumps(film_of(replay))), json.loads(json.dumps(reel.film()))
        readers = {name: Reader(whole, name, nodes) for name in SAME}
        latecomers = {name: Reader(late, name, nodes) for name in LIVE_PARTS}
        for ply, trees in enumerate(grown):
            where = (record["seed"], view, ply)
            assert {name: reader.next() for name, reader in latecomers.items()} == trees, where
            for name, reader in readers.items():
                tree = reader.next()
                assert trees[name] == tree, (*where, nodes.html(trees[name]), nodes.html(tree))
        assert len(grown) == len(events)
        assert shown.is_over
        for kind, plies in shown.stops.items():
            if kind != "swing":
                assert set(plies) <= set(replay.stops[kind]) <= {*plies, replay.opening, replay.last}
        assert shown.heard == replay.heard or list(shown.heard) == list(replay.heard)
        assert [each.first for each in shown.rounds] == [each.first for each in replay.rounds]
        assert [each.total for each in shown.rounds] == [each.total for each in replay.rounds]


@pytest.mark.parametrize("slug", ["hearts", "intensity", "barracuda"])
def test_the_moves_are_those_of_the_finished_game(slug: str) -> None:
    """At the end of each round; what happened in it is told when it happens."""
    game = games.get(slug)
    record = record_of(game, 5)
    replay = Replay(record, 1, "table", URL)
    shown = Growing(unfinished(record), record["events"][0], 1, "table", URL)
    reel = Reel(shown)
    nodes = reel.camera.nodes
    for event in record["events"]:
        shown.grow([event])
        reel.piece(1)
    reader = Reader(json.loads(json.dumps(reel.film())), "moves", nodes)
    trees = [reader.next() for _ in record["events"]]

    def text(number: int) -> str:
        node = nodes[number]
        return node if isinstance(node, str) else "".join(map(text, node.children))

    for each in replay.rounds:
        drawn = nodes.number(Element("div", (), nodes.parse(replay.draw_moves(replay.moves(each)))))
        assert text(trees[each.last]).split() == text(drawn).split()


def faulty(game: Game) -> Record:
    """A game in which a bot wanted to play a card that must stay its secret."""
    fault = Fault(FaultKind.ILLEGAL, "played the 2 of secrets, which it does not hold", b"secret card")
    players = [Scripted(fault, at=3), *(HousePlayer(game.house[0]) for _ in range(game.seats[1] - 1))]
    seats = [Seated(name, "bot.py", player) for name, player in zip(NAMES, players, strict=False)]
    options = game.options({name: value for name, value in SHORT.items() if name in game.options({})})
    return play(game, seats, seed=3, options=options, preset=game.presets[0].name, games=1).record


@pytest.mark.parametrize("slug", ["hearts", "tricky_eights", "barracuda"])
def test_who_may_not_see_cards_hears_nothing_of_a_refused_one(slug: str) -> None:
    record = faulty(games.get(slug))
    assert "secret" in json.dumps(record)
    shown = Growing(unfinished(record), record["events"][0], 1, "hidden", URL)
    shown.grow(record["events"])
    reel = Reel(shown)
    told = json.dumps(reel.piece(10_000))
    assert "secret" not in told
    assert "Against the rules" in told


def test_what_is_censored_is_not_in_the_events() -> None:
    record = record_of(games.get("hearts"), 4)
    hand = next(event for event in as_seen(games.get("hearts"), record["events"], "hidden") if event["event"] == "hand")
    assert hand["hands"] == [None] * 4
