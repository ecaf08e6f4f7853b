"""Everything about one match as values: what its page shows."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from games.record import games
from tournaments import kinds
from tournaments.exports import export
from tournaments.kinds import secrecy
from tournaments.models import Match
from tournaments.results.visibility import Sight
from tournaments.view_models.games_played import faults_of, games_of
from tournaments.view_models.queries import at_the_table
from tournaments.view_models.records import digest_of, record_of, why_pruned


def match_told(match: Match, sight: Sight) -> dict[str, Any]:
    """A match that the reader may see in full."""
    (told,) = export.told(sight, list(export.in_full(sight.matches().filter(pk=match.pk))))
    is_whole = secrecy.shows_all(match, sight)
    record = record_of(match, sight)
    split = games(record) if record else []
    others = _others(match, sight.matches())
    return {
        **told,
        "withheld": False,
        "contest": match.contest.slug,
        "title": match.title,
        "restored_reason": match.restored_reason if match.status == Match.State.DONE else "",
        "attempt": match.attempt,
        "failures": match.failures,
        "same_table": list(others.values_list("pk", flat=True)),
        "record_sha256": digest_of(match, sight) if is_whole and record else "",
        "record_gone": why_pruned(match, sight),
        "game_results": games_of(match, record, split, range(1, len(split) + 1)) if record else [],
        "fault_list": [_fault(each) for each in faults_of(match, record, split)] if record else [],
    }


def _fault(found: dict[str, Any]) -> dict[str, Any]:
    event = found["event"]
    return {
        **{name: found[name] for name in ("game", "title", "where", "more", "href")},
        "seat": found["player"],
        "kind": event["kind"],
        "detail": event.get("detail", ""),
        "answer": event.get("answer"),
    }


def _others(match: Match, found: QuerySet[Match]) -> QuerySet[Match]:
    """The other matches at its table. A whole ladder is one table, so there it is those that replace one another."""
    others = at_the_table(match, found)
    return others if kinds.of(match.stage).has_plan else others.filter(number=match.number)


def match_withheld(match: Match) -> dict[str, Any]:
    """A match of which only the players are public yet."""
    seats = match.seats.select_related("team")
    return {
        "match": match.pk,
        "withheld": True,
        "contest": match.contest.slug,
        "stage": match.stage_id,
        "stage_name": match.stage.name,
        "round": match.table.round,
        "table": match.table.name,
        "title": match.title,
        "players": [{"seat": seat.index, "player": seat.name, "team_id": seat.team_id} for seat in seats],
    }
