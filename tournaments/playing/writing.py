"""Writing results: everything that one or more matches of a contest have led to, in one transaction.

Whatever can be computed before is computed before the contest is locked, because its results are serialised: ratings
depend on their order. The number of statements does not depend on the number of results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone

from contest import bulk, ledger
from contest.ledger import Fact, hold
from contest.models import Audience, Kind
from games import record as records
from games import referee
from submissions.lease import LeaseLost
from tournaments import kinds
from tournaments.models import BotLog, Match, Record
from tournaments.results import tallies

State = Match.State


@dataclass(frozen=True, slots=True)
class Result:
    """A claimed match that was played. `began`: when, if it waited after its claim."""

    claimed: Match
    played: referee.Match
    began: datetime | None = None


def write(results: Sequence[Result]) -> list[Match]:
    """Write the complete outcomes of matches of one contest, each once. Returns those whose claim still held; of the
    others nothing is written."""
    texts = {it.claimed.pk: Record.of(it.claimed, records.dumps(it.played.record)) for it in results}
    prefetch_related_objects([it.claimed for it in results], "seats")
    for it in results:
        _fill(it.claimed, it.played)
    logs = {it.claimed.pk: _logs(it.claimed, it.played) for it in results}
    gains = {it.claimed.pk: tallies.gains_of(it.claimed) for it in results}
    with transaction.atomic():
        contest = hold(results[0].claimed.contest_id)
        done = _held([it.claimed for it in results])
        if not done:
            return []
        finished_at = timezone.now()
        first = ledger.write(contest, *(_fact_of(match) for match in done))
        began = {it.claimed.pk: it.began or it.claimed.started_at for it in results}
        for number, match in enumerate(done, first):
            match.state, match.finished_at, match.resulted = State.DONE, finished_at, number
            match.started_at, match.lease_until, match.last_error = began[match.pk], None, ""
        values = [(it.pk, *(getattr(it, name.lstrip("=")) for name in WRITTEN)) for it in done]
        if bulk.update(Match, WRITTEN, values, {"state": State.RUNNING}) != len(done):
            raise LeaseLost  # impossible while all who take or void matches hold the contest
        bulk.insert([texts[match.pk] for match in done])
        if counted := {match: gains[match.pk] for match in done if not match.pending}:
            tallies.count(counted)
        if pending := [match for match in done if match.pending]:
            tallies.write_seats(pending)
        bulk.insert([log for match in done for log in logs[match.pk]])
    return done


WRITTEN = ("=attempt", "state", "started_at", "finished_at", "lease_until", "last_error", "resulted", "games")


def _fill(claimed: Match, played: referee.Match) -> None:
    """Set the outcome in the match and its seats."""
    kind, game = kinds.of(claimed.stage), claimed.contest.game
    claimed.games = kind.games_told(game, records.games_played(played.record))
    kind.fill_result(game, list(claimed.seats.all()), played)


def _logs(claimed: Match, played: referee.Match) -> list[BotLog]:
    return [
        BotLog.of(seat, [(piece.index, piece.text) for piece in pieces])
        for seat, pieces in zip(claimed.seats.all(), played.debug, strict=True)
        if pieces and seat.team_id is not None
    ]


def _held(claimed: Sequence[Match]) -> list[Match]:
    """Those whose claim holds. The contest must be held, and the release of their stages is read again: it may have
    changed during the match."""
    marks = ", ".join(["%s"] * len(claimed))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT m.id, m.attempt, s.release, s.released FROM tournaments_match m"
            f" JOIN tournaments_stage s ON s.id = m.stage_id WHERE m.state = 'running' AND m.id IN ({marks})",
            [match.pk for match in claimed],
        )
        rows = {(pk, attempt): (release, released) for pk, attempt, release, released in cursor.fetchall()}
    found = []
    for match in claimed:
        if (match.pk, match.attempt) in rows:
            match.stage.release, match.stage.released = rows[match.pk, match.attempt]
            found.append(match)
    return found


def _fact_of(claimed: Match) -> Fact:
    """The ledger entry for its result. A match of a review gets one only when the review is applied."""
    audience = Audience.ORGANISERS if claimed.pending else None
    return Fact(Kind.MATCH_RESULT, claimed.stage_id, claimed.pk, audience=audience, withheld=claimed.is_unreleased)
