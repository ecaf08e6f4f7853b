"""The table of Even Steven on the replay page: every position of the golden records, from every side."""

from __future__ import annotations

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
