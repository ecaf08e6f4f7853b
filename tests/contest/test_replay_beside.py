"""contest.replay.beside: links from one game of a match to the others."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string

from contest.replay.beside import FEW, Sibling, Siblings
from tests.markup import tags


def beside(count: int, shown: int, faults: tuple[int, ...] = ()) -> Siblings:
    events = {number: [{"event": "fault"}] for number in faults}
    return Siblings([Sibling(number, f"/{number}/", events.get(number, [])) for number in range(1, count + 1)], shown)


def tabs(count: int, shown: int) -> str:
    return " ".join("…" if each is None else each.href.strip("/") for each in beside(count, shown).tabs)


@pytest.mark.parametrize(
    ("typed", "number"),
    [("57", 57), (" 57 ", 57), ("0", 1), ("-3", 1), ("201", 200), ("9" * 5000, 9), ("", 9), ("x", 9), ("1.5", 9)],
)
def test_any_text_leads_to_a_game(typed: str, number: int) -> None:
    assert beside(200, 9).find(typed).number == number


def drawn(found: Siblings) -> str:
    return render_to_string("replay/_games.html", {"siblings": found})


def test_what_is_drawn_stays_small() -> None:
    html = drawn(beside(1000, 500, (3, 800)))
    assert len(tags(html, "li")) == 9
    links = {link["href"]: link for link in tags(html, "a")}
    assert [href for href, link in links.items() if "aria-current" in link] == ["/500/"]
    assert {link["rel"]: href for href, link in links.items() if "rel" in link} == {"prev": "/499/", "next": "/501/"}
    [number] = tags(html, "input")
    assert (number["name"], number["min"], number["max"], number["value"]) == ("game", "1", "1000", "500")
    assert list(links)[-2:] == ["/3/", "/800/"], "the nearest faults before and after"
    assert "<form" not in drawn(beside(FEW, 3))
    assert not drawn(beside(1, 1)).strip()
