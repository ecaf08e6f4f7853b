"""The house players of Tricky Eights: the classes of the document, and fair."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from games import get
from games.engine import CHANCE, House, Player
from games.rng import Portable, pack
from games.tricky_eights.house import HOUSE
from games.tricky_eights.rules import State

GAME = get("tricky_eights")
OPTIONS = GAME.options()
NAMES = [house.name for house in HOUSE]


def make(house: House, seat: int, *name: int) -> Player:
    return house.make(seat, OPTIONS, Portable(*name, seat))


# Legal, deterministic, fair -------------------------------------------------------------------------------------------


def hidden_from(seat: int, deal: Sequence[int], random: Random) -> list[int]:
    """The same deal, with the cards that a seat cannot see exchanged among the other three hands."""
    others = [place for place in range(40) if place // 10 != seat]
    mixed = list(deal)
    shuffled = random.sample(others, len(others))
    for place, source in zip(others, shuffled, strict=True):
        mixed[place] = deal[source]
    return mixed


def first_choices(house: House, seat: int, deal: Sequence[int]) -> list[object]:
    """The cards a seat takes in its three takes, and its lead if it is the dealer; the others take the lowest card."""
    player = make(house, seat, 77)
    state = State(OPTIONS)
    for number in range(1, seat + 1):  # deal on until this seat is the dealer
        state.deal(pack(1, number))
        state.turn = CHANCE
    chosen: list[object] = []
    events = [*state.deal(deal)]
    while True:
        for event in events:
            seen = GAME.see(event, seat)
            assert seen is not None
            player.tell(seen)
        legal = state.legal()
        action = player.choose(legal) if state.turn == seat else legal[0]
        if state.turn == seat:
            chosen.append(action)
        if not state.pool:
            return chosen
        events = [state.event(action), *state.apply(action)]


@pytest.mark.parametrize("house", HOUSE, ids=NAMES)
@pytest.mark.parametrize("seat", range(4))
@pytest.mark.promise
def test_hidden_cards_do_not_change_what_it_does(house: House, seat: int) -> None:
    random = Random(seat)
    for number in range(1, 6):
        deal = pack(40 + seat, number)
        choices = first_choices(house, seat, deal)
        assert len(choices) == 4  # three takes and the lead
        for _ in range(3):
            assert first_choices(house, seat, hidden_from(seat, deal, random)) == choices
