"""Replaying the deals of a record: the same hands for everybody, whoever plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from games import GAMES, again, get
from games.__main__ import main
from games.build import seated
from games.engine import Game, OptionError
from games.record import Record, dumps, games, loads, seating_of, verify
from games.referee import play
from tests.games.cast import TRICKY

SHORT: dict[str, dict[str, Any]] = {"tricky_eights": {"target": 40}, "barracuda": {"lead": 3}}

EVERY = [pytest.param(game, id=game.slug) for game in GAMES.values()]


def played(game: Game, count: int | None, openings: Sequence[Mapping[str, Any]] | None = None, weak: int = 0) -> Record:
    """Played by the simplest house players, the first of them in every seat."""
    bots = [f"house:{game.house[weak].name}" for _ in range(game.seats[0])]
    options = game.options(SHORT.get(game.slug, {}))
    players = [seated(game, bot) for bot in bots]
    rules = game.preset().name
    return play(game, players, seed=8, options=options, preset=rules, games=count, openings=openings).record


def hands(record: Record) -> list[list[list[Any]]]:
    """By game: the cards of every hand. Who leads a hand may depend on the one before."""
    return [
        [[event.get(pile) for pile in ("hands", "pool", "stock")] for event in events if event["event"] == "hand"]
        for events in games(record)
    ]


def seatings(record: Record) -> list[list[int]]:
    return [seating_of(record, events) for events in games(record)]


def assert_same_deals(one: Record, other: Record) -> None:
    assert verify(other) is None
    both = min(len(games(one)), len(games(other)))
    assert seatings(one)[:both] == seatings(other)[:both]
    for first, second in zip(hands(one), hands(other), strict=False):
        both = min(len(first), len(second))
        assert both
        assert first[:both] == second[:both]


@pytest.mark.parametrize("game", EVERY)
@pytest.mark.parametrize("count", [None, 3])
def test_the_hands_of_every_game_are_the_same(game: Game, count: int | None) -> None:
    record = played(game, count)
    stronger = f"house:{game.house[min(2, len(game.house) - 1)].name}"
    bots = again.substitutes(game, record, 1, [stronger])
    new = again.replayed(record, bots).record
    assert new["seats"][0]["bot"] == stronger
    assert new["events"] != record["events"]
    assert_same_deals(record, new)
    if not game.decides:
        assert len(games(new)) == len(games(record))


def test_games_that_need_another_number_of_packs_do_not_move_the_next_ones() -> None:
    record = played(TRICKY, 4)
    new = again.replayed(record, ["house:card_counter"] * 4).record
    assert [len(each) for each in hands(record)] != [len(each) for each in hands(new)]
    assert_same_deals(record, new)


@pytest.mark.long("more")
def test_a_rule_that_asks_for_more_games_gets_them() -> None:
    game = get("barracuda")
    one_sided = again.replayed(played(game, None), ["house:odds", "house:random"]).record
    even = again.replayed(one_sided, ["house:odds", "house:odds"]).record
    assert len(games(even)) != len(games(one_sided))
    assert_same_deals(one_sided, even)


@pytest.mark.parametrize("game", EVERY)
def test_common_deals_keep_their_numbers(game: Game) -> None:
    openings = [{"deal": 4}, {"deal": 1}]
    if game.seats == (1, 1):  # whose games deal by a seed of their own
        openings = [{"seed": 5, "cards": 3, **opening} for opening in openings]
    record = played(game, None if game.decides else 2, openings)
    new = again.replayed(record, again.substitutes(game, record, game.seats[0], [f"house:{game.house[1].name}"])).record
    assert [events[0].get("deal") for events in games(new)][:2] == [4, 1]
    assert_same_deals(record, new)


def test_who_sits_where() -> None:
    record = played(TRICKY, 1)
    record["seats"] = [{"name": bot, "bot": bot} for bot in ("a.c", "house:beyond", "c.py", "d.c")]

    def seats(player: int | None, *bots: str) -> list[str]:
        return again.substitutes(TRICKY, record, player, bots)

    assert seats(3, "mine.c")[1:3] == ["house:beyond", "mine.c"]
    assert seats(3, "mine.c")[0] == "house:random"
    assert seats(2, "mine.c", "x.c", "y.c", "z.c") == ["x.c", "mine.c", "y.c", "z.c"]
    for player, bots, why in (
        (None, ["mine.c"], "use --seat to say"),
        (5, ["mine.c"], "players 1 to 4, and no player 5"),
        (1, ["mine.c"] * 5, "5 bots for 4 players"),
    ):
        with pytest.raises(OptionError, match=why):
            seats(player, *bots)


def test_a_record_that_is_not_of_its_seed_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "old.json"
    record = played(TRICKY, 2)
    path.write_text(dumps({**record, "seed": 9}))
    assert main(["again", str(path), "--seat", "1", "house:random"]) == 2
    assert "the cards of game 1 are not those of the record's seed" in capsys.readouterr().err
    record["result"]["scores"][0] += 1
    path.write_text(dumps(record))
    assert main(["again", str(path), "--seat", "1", "house:random"]) == 2
    assert "scores" in capsys.readouterr().err


@pytest.mark.parametrize("game", EVERY)
def test_the_command_plays_on_from_a_position(game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = played(game, 2)
    path, new = tmp_path / "old.json", tmp_path / "new.json"
    path.write_text(dumps(record))
    number = len(games(record))
    events = games(record)[number - 1]
    own = [ply for ply, event in enumerate(events) if event["event"] in game.decisions]
    at = own[len(own) // 2]
    best = f"house:{game.house[-1].name}"
    assert main(["again", str(path), best, "--from", f"{number}:{at - 1}", "--record", str(new)]) in (0, 1)
    said = capsys.readouterr().out
    assert "In the record: " in said
    assert f"With {best}: " in said
    again_ = loads(new.read_bytes())
    assert verify(again_) is None

    def bare(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            {key: value for key, value in it.items() if key not in ("ms", "cpu_ms", "by", "number")} for it in events
        ]

    assert bare(again_["events"][:at]) == bare(events[:at])
    assert len(games(again_)) == 1
