"""contest.replay.films: what the button "Verify" says."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

import pytest

import games
from contest.replay.films import verdict
from games.deals import check
from games.engine import Game, Opening
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


@pytest.mark.parametrize("game", games.GAMES.values(), ids=lambda game: game.slug)
def test_one_card_of_a_late_hand_is_found(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A forger who deals two cards of the last pack the other way round, and then goes on by the rules."""
    packs: list[int] = []
    honest = game.shuffle

    def watched(seed: int, number: int, opening: Opening) -> Sequence[int]:
        packs.append(number)
        return honest(seed, number, opening)

    def stacked(seed: int, number: int, opening: Opening) -> Sequence[int]:
        pack = list(honest(seed, number, opening))
        if number == packs[-1] and "seed" not in opening:
            pack[0], pack[19] = pack[19], pack[0]
        return pack

    monkeypatch.setattr(game, "shuffle", watched)
    record = record_of(game)
    monkeypatch.setattr(game, "shuffle", stacked)
    forged = record_of(game)
    monkeypatch.undo()
    pairs = enumerate(zip(record["events"], forged["events"], strict=False))
    bare = [index for index, (one, other) in pairs if one["event"] == "hand" and one != other]
    if not bare:  # the seed of each game is in its opening: only the text of the record can be forged
        bare = [max(index for index, event in enumerate(record["events"]) if event["event"] == "hand")]
        piles = forged["events"][bare[0]]
        piles["hands"][0][0], piles["stock"][0] = piles["stock"][0], piles["hands"][0][0]
    assert len([event for event in record["events"][: bare[0]] if event["event"] == "hand"]) > 0
    found = check(forged, game)
    assert found is not None
    assert found.index == bare[0]
    shown = verdict(forged)
    first = len(split_games(record)[0])
    assert (shown["equal"], shown["game"]) == (False, 1 + (bare[0] >= first))
    assert shown["ply"] == bare[0] - first * (bare[0] >= first)
