"""The house players of Barracuda: what the documents and the odds demand."""

from __future__ import annotations

from random import Random
from typing import Any

from games.barracuda import GAME
from games.barracuda.house.oddsmaker import Oddsmaker
from games.barracuda.house.simple import TestBot, Thinker
from tests.games.barracuda.table import deal, play, start


def asked(player: type[Thinker], hands: tuple[str, str], moves: str = "", seat: int = 0, number: int = 1) -> Any:
    """The decision of such a player after these moves."""
    state = start()
    made = player(seat, GAME.options(), Random(number))
    for event in [*deal(state, *hands), *play(state, moves)]:
        seen = GAME.see(event, seat)
        assert seen is not None
        made.tell(seen)
    assert state.turn == seat
    return made.choose(state.legal())


def test_the_test_bot_never_challenges_and_accepts_with_a_good_hand() -> None:
    assert asked(TestBot, ("13 13 13 13 13", "1 1 1 1 1")) == 13
    assert asked(TestBot, ("1 1 1 1 1", "13 13 13 12 12"), "!", seat=1) == "accept"
    assert asked(TestBot, ("1 1 1 1 1", "3 3 3 2 2"), "!", seat=1) == "reject"


def test_the_odds_player_challenges_what_it_cannot_lose_and_rejects_what_it_cannot_win() -> None:
    assert asked(Oddsmaker, ("13 13 13 13 13", "1 1 1 1 1"), "13 1") == "challenge"
    assert asked(Oddsmaker, ("13 13 13 13 13", "1 1 1 1 2"), "13 1 !", seat=1) == "reject"
    assert asked(Oddsmaker, ("6 6 6 6 6", "13 13 13 12 12"), "!", seat=1) == "accept"
