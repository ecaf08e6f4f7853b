"""Our rules against open_spiel's, an independent formulation, on random positions.

Both are dealt the same cards, nothing is passed, and both play the same random games. At every position the player to
move and the legal cards must agree, and after every hand the points. open_spiel is set to the rules of docs/rulings.md,
Hearts 2: point cards may be thrown on the first trick, the queen breaks hearts, and a hand of nothing but point cards
may lead any of them.
"""

from __future__ import annotations

from random import Random

import pyspiel
import pytest

from games import get
from games.hearts.rules import PACK, PASSES, State

RULES = "hearts(pass_cards=False,no_pts_on_first_trick=False,can_lead_hearts_instead_of_qs=True)"
GAME = get("hearts")
THEIRS = [card % 13 * 4 + card // 13 for card in range(52)]
"""open_spiel's number of each of our cards; it numbers them by rank first."""

Difference = str


def compare(positions: int, seed: int) -> tuple[int, Difference | None]:
    """Play random hands until at least so many positions were seen. Returns their number and the first difference."""
    random = Random(seed)
    spiel = pyspiel.load_game(RULES)
    seen = 0
    while seen < positions:
        pack = random.sample(range(52), 52)
        ours, theirs = _dealt(pack), _their_deal(spiel, pack)
        while ours.turn >= 0:
            seen += 1
            legal = ours.legal()
            if difference := _difference(ours, theirs):
                return seen, f"position {seen}, {' '.join(PACK[card] for card in pack)}: {difference}"
            card = legal[int(random.random() * len(legal))]
            ours.apply(card)
            theirs.apply_action(THEIRS[int(str(card))])
        moon = min(ours.points) < 0
        expected = [26 if points else 0 for points in ours.points] if moon else [26 - points for points in ours.points]
        if theirs.returns() != expected:
            return seen, f"{ours.points} points, but theirs are {theirs.returns()}"
    return seen, None


def _dealt(pack: list[int]) -> State:
    """A hand in which nothing is passed, in a game that ends with it."""
    state = GAME.start(GAME.options({"target": 1}))
    assert isinstance(state, State)
    state.number = PASSES.index("none")
    state.deal(pack)
    return state


def _their_deal(spiel: pyspiel.Game, pack: list[int]) -> pyspiel.State:
    """The same hands in open_spiel, which deals one card to each player in turn."""
    state = spiel.new_initial_state()
    state.apply_action(0)  # no pass
    for place in range(13):
        for seat in range(4):
            state.apply_action(THEIRS[pack[13 * seat + place]])
    return state


def _difference(ours: State, theirs: pyspiel.State) -> str:
    if ours.turn != theirs.current_player():
        return f"it is the turn of {ours.turn}, theirs of {theirs.current_player()}"
    mine = sorted(THEIRS[int(str(card))] for card in ours.legal())
    if mine != theirs.legal_actions():
        return f"legal is {mine}, theirs {theirs.legal_actions()} (numbered as theirs)"
    return ""


@pytest.mark.parametrize("positions", [2_000, pytest.param(60_000, marks=pytest.mark.long("more"))])
def test_turns_legal_cards_and_points_are_those_of_open_spiel(positions: int) -> None:
    seen, difference = compare(positions, 0)
    assert difference is None
    assert seen >= positions
