"""Our rules against open_spiel's, an independent formulation (benchmarks/hearts.py plays a million positions)."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.hearts import compare
from games.hearts.rules import State


@pytest.mark.parametrize("positions", [2_000, pytest.param(60_000, marks=pytest.mark.long("more"))])
def test_turns_legal_cards_and_points_are_those_of_open_spiel(positions: int) -> None:
    seen, difference = compare(positions, 0)
    assert difference is None
    assert seen >= positions


def test_a_difference_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the opposite answer to Q6: no point cards on the first trick."""
    legal = State.legal

    def careful(state: State) -> Any:
        cards = legal(state)
        clean = tuple(card for card in cards if int(str(card)) < 26)
        return clean if state.trick == 1 and clean else cards

    monkeypatch.setattr(State, "legal", careful)
    _, difference = compare(20_000, 1)
    assert difference is not None
    assert "legal is" in difference
