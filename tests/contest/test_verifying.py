"""contest.replay.verifying: what the button "Verify" says."""

from __future__ import annotations

from copy import deepcopy

import pytest

import games
from contest.replay.verifying import verdict
from games.engine import Game
from games.players import HousePlayer, Seated
from games.record import Record
from games.record import games as split_games
from games.referee import play


def record_of(game: Game) -> Record:
    seats = [Seated(f"Player {seat}", "bot.py", HousePlayer(game.house[0])) for seat in range(game.seats[1])]
    options = game.options({"target": 25} if "target" in game.options({}) else {})
    return play(game, seats, seed=77, options=options, preset=game.presets[0].name, games=2).record


@pytest.mark.parametrize("game", games.GAMES.values(), ids=lambda game: game.slug)
def test_what_was_played_is_equal_and_what_was_changed_is_found(game: Game) -> None:
    record = record_of(game)
    found = verdict(record)
    assert found["equal"], found
    assert found["text"].startswith(f"Equal: all {len(record['events'])} events follow")

    changed = deepcopy(record)
    first = len(split_games(record)[0])
    at = next(index for index, event in enumerate(record["events"]) if index >= first and event["event"] == "play")
    changed["events"][at]["card"] = "no card"
    found = verdict(changed)
    assert (found["equal"], found["game"], found["ply"]) == (False, 2, at - first)
    assert found["text"].startswith(f"Different in game 2, event {at - first}: ")

    if "seed" not in record["events"][0]:  # where each game has one of its own
        found = verdict({**record, "seed": 78})
        assert (found["equal"], found["text"].startswith("The moves follow the rules, but the cards")) == (False, True)

    result = {**record["result"], "places": [9] * len(record["seats"])}
    found = verdict({**record, "result": result})
    assert (found["equal"], "game" in found) == (False, False)
