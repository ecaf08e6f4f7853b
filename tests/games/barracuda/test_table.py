"""The table of Barracuda: the view's positions, and how the replay page draws them, from every side."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.barracuda import GAME
from games.record import games, positions
from tests.games.barracuda.table import deal, play, start
from tests.games.drawing import drawn, every_view, golden, table, words

RECORDS = golden("barracuda")


def told(moves: str, seat: int | None = None, opened: bool = True, leader: int = 0) -> dict[str, Any]:
    """The position after a hand's moves, on the open table or as seen from a seat."""
    state = start(leader)
    events = [{"event": "game", "number": 1, "leader": leader}, *deal(state, "12 9 8 8 1", "13 6 6 4 3")]
    events += play(state, moves)
    view = GAME.view(seat)
    for event in events:
        seen = event if opened else GAME.see(event, seat)
        assert seen is not None
        view.tell(seen)
    return view.position()


# Positions


def test_a_hand_that_was_dealt() -> None:
    shown = told("", leader=1)
    assert shown["hands"] == [[12, 9, 8, 8, 1], [13, 6, 6, 4, 3]]
    assert (shown["turn"], shown["leader"], shown["starter"], shown["trick"]) == (1, 1, 1, 1)
    assert shown["legal"] == [13, 6, 4, 3, "challenge"]
    assert shown["phase"] == "play"


@pytest.mark.parametrize("seat", [0, 1, None])
def test_who_sees_which_hand(seat: int | None) -> None:
    shown = told("9 6", seat, opened=False)
    assert [hand is not None for hand in shown["hands"]] == [seat == 0, seat == 1]
    assert shown["counts"] == [4, 4]
    assert (shown["legal"] is None) == (seat != 0)


def test_a_challenge_and_its_answers() -> None:
    offered, accepted, rejected = told("9 !"), told("9 ! yes"), told("9 ! no")
    assert (offered["phase"], offered["turn"], offered["legal"]) == ("challenge", 0, ["accept", "reject"])
    assert offered["challenger"] == 1
    assert (accepted["challenge"], accepted["turn"], accepted["legal"]) == ("accepted", 1, [13, 6, 4, 3])
    assert (rejected["challenge"], rejected["handWinner"], rejected["points"]) == ("rejected", 1, [0, 1])
    assert rejected["phase"] == "between"


def test_an_accepted_challenge_names_its_winner_without_a_point() -> None:
    shown = told("! yes 12 13 6 9 8 6 8 4 1 3")
    assert (shown["points"], shown["byChallenge"]) == ([0, 0], True)
    assert shown["handWinner"] == 0


def test_a_forfeit_takes_the_laid_card_back_first() -> None:
    shown = told("9 x")
    assert shown["last"]["forfeit"] == {"seat": 1, "lost": 13, "other": 1, "back": [{"seat": 0, "card": 9}]}
    assert shown["hands"] == [[12, 9, 8, 8], [6, 6, 4, 3]]
    assert shown["faults"] == [None, "timeout"]
    assert shown["clock"][1]["empty"]
    after = told("9 x 12")
    assert (after["forfeit"], after["trick"]) == (None, 2)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_forfeit_as_each_side_sees_it(seat: int | None) -> None:
    shown = told("9 x 12 6", seat, opened=False)
    assert shown["counts"] == [3, 3]
    for owner, hand in enumerate(shown["hands"]):
        assert hand is None or len(hand) == shown["counts"][owner]


def test_the_clock_adds_up() -> None:
    view = GAME.view(None)
    state = start()
    for event in deal(state, "12 9 8 8 1", "13 6 6 4 3"):
        view.tell(event)
    for seat, card, ms in ((0, 9, 100.5), (1, 13, 20.0)):
        view.tell({"event": "play", "seat": seat, "card": card, "ms": ms})
    assert view.position()["clock"] == [
        {"spent": 100.5, "answers": 1, "empty": False},
        {"spent": 20.0, "answers": 1, "empty": False},
    ]


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_hands_and_counts_agree_at_every_position(name: str) -> None:
    for number in range(1, len(games(RECORDS[name])) + 1):
        for position in positions(RECORDS[name], number, "table"):
            shown = position.table
            assert position.caption
            assert [len(hand or []) for hand in shown["hands"]] == shown["counts"]
            if shown["legal"] and shown["phase"] == "play":
                assert set(shown["legal"]) - {"challenge"} == set(shown["hands"][shown["turn"]])


# Drawing


@every_view
def test_every_position_is_drawn_with_its_cards(view: str) -> None:
    for record in RECORDS.values():
        for ply in range(0, len(games(record)[0]), 17):
            html, shown = drawn(record, ply, view)
            assert "style=" not in html
            assert "None" not in words(html)
            seats = re.findall(r'<div class="seat at-(\d).*?</p>(.*?)</div>\s*</div>', table(html), re.S)
            assert [int(seat) for seat, _ in seats] == [0, 1]
            for (_, part), hand, count in zip(seats, shown["hands"], shown["counts"], strict=True):
                faces = [
                    int(rank)
                    for rank in re.findall(r'<i class="card [^"]*">(\d+)</i>|<i class="card">(\d+)</i>', part)
                    for rank in rank
                    if rank
                ]
                assert faces == (hand or [])
                assert len(faces) + part.count("card back") == count
