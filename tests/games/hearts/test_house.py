"""The house players of Hearts: fair, legal, each stronger than the one before (cheaply: see benchmarks/house.py)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.hearing import Hearing
from games.hearts import GAME
from games.hearts.house.moon import Shooter
from games.hearts.rules import INDEX, PACK
from games.players import HousePlayer, Seated
from games.referee import play
from games.rng import Portable
from tests.games.hearts.table import SUITS, deal, start
from tests.games.hearts.table import play as play_cards

HOUSE = {house.name: house for house in GAME.house}
PAIRS = [("avoider", "random", 4), pytest.param("card_counter", "avoider", 5, marks=pytest.mark.long("more"))]


def points_a_hand(strong: str, weak: str, seed: int) -> float:
    """How much better the first's seats do than the second's, on average, in two seatings of a deal."""
    lead = hands = 0
    for seating in ((strong, weak, strong, weak), (weak, strong, weak, strong)):
        seats = [Seated(name, f"house:{name}", HousePlayer(HOUSE[name])) for name in seating]
        record = play(GAME, seats, seed=seed, options=GAME.options(), preset="mactech-1998").record
        scores = record["result"]["scores"]
        lead += sum(score if name == weak else -score for score, name in zip(scores, seating, strict=True)) // 2
        hands += sum(event["event"] == "score" for event in record["events"])
    return lead / hands


@pytest.mark.parametrize(("strong", "weak", "deals"), PAIRS)
def test_it_is_stronger_than_the_one_before(strong: str, weak: str, deals: int) -> None:
    assert sum(points_a_hand(strong, weak, seed) for seed in range(deals)) / deals > 0.5


def test_the_shooter_shoots_the_moon_with_a_hand_for_it() -> None:
    """Thirteen cards that cannot be beaten: it takes everything, while the counter ducks what it can."""
    state = start(target=1)
    events = deal(state, "AC KC QC JC 2C AS KS QS AH KH QH JH AD", unpassed=True)
    seats = [
        HOUSE[name].make(seat, GAME.options(), Portable(1, 1, seat))
        for seat, name in enumerate(("shooter", "avoider", "avoider", "avoider"))
    ]
    hearing = Hearing(GAME, [(seat, player.tell) for seat, player in enumerate(seats)])
    for event in events:
        hearing.tell(event)
    while state.turn >= 0:
        action = seats[state.turn].choose(state.legal())
        assert state.is_legal(action)
        for event in [state.event(action), *state.apply(action)]:
            hearing.tell(event)
    assert state.points == [-26, 0, 0, 0]


@pytest.mark.parametrize("name", HOUSE)
def test_the_same_chance_gives_the_same_game(name: str) -> None:
    records = []
    for _ in range(2):
        seats = [Seated(name, f"house:{name}", HousePlayer(HOUSE[name])) for _ in range(4)]
        events = play(GAME, seats, seed=9, options=GAME.options({"target": 1}), preset="open").record["events"]
        records.append([(event["seat"], event.get("card", event.get("cards"))) for event in events if "seat" in event])
    assert records[0] == records[1]


# The table


# Their decisions


def names(cards: Any) -> str:
    return " ".join(PACK[card] for card in sorted(cards))


# Playouts


def test_it_is_too_late_to_shoot_when_somebody_else_has_a_point() -> None:
    player = Shooter(1, GAME.options(), Random(1))
    state = start()
    events = deal(state, *SUITS, unpassed=True)
    events += play_cards(state, "2C 2D 2H 2S")
    for event in events:
        player.tell(GAME.see(event, 1) or {})
    assert player.aim([INDEX["3D"]]) is None
