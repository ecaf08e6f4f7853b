"""contest.replay.pairing: two games on the same deal, stepped through together."""

from __future__ import annotations

import pytest

import games
from contest.replay import Replay
from contest.replay.pairing import Pairing
from games.engine import Game, Opening
from games.pairs import parting, same_deals
from games.players import HousePlayer, Seated
from games.record import Record
from games.referee import play

EVERY = pytest.mark.parametrize("game", games.GAMES.values(), ids=lambda game: game.slug)


def record_of(game: Game, level: int, opening: Opening | None = None) -> Record:
    seats = [Seated(f"Level {level}", "bot.py", HousePlayer(game.house[level])) for _ in range(game.seats[1])]
    options = game.options({"target": 25} if "target" in game.options({}) else {})
    rules = game.presets[0].name
    return play(game, seats, seed=77, options=options, preset=rules, games=1, openings=opening and [opening]).record


def both(one: Record, two: Record) -> Pairing:
    return Pairing(Replay(one, 1, None, "/m/1/1/"), Replay(two, 1, None, "/m/2/1/"), "/beside/?one=a&two=b")


@EVERY
def test_they_step_together_to_the_first_difference_and_both_to_the_end(game: Game) -> None:
    opening = dict(game.sample[0]) if game.sample else None
    pairing = both(record_of(game, 0, opening), record_of(game, len(game.house) - 1, opening))
    one, two = pairing.sides
    assert same_deals(one.events, two.events)
    at = pairing.parting
    assert at is not None
    assert pairing.steps[: at + 1] == [(ply, ply) for ply in range(at + 1)]
    clocks = ("ms", "cpu_ms")
    bare = [[{k: v for k, v in event.items() if k not in clocks} for event in side.events] for side in pairing.sides]
    assert bare[0][:at] == bare[1][:at]
    assert bare[0][at] != bare[1][at]
    assert pairing.steps[-1] == (one.last, two.last)
    for before, after in zip(pairing.steps, pairing.steps[1:], strict=False):
        assert before != after
        assert before[0] <= after[0]
        assert before[1] <= after[1]
    assert pairing.clamp(None) == pairing.clamp("x") == at
    assert (pairing.clamp("-3"), pairing.clamp("999999")) == (0, pairing.last)
    assert pairing.state(at) == "The first difference."
    assert (pairing.state(0), pairing.state(pairing.last)) == (
        "The same in both games so far.",
        "After the first difference, by trick.",
    )
    whole = pairing.costs[-1]
    ours, theirs = one.events[-1]["scores"], two.events[-1]["scores"]
    assert [gain.points for gain in whole.gains] == list(zip(ours, theirs, strict=True))


def test_every_control_leads_where_its_stop_is() -> None:
    game = games.get("hearts")
    pairing = both(record_of(game, 0), record_of(game, 2))
    links = pairing.links(5)
    assert links["next-card"].ply == 6
    assert links["next-card"].href == "/beside/?one=a&two=b&step=6"
    assert pairing.href(6, "2").endswith("&step=6&view=2")
    for kind, stops in pairing.stops.items():
        assert stops == sorted(set(stops)), kind
        assert all(0 <= stop <= pairing.last for stop in stops), kind
    assert pairing.links(0)["first"].ply is None
    assert pairing.links(pairing.last)["next-trick"].ply is None


def test_the_same_game_twice_has_no_difference() -> None:
    record = record_of(games.get("hearts"), 1)
    pairing = both(record, record)
    assert pairing.parting is None
    assert pairing.last == len(record["events"]) - 1
    assert pairing.state(3) == "Both games are the same, card for card."
    assert [gain.difference for cost in pairing.costs for gain in cost.gains] == ["+0"] * 4


def test_players_who_changed_places_have_still_the_same_deal() -> None:
    hand = {"event": "hand", "number": 1, "hands": [["2c"], ["3c"]]}
    one = [{"event": "game", "number": 1, "seating": [0, 1]}, hand, {"event": "play", "seat": 0, "card": "2c", "ms": 1}]
    two = [{"event": "game", "number": 2, "seating": [1, 0]}, hand, {"event": "play", "seat": 0, "card": "2c", "ms": 7}]
    assert same_deals(one, two)
    assert parting(one, two) is None
    assert parting(one, two[:2]) == 2
    assert not same_deals(one, [])
