"""Tables as the replay page draws them, from the golden records."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import render_to_string

from contest.replay import Replay, build_replay
from games.record import Record, loads

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "games" / "golden"

long = pytest.mark.long("more")
every_view = pytest.mark.parametrize(
    "view", [pytest.param("table", marks=long), "0", pytest.param("hidden", marks=long)]
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
