"""A whole contest as one ZIP, written while it is being sent: it is never complete in memory or on disk.

Results that arrive during the download may be in one file and missing in another. A finished contest does not change.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from io import BytesIO
from pathlib import PurePath

from django.db import transaction
from django.http import StreamingHttpResponse
from django.utils import timezone

from contest import export as people
from contest import spreadsheets
from contest.models import Act, Contest, User
from games.record import games_played, loads, log
from submissions import export as bots
from tournaments import kinds
from tournaments.exports import export
from tournaments.models import Match, MatchSeat, PrunedRecord, Record
from tournaments.results.visibility import Sight, everything

CHUNK = 1 << 16
LEVEL = 5  # of compression

ABOUT = {
    "contest.json": "all settings, the game's options and the people with a role",
    "teams.csv": "teams and their members; teams.json has the same with ids",
    "stages.json": "stages in order: format, options, seeding, entrants, pinned versions, tables and reviews",
    "standings.csv": "all teams by rating, or by judged problems; standings.json also has the ranking of every stage",
    "ratings.json": "the current ratings",
    "matches.csv": "one row per player and match: points, place, faults, times, version and seed",
    "matches.json": "the same grouped by match, with options and limits; also void matches and those of reviews",
    "pruned.csv": "matches whose records are no longer kept, and why; the SHA-256 tells whether a copy is the record",
    "records/": "ID.json is the record of match ID, byte for byte; check it with `games verify`",
    "logs/": "ID-SEAT.json is what that bot wrote to standard error: pairs of an event number and a text",
    "versions.csv": "every uploaded version and whether it was ready or rejected",
    "sources/": "a folder per team: source, strategy text and build log of every version that is active or has played",
    "announcements.json": "all announcements",
    "questions.json": "questions and their answers",
    "trail.csv": "who did what, when and why",
}


class _Outlet:
    """The target of a ZIP, from which the bytes are taken at once."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self.size = 0

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        self.size += len(data)
        return len(data)

    def flush(self) -> None:
        pass

    def take(self) -> bytes:
        taken = b"".join(self._pieces)
        self._pieces, self.size = [], 0
        return taken


def recorded(contest: Contest, by: User) -> Iterator[bytes]:
    """The ZIP for a download. The audit log records who asked for it, because it holds addresses and sources."""
    with transaction.atomic():
        Act.record(contest, by, "export everything", contest.name)
    return archive(contest, by)


def archive(contest: Contest, by: User, now: datetime | None = None) -> Iterator[bytes]:
    """The ZIP, piece by piece."""
    at = timezone.localtime(now or timezone.now())
    outlet = _Outlet()
    with zipfile.ZipFile(outlet, "w", compresslevel=LEVEL) as target:  # type: ignore[call-overload]
        for name, pieces in files(contest, by, at):
            entry = zipfile.ZipInfo(f"{contest.slug}/{name}", at.timetuple()[:6])
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            with target.open(entry, "w", force_zip64=name == "matches.json") as file:
                for piece in pieces:
                    file.write(piece.encode() if isinstance(piece, str) else piece)
                    if outlet.size >= CHUNK:
                        yield outlet.take()
            yield outlet.take()
    yield outlet.take()


def files(contest: Contest, by: User, at: datetime) -> Iterator[tuple[str, Iterable[str | bytes]]]:
    """(name, content in pieces) of every file."""
    sheet, sight = spreadsheets.for_people, everything(contest)
    yield "README.txt", [readme(contest, by, at)]
    yield "contest.json", [people.dumps(people.settings(contest))]
    yield "teams.csv", sheet(people.team_rows(contest))
    yield "teams.json", people.listed(people.teams(contest))
    yield "stages.json", people.listed(export.stages(sight))
    yield "standings.csv", sheet(export.standing_rows(export.of_contest(sight)))
    yield "standings.json", [people.dumps(all_standings(sight))]
    yield "ratings.json", people.listed(export.ratings(contest))
    yield "matches.csv", sheet(export.match_rows(export.matches(sight)))
    yield "matches.json", people.listed(export.matches(sight))
    yield "versions.csv", sheet(bots.version_rows(contest))
    yield "announcements.json", people.listed(people.announcements(contest))
    yield "questions.json", people.listed(people.questions(contest))
    yield "trail.csv", sheet(people.trail_rows(contest))
    yield "pruned.csv", sheet(pruned_rows(contest))
    for record in people.rows(Record.objects.filter(match__contest=contest), 20):
        yield f"records/{record.match_id}.json", [record.text()]
    for match, seat, said in export.logs(contest):
        yield f"logs/{match}-{seat}.json", [people.dumps(said)]
    for path, content in bots.sources(contest):
        yield f"sources/{path}", [content]


def pruned_rows(contest: Contest) -> Iterator[list[object]]:
    yield ["match", "sha256", "why", "at"]
    found = PrunedRecord.objects.filter(match__contest=contest).order_by("pk")
    for row in found.values_list("match", "sha256", "why", "at").iterator(2000):
        yield list(row)


def all_standings(sight: Sight) -> dict[str, object]:
    """The standings of the contest and of each stage, with the champion."""
    stages = sight.contest.stages.order_by("pk")
    return {
        "contest": list(export.of_contest(sight)),
        "stages": [{"stage": it.pk, "name": it.name, "teams": list(kinds.of(it).export(it, sight))} for it in stages],
        "champion": export.champion(sight),
    }


def readme(contest: Contest, by: User, at: datetime) -> str:
    width = max(map(len, ABOUT))
    lines = [f"{name:{width}}  {about}" for name, about in ABOUT.items()]
    game = contest.game
    return "\n".join(
        [
            contest.name,
            f"{game.title}, preset {contest.preset}. Written by Kibitz for {by} on {at:%Y-%m-%d at %H:%M %Z}.",
            "Only for people who run the contest: it contains names, email addresses, sources and logs of all teams.",
            "",
            *lines,
            "",
            "Times are in UTC, JSON is UTF-8. A cell that a spreadsheet could take for a formula begins with '.",
            "All files refer to matches, teams and stages by id. A house player has a name but no team.",
            "",
        ]
    )


TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json", "zip": "application/zip"}

FILES: dict[str, tuple[str, Callable[[Contest], Iterable[str]]]] = {
    "standings.csv": (
        "All teams by rating, whatever a stage's ranking says. With judged problems only: by penalty time.",
        lambda it: spreadsheets.lines(export.standing_rows(export.of_contest(everything(it)))),
    ),
    "standings.json": (
        "The same, and the ranking of every stage.",
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


LOGS = 30
"""The most games whose logs are in it. The others have an address each."""

TEXT = """{title}

Contest   {contest}, {stage}
Game      {game}, rules {rules}
Seed      {seed}
Record    {record}, format {format}
          SHA-256 {sha256}

Players, in the order of the record:
{players}

With Python 3.11 or newer and kibitz.pyz from a kit of the contest:

    python3 kibitz.pyz verify {record}
    python3 kibitz.pyz show {record}
    python3 kibitz.pyz again {record} --seat 1 mine.py

`verify` plays every decision by the rules, with the cards of the seed, and compares. `again` plays the same deals with
your program in a seat.{more}
"""


def bundle(match: Match, kept: Record) -> bytes:
    """Return the ZIP. `kept`: the whole record, for a reader who may have it."""
    text = kept.text()
    record = loads(text)
    name, log_name = f"match-{match.pk}", PurePath(match.contest.game.log_name)
    count = games_played(record)
    more = f"\n\nThe logs are those of the first {LOGS} games of {count}." if count > LOGS else ""
    about = TEXT.format(
        title=f"{match.title} ({name})",
        contest=match.contest.name,
        stage=match.stage.name,
        game=match.contest.game.title,
        rules=record["rules"],
        seed=record["seed"],
        record=f"{name}.json",
        format=record["format"],
        sha256=kept.sha256,
        players="\n".join(map(_player, match.players)),
        more=more,
    )
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        when = (match.finished_at or kept.made_at).timetuple()[:6]
        files = {"README.txt": about, f"{name}.json": text}
        for number in range(1, min(count, LOGS) + 1):
            files[f"{log_name.stem}-{number}{log_name.suffix}"] = log(record, number)
        for path, content in files.items():
            entry = zipfile.ZipInfo(f"{name}/{path}", when)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            target.writestr(entry, content)
    return made.getvalue()


def _player(seat: MatchSeat) -> str:
    """Who plays, with the version and what identifies it."""
    if seat.submission is not None:
        source = seat.submission
        return f"  {seat.index + 1}. {seat.name}: version {source.number}, {source.filename}, SHA-256 {source.sha256}"
    return f"  {seat.index + 1}. {seat.name}: {'own program' if seat.team_id else f'house:{seat.house}'}"
