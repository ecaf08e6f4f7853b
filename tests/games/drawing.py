"""Tables as the replay page draws them, from the golden records."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from django.template.loader import render_to_string
from playwright.sync_api import Page

from contest.replay import Replay, build_replay
from games.record import Record, loads
from tests.looks import each_look

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "games" / "golden"
SHEETS = (
    *("css/kibitz.css", "css/frame.css", "css/parts.css", "css/cards.css", "css/table.css", "css/replay.css"),
    *("css/moves.css", "css/below.css", "css/charts.css"),
)


def golden(slug: str) -> dict[str, Record]:
    """The golden records of a game by the rest of their names."""
    return {path.stem.removeprefix(f"{slug}-"): loads(path.read_bytes()) for path in sorted(GOLDEN.glob(f"{slug}-*"))}


def drawn(record: Record, ply: int, view: str, number: int = 1) -> tuple[str, dict[str, Any]]:
    """The replay at a position, and the table there."""
    context = build_replay(Replay(record, number, view, "/r/"), ply)
    return render_to_string("replay/_replay.html", context), context["step"].table


def table(html: str) -> str:
    return html[html.index('<div class="felt') : html.index('<aside class="log"')]


def words(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", table(html)).split())


def faces(html: str) -> list[str]:
    """The cards of a piece of a page: rank and letter of the suit."""
    return [rank + suit for suit, rank in re.findall(r'<i class="card ([cdhs])[^"]*"[^>]*>(\w+)</i>', html)]


def styled(html: str, slug: str) -> str:
    """A page with only the portal's style sheets, which import Pico as a layer, and that replay."""
    sheets = [(ROOT / "static" / sheet).read_text() for sheet in (*SHEETS, f"../games/{slug}/table.css")]
    pico = (ROOT / "static/vendor/pico/2.1.1/pico.min.css").read_text()
    styles = "".join(f"<style>{text}</style>" for text in (f"@layer pico {{{pico}}}", *sheets))
    head = f'<html lang="en"><head><meta charset="utf-8"><title>Replay</title>{styles}</head>'
    return f'<!doctype html>{head}<body><main class="container"><h1>Replay</h1>{html}</main></body></html>'


def look_at(page: Page, axe: Callable[[Page], None], slug: str, replays: Iterable[str]) -> None:
    """Nothing overflows, and axe is content, at every width and in every colour scheme."""
    for number, html in enumerate(replays):
        page.set_content(styled(html, slug))
        for _, width in each_look(page):
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (number, width)
            axe(page)
