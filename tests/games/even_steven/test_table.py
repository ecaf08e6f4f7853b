"""The table of Even Steven on the replay page: every position of the golden records, from every side."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from games.record import games
from tests.games.drawing import drawn, every_view, faces, golden, table

RECORDS = golden("even_steven")


def everything(view: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for record in RECORDS.values():
        for number, events in enumerate(games(record), 1):
            for ply in range(len(events)):
                yield drawn(record, ply, view, number)


@every_view
def test_every_position_is_drawn_with_its_cards(view: str) -> None:
    for html, shown in everything(view):
        part = table(html)
        assert "style=" not in html
        found = faces(part)
        covers = [card for pair in shown["dealt"] for card in (pair["card"], pair["cover"]) if card]
        expected = covers + (shown["stock"] or [])
        assert found[: len(expected)] == expected
        hand = shown["hands"][0]
        if hand is None:
            assert part.count("card back") >= shown["counts"][0]
        else:
            assert sorted(found[len(expected) : len(expected) + len(hand)]) == sorted(hand)


def test_the_player_sees_nothing_that_is_still_to_come() -> None:
    for html, shown in everything("0"):
        assert shown["stock"] is None
        assert "The darker cards" not in html


def test_what_the_dealer_says_in_the_end() -> None:
    html, _ = drawn(RECORDS["sample"], 99, "table", 1)
    assert "<b>Lost</b>, as it had to be" in html
    assert "<b>Won</b>: every card is covered" in drawn(RECORDS["sample"], 99, "table", 2)[0]
    assert "<b>Lost</b></p>" in drawn(RECORDS["sample"], 99, "0", 1)[0]
    assert "<b>Incorrect output</b>: the dealer stops" in drawn(RECORDS["garbled"], 99, "table", 2)[0]
    assert "<b>Program crashed</b>" in drawn(RECORDS["crashed"], 99, "0", 1)[0]


def test_the_mistake_is_marked() -> None:
    html, shown = drawn(RECORDS["careless"], 99, "table", 5)
    assert shown["verdict"] == "lose unnecessarily"
    cells = re.findall(r'<li class="cover[^"]*mistake.*?</li>', html, re.S)
    assert len(cells) == 1
    wrong = shown["dealt"][shown["mistake"]]
    assert faces(cells[0]) == [wrong["card"], wrong["cover"]]
    assert "<b>Lost</b>, though it could have been won" in html
