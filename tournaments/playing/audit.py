"""Whether what is stored agrees with itself: records with the rules and with results, ratings with results, and
everything with the ledger. The last step of a restored backup, and worth a look at any time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from django.db import transaction

from contest.models import Contest
from games import record as records
from tournaments.models import MatchSeat, Record
from tournaments.results import replay, tallies

AT_ONCE = 50


def problems(contest: Contest) -> Iterator[str]:
    """What does not agree, as sentences. Leaves nothing changed."""
    yield from problems_of_records(contest)
    if changed := _recalculated(contest):
        yield f"the ratings or totals of {changed} matches do not follow from the results: ./run manage rerate"
    yield from replay.differences(contest)


def _recalculated(contest: Contest) -> int:
    """How many matches `rerate` would change."""
    with transaction.atomic():
        changed = tallies.count_all(contest)
        transaction.set_rollback(True)
    return changed


def problems_of_records(contest: Contest) -> Iterator[str]:
    """Play every record by the rules, and compare it with the result that is stored."""
    kept = Record.objects.filter(match__contest=contest).order_by("pk")
    for row in kept.iterator(AT_ONCE):
        if wrong := problem_of(row):
            yield f"record of match {row.match_id}: {wrong}"


def problem_of(row: Record) -> str | None:
    """What is wrong with one record. None if nothing is."""
    text = row.text()
    if (digest := hashlib.sha256(text.encode()).hexdigest()) != row.sha256:
        return f"its SHA-256 is {digest}, and should be {row.sha256}"
    record = records.loads(text)
    if wrong := records.verify(record):
        return str(wrong)
    result: dict[str, Any] = dict(record["result"])
    seats = list(MatchSeat.objects.filter(match=row.match_id).order_by("index").values_list("score", "place"))
    if [score for score, _ in seats] != result["scores"]:
        return f"the scores stored are {[score for score, _ in seats]}, and in the record {result['scores']}"
    return None
