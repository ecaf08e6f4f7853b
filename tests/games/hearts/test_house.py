"""The house players of Hearts: when to shoot the moon."""

from __future__ import annotations

from random import Random

from games.hearing import Hearing
from games.hearts import GAME
from games.hearts.house.counting import Shooter
from games.hearts.rules import INDEX
from games.rng import Portable
from tests.games.hearts.table import SUITS, deal, start
from tests.games.hearts.table import play as play_cards

HOUSE = {house.name: house for house in GAME.house}


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


def test_it_is_too_late_to_shoot_when_somebody_else_has_a_point() -> None:
    player = Shooter(1, GAME.options(), Random(1))
    state = start()
    events = deal(state, *SUITS, unpassed=True)
    events += play_cards(state, "2C 2D 2H 2S")
    for event in events:
        player.tell(GAME.see(event, 1) or {})
    assert player.aim([INDEX["3D"]]) is None
