"""A game in sentences: everything that the view knows, event by event, as one page of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from contest.formatting import milliseconds
from contest.replay import Replay
from contest.replay.parts import Round
from contest.replay.sheets import upper


@dataclass(frozen=True, slots=True)
class Line:
    """One event in words."""

    ply: int
    href: str
    where: str  # within its round; blank where it is that of the line before
    text: str
    time: str
    is_fault: bool


@dataclass(frozen=True, slots=True)
class Chapter:
    """What happened in one round."""

    title: str
    round: Round
    lines: Sequence[Line]


def transcript(replay: Replay) -> dict[str, Any]:
    """The context of `templates/replay/transcript.html`."""
    return {
        "replay": replay,
        "chapters": [_chapter(replay, each) for each in replay.rounds],
        "views": replay.views,
        "sheets": f"{replay.base_url}?sheets=all&view={replay.view}",
    }


def _chapter(replay: Replay, this: Round) -> Chapter:
    lines: list[Line] = []
    before = ""
    for ply in range(this.first, this.last + 1):
        event, where = replay.events[ply], replay.places[ply]
        if text := replay.captions[ply]:
            timed = event.get("ms") is not None and "by" not in event
            time = milliseconds(event["ms"]) if timed else ""
            shown = upper(where) if where != before else ""
            lines.append(Line(ply, replay.href(ply), shown, text, time, event["event"] == "fault"))
            before = where
    title = f"{upper(replay.game.hand_word)} {this.number}" if replay.game.hand_word else ""
    return Chapter(title, this, lines)
