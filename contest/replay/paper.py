"""The parts of a replay that are pages of their own: sheets to print, and the transcript.

They are queries of the replay's address, `?sheets=1-8` and `?transcript=1`, so the page that decides who may see the
replay decides about them, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from contest.formatting import milliseconds
from contest.replay import Replay
from contest.replay.parts import Round
from contest.replay.sheets import sheets, upper


def paper(
    request: HttpRequest, make: Callable[[str | None], Replay], about: Callable[[], Sequence[str]]
) -> HttpResponse | None:
    """Answer for the sheets or the transcript of a game; None if something else was asked for.

    `about` says what match this is; the first is the heading. Raises Http404 where there is no such game.
    """
    if not {"sheets", "transcript"} & request.GET.keys():
        return None
    try:
        replay = make(request.GET.get("view"))
    except LookupError as error:
        raise Http404(str(error)) from error
    if "sheets" in request.GET:
        name, context = "replay/sheets.html", sheets(replay, request.GET["sheets"])
    else:
        name, context = "replay/transcript.html", transcript(replay)
    heading, *facts = about()
    game = f"game {replay.number} of {replay.count}" if replay.count > 1 else ""
    return render(request, name, {**context, "heading": heading, "facts": [*facts, *filter(None, [game])]})


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
        event, where = replay.events[ply], replay.place(ply)
        if text := replay.captions[ply]:
            timed = event.get("ms") is not None and "by" not in event
            time = milliseconds(event["ms"]) if timed else ""
            shown = upper(where) if where != before else ""
            lines.append(Line(ply, replay.href(ply), shown, text, time, event["event"] == "fault"))
            before = where
    title = f"{upper(replay.game.hand_word)} {this.number}" if replay.game.hand_word else ""
    return Chapter(title, this, lines)
