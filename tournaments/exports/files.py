"""The files that organisers download: tables for spreadsheets and programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.http import StreamingHttpResponse

from contest import export as people
from contest import spreadsheets
from contest.models import Contest
from tournaments.exports import export
from tournaments.exports.archive import all_standings
from tournaments.results.visibility import everything

TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json", "zip": "application/zip"}

FILES: dict[str, tuple[str, Callable[[Contest], Iterable[str]]]] = {
    "standings.csv": (
        "The standings of the whole contest, by rating or, for judged problems, by penalty time.",
        lambda it: spreadsheets.lines(export.standing_rows(export.of_contest(everything(it)))),
    ),
    "standings.json": (
        "The same standings, and the ranking of every stage.",
        lambda it: [people.dumps(all_standings(everything(it)))],
    ),
    "matches.csv": (
        "One row per player and match: points, place, faults, times, version, seed.",
        lambda it: spreadsheets.lines(export.match_rows(export.matches(everything(it)))),
    ),
    "matches.json": (
        "The same data grouped by match, with the options and limits.",
        lambda it: people.listed(export.matches(everything(it))),
    ),
    "trail.csv": ("The audit log: who did what, when and why.", lambda it: spreadsheets.lines(people.trail_rows(it))),
}
"""By file name: a description, and a function that writes the contents."""

EVERYTHING = "everything.zip"


def sent(contest: Contest, name: str, pieces: Iterable[str | bytes]) -> StreamingHttpResponse:
    """A download of this name, sent while it is written."""
    response = StreamingHttpResponse(pieces, content_type=TYPES[name.rpartition(".")[2]])
    response["Content-Disposition"] = f'attachment; filename="{contest.slug}-{name}"'
    return response
