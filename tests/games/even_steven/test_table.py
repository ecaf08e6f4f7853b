"""The table of Even Steven on the replay page: every position of the golden records, from every side."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page

from contest.replay import Replay, build_replay
from games.record import Record, games, loads
from tests.looks import each_look

ROOT = Path(__file__).resolve().parents[3]
RECORDS = {
    path.stem.removeprefix("even_steven-"): loads(path.read_bytes())
    for path in sorted((ROOT / "tests" / "games" / "golden").glob("even_steven-*.json"))
}
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
SHEETS = (
    *("css/kibitz.css", "css/frame.css", "css/parts.css", "css/cards.css", "css/table.css", "css/replay.css"),
    *("css/moves.css", "css/below.css", "css/charts.css", "../games/even_steven/table.css"),
)


def styled(html: str) -> str:
    """A page of its own: the portal's style sheets, which import Pico as a layer, and that replay."""
    sheets = [(ROOT / "static" / sheet).read_text() for sheet in SHEETS]
    pico = (ROOT / "static/vendor/pico/2.1.1/pico.min.css").read_text()
    styles = "".join(f"<style>{text}</style>" for text in (f"@layer pico {{{pico}}}", *sheets))
    head = f'<html lang="en"><head><meta charset="utf-8"><title>Replay</title>{styles}</head>'
    return f'<!doctype html>{head}<body><main class="container"><h1>Replay</h1>{html}</main></body></html>'


def drawn(record: Record, number: int, ply: int, view: str) -> tuple[str, dict[str, Any]]:
    """The whole replay at a position, and its context."""
    context = build_replay(Replay(record, number, view, "/r/"), ply)
    return render_to_string("replay/_replay.html", context), context


def table(html: str) -> str:
    return html[html.index('<div class="felt') : html.index('<aside class="log"')]


def everything(view: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for record in RECORDS.values():
        for number, events in enumerate(games(record), 1):
            for ply in range(len(events)):
                yield drawn(record, number, ply, view)


def faces(html: str) -> list[str]:
    """The cards of a piece of a page, as bots write them; those of a hand have no suit in words, but a class."""
    return [rank + suit for suit, rank in re.findall(r'<i class="card ([cdhs])[^"]*"[^>]*>(\w+)</i>', html)]


@pytest.mark.parametrize(
    "view",
    [
        pytest.param("table", marks=pytest.mark.long("more")),
        "0",
        pytest.param("hidden", marks=pytest.mark.long("more")),
    ],
)
def test_every_position_is_drawn_with_its_cards(view: str) -> None:
    for html, context in everything(view):
        shown = context["step"].table
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
    for html, context in everything("0"):
        assert context["step"].table["stock"] is None
        assert "The darker cards" not in html


def test_what_the_dealer_says_in_the_end() -> None:
    html, _ = drawn(RECORDS["sample"], 1, 99, "table")
    assert "<b>Lost</b>, as it had to be" in html
    assert "<b>Won</b>: every card is covered" in drawn(RECORDS["sample"], 2, 99, "table")[0]
    assert "<b>Lost</b></p>" in drawn(RECORDS["sample"], 1, 99, "0")[0]
    assert "<b>Incorrect output</b>: the dealer stops" in drawn(RECORDS["garbled"], 2, 99, "table")[0]
    assert "<b>Program crashed</b>" in drawn(RECORDS["crashed"], 1, 99, "0")[0]


def test_the_mistake_is_marked() -> None:
    html, context = drawn(RECORDS["careless"], 5, 99, "table")
    shown = context["step"].table
    assert shown["verdict"] == "lose unnecessarily"
    cells = re.findall(r'<li class="cover[^"]*mistake.*?</li>', html, re.S)
    assert len(cells) == 1
    wrong = shown["dealt"][shown["mistake"]]
    assert faces(cells[0]) == [wrong["card"], wrong["cover"]]
    assert "<b>Lost</b>, though it could have been won" in html


@pytest.mark.long("browser")
def test_nothing_overflows_and_axe_is_content(page: Page, axe: Callable[[Page], None]) -> None:
    """With thirteen cards, with a mistake, with a fault, from the seat and with the hand hidden."""
    longest = max(range(1, 13), key=lambda number: len(games(RECORDS["careless"])[number - 1]))
    for name, number, ply, view in (
        ("careless", longest, 3, "table"),
        ("careless", longest, 6, "0"),
        ("careless", longest, 99, "table"),
        ("careless", 5, 99, "table"),
        ("garbled", 2, 99, "hidden"),
    ):
        html, _ = drawn(RECORDS[name], number, ply, view)
        page.set_content(styled(html))
        for _, width in each_look(page):
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (name, ply, view, width)
            axe(page)
