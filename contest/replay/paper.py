"""The parts of a replay that are pages of their own: sheets to print, and the transcript.

They are queries of the replay's address, `?sheets=1-8` and `?transcript=1`, so the page that decides who may see the
replay decides about them, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from contest.replay import Replay
from contest.replay.sheets import sheets
from contest.replay.transcript import transcript


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
