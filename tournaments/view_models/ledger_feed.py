"""Entries of the ledger as values, as far as a reader may know them (results/entries_seen.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from contest.models import Kind, LedgerEntry
from tournaments.kinds import secrecy
from tournaments.results.entries_seen import EntriesSeen, id_of
from tournaments.results.visibility import Sight

BATCH = 1000

REASONED = (
    *(Kind.MATCH_VOIDED, Kind.MATCH_RESTORED, Kind.REVIEW_APPLIED),
    *(Kind.STAGE_RESET, Kind.STAGE_SHORTENED, Kind.STAGE_ABANDONED),
    *(Kind.TEAM_DISQUALIFIED, Kind.TEAM_WITHDRAWN, Kind.TEAM_REINSTATED),
)
"""Kinds whose reasons everybody can read on pages."""


def feed(sight: Sight, number: int) -> Iterator[dict[str, Any]]:
    """Yield everything after this number, in batches."""
    more = True
    while more:
        batch = sight.entries.after(number, BATCH)
        yield from told(sight, batch)
        more = len(batch) == BATCH
        number = batch[-1].number if batch else number


def told(sight: Sight, found: Sequence[LedgerEntry]) -> Iterator[dict[str, Any]]:
    """Yield these entries. A constant number of queries."""
    seen = sight.entries
    known = _matches_known(seen, found)
    secret = {stage.pk for stage in sight.stages if secrecy.hides_games_in(stage, sight)}
    for entry in found:
        data = _data(seen, entry, known)
        own = id_of(entry, data.get("matches", []))
        yield {
            "id": own,
            "cursor": seen.place_after(own, entry.number),
            "number": entry.number if seen.sees_all else None,
            # How long a run with hidden games took is a secret.
            "at": None if entry.kind == Kind.MATCH_RESULT and entry.stage_id in secret else entry.at,
            "kind": entry.kind,
            "stage": entry.stage_id,
            "round": entry.round,
            "match": entry.match_id,
            "team": entry.team_id,
            "reason": entry.reason if seen.sees_all or entry.kind in REASONED else "",
            "data": data,
            "audience": entry.audience if seen.sees_all else None,
            "by": (str(entry.by) if entry.by else "") if seen.sees_all else None,
            "review": entry.review_id if seen.sees_all else None,
        }


def _matches_known(seen: EntriesSeen, found: Sequence[LedgerEntry]) -> frozenset[int]:
    """Of stages released by rounds: the matches that these entries name and that the reader may know of."""
    partly = [entry for entry in found if not seen.sees_all and entry.stage_id in seen.by_rounds]
    named = {pk for entry in partly for pk in _named(entry.data)}
    return frozenset(seen.open_matches.filter(pk__in=named).values_list("pk", flat=True)) if named else frozenset()


def _named(data: Mapping[str, Any]) -> list[int]:
    return [*data.get("matches", ()), *(pk for pair in data.get("replaced", ()) for pk in pair)]


def _data(seen: EntriesSeen, entry: LedgerEntry, known: frozenset[int]) -> dict[str, Any]:
    if seen.sees_all:
        return dict(entry.data)
    whole = entry.stage_id not in seen.by_rounds
    if entry.kind == Kind.MATCHES_DRAWN:
        return {"matches": [pk for pk in entry.data["matches"] if whole or pk in known]}
    if entry.kind == Kind.REVIEW_APPLIED:
        return {"replaced": [pair for pair in entry.data["replaced"] if whole or known.issuperset(pair)]}
    return dict(entry.data) if entry.kind == Kind.ENTRANTS_SET else {}
