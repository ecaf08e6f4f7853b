"""A match as one ZIP: what somebody needs to play it again at home, or to prove what happened."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import PurePath

from games.record import games_played, loads, log
from tournaments.models import Match, MatchSeat, Record

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
        players="\n".join(map(_player, match.seats.select_related("team", "submission").order_by("index"))),
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
