"""The table of Hearts on the replay page: every position of the golden records, from every side."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from games.record import Record, games
from tests.games import drawing
from tests.games.drawing import drawn, every_view, golden, table, words

RECORDS = golden("hearts")


def faces(html: str) -> list[str]:
    """As the record writes them."""
    return [card.upper() for card in drawing.faces(html)]


def ply_of(record: Record, kind: str, which: int = 0) -> int:
    found = [ply for ply, event in enumerate(games(record)[0]) if event["event"] == kind]
    return found[which]


def a_sample(view: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Positions at steps that are coprime to everything in a hand, so that all kinds occur."""
    for record in RECORDS.values():
        for ply in range(0, len(games(record)[0]), 29):
            yield drawn(record, ply, view)


@every_view
def test_every_position_is_drawn_with_its_cards(view: str) -> None:
    for html, shown in a_sample(view):
        assert "style=" not in html
        assert "None" not in words(html)
        seats = re.findall(r'<div class="seat at-(\d).*?</p>(.*?)</div>\s*</div>', table(html), re.S)
        assert [int(seat) for seat, _ in seats] == [0, 1, 2, 3]
        for (_, part), hand, count in zip(seats, shown["hands"], shown["counts"], strict=True):
            if hand is None:
                assert len(faces(part)) + part.count("card back") == count
            else:
                assert sorted(faces(part)) == sorted(hand)


def test_while_cards_are_passed_a_seat_sees_only_its_own() -> None:
    record = RECORDS["random"]
    html, _ = drawn(record, ply_of(record, "pass", 1), "1")
    centre = html[html.index('<div class="passing">') : html.index('<table class="notes">')]
    assert len(faces(centre)) == 3
    assert centre.count("chooses") == 3
