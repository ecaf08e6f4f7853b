"""The records of matches as their readers may see them."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from django.http import Http404
from django.urls import reverse

from contest.middleware import NoLonger
from contest.names import Name, folded
from games.record import Record as GameRecord
from tournaments.kinds import secrecy
from tournaments.models import Match, PrunedRecord, Record
from tournaments.results.cache import Cache
from tournaments.results.visibility import Sight


class KeptRecord(NamedTuple):
    """A record with the length of its text and a digest of it. A hundred games are a thousand times longer than a
    single round."""

    record: GameRecord
    length: int
    digest: str


RECORDS: Cache[KeptRecord] = Cache(8_000_000, size=lambda kept: kept.length)
"""Recently read records, so that stepping through a game reads its record once. The limit is in characters; as
objects they take about five times as much memory."""


def _read(match_id: int, sha256: str) -> KeptRecord:
    text = Record.objects.get(match=match_id).text()
    return KeptRecord(json.loads(text), len(text), sha256)


def _part(match: Match, whole: KeptRecord, known: secrecy.Shown) -> KeptRecord:
    """A digest of the whole would change with what is hidden, so a part has its own."""
    part = secrecy.part_of(match, whole.record, known)
    text = json.dumps(part, sort_keys=True)
    return KeptRecord(part, len(text), hashlib.sha256(text.encode()).hexdigest())


def _kept(match: Match, sight: Sight) -> KeptRecord | None:
    sha256 = _sha256(match)
    if not sha256:
        return None
    whole, known = RECORDS.get((match.pk, sha256), lambda: _read(match.pk, sha256)), secrecy.shown(match, sight)
    return whole if known.is_whole else RECORDS.get((match.pk, sha256, known), lambda: _part(match, whole, known))


def _sha256(match: Match) -> str | None:
    """Of the whole record. A page asks for several things that follow from it, but the database once at most."""
    attempt, known = match.__dict__.get("_known_record", (match.attempt, match.__dict__.get("sha256")))
    if known is None or attempt != match.attempt:
        known = Record.objects.filter(match=match).values_list("sha256", flat=True).first()
        match.__dict__["_known_record"] = match.attempt, known
    return known


def record_of(match: Match, sight: Sight) -> GameRecord | None:
    """The record of a match without what is hidden from the reader. None before it is played."""
    kept = _kept(match, sight)
    return kept.record if kept else None


def why_pruned(match: Match) -> str:
    """Why the record of a match is kept no longer (playing.pruning), as a sentence. Blank if it is, or if the match was
    not played as far as the reader knows."""
    if match.status not in (Match.State.DONE, Match.State.VOID) or _sha256(match):
        return ""
    told = PrunedRecord.objects.filter(match=match).values_list("why", flat=True).first()
    return told or (WITHOUT_A_REASON if match.status == Match.State.DONE else "")


WITHOUT_A_REASON = "This replay was deleted: a contest that never ends keeps only its latest ones."
"""For records that were deleted before reasons were kept."""


def or_gone(match: Match, otherwise: str) -> Http404:
    """What to raise where there is no record."""
    why = why_pruned(match)
    return NoLonger(why) if why else Http404(otherwise)


def digest_of(match: Match, sight: Sight) -> str | None:
    """A digest of what the reader may see of the record. None before the match is played."""
    kept = _kept(match, sight)
    return kept.digest if kept else None


def with_teams(match: Match, record: GameRecord) -> GameRecord:
    """The record for a page, with team and bot names: "Bob's team (Rosie)"."""
    teams = {seat.index: seat for seat in match.players if seat.team and seat.own_name}
    seats = [
        {**seat, "name": f"{teams[index].name} ({Name(seat['name'])})"}
        if index in teams and folded(teams[index].name) != folded(seat["name"])
        else seat
        for index, seat in enumerate(record["seats"])
    ]
    return {**record, "seats": seats}


def failure_of(match: Match, record: GameRecord | None) -> dict[str, Any]:
    """The first failed game of a judged entry, among those that may be seen."""
    failed = match.contest.game.first_failure(record["events"]) if record else None
    return {"failed": failed, "first_failure": reverse("replay", args=[match.pk, failed or 1])}
