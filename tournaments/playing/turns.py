"""Whose turn it is: first the contest that a worker plays for, then its next matches.

Contests take turns, so that none waits for another's long matches: the one with the fewest matches in progress comes
first, then the one that was served longest ago. Within a contest the priority of
its matches decides. `MatchQuerySet.taking_turns` sorts matches by the same rule, but must read all that are
queued; this reads a row of each contest and then the head of one queue, however long it is.

Plain SQL for SQLite and PostgreSQL, because every claim takes it. Each queue is the head of an index (`match_queue`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import connection

import games
from submissions.able import left_to_others
from tournaments.models import Match
from tournaments.seating.queue import QUEUE


class Turn(NamedTuple):
    """A contest with something to play. `stages`: in progress. `reviews`: open."""

    contest: int
    stages: tuple[int, ...]
    reviews: tuple[int, ...]


class Due(NamedTuple):
    """A queued match. `hidden`: it belongs to a review or to a round that is not released."""

    pk: int
    failures: int
    stage: int
    hidden: bool


QUEUED = "m.state = 'queued' AND NOT m.live AND m.due_at <= %s {able}"

FIRST = "ORDER BY m.priority, m.id LIMIT 1"  # PostgreSQL would make a join of EXISTS, and read all that are queued

TURNS = """
SELECT source.contest_id, source.stage, source.review
FROM (
    SELECT s.contest_id, s.id AS stage, 0 AS review FROM tournaments_stage s WHERE s.state = 'running'
    AND (SELECT m.id FROM tournaments_match m WHERE m.stage_id = s.id AND NOT m.pending AND {queued} {first}) > 0
    UNION ALL
    SELECT r.contest_id, 0, r.id FROM tournaments_review r WHERE r.state = 'open'
    AND (SELECT m.id FROM tournaments_match m WHERE m.review_id = r.id AND m.pending AND {queued} {first}) > 0
) source
ORDER BY
    (SELECT count(*) FROM tournaments_match m WHERE m.contest_id = source.contest_id AND m.state = 'running'),
    (SELECT max(m.started_at) FROM tournaments_match m WHERE m.contest_id = source.contest_id) NULLS FIRST,
    source.contest_id, source.stage
"""

DUE = """
SELECT * FROM (
    SELECT m.id, m.priority, m.failures, m.stage_id,
        (m.pending OR (s.release = 'rounds' AND t.round > s.released)) AS hidden
    FROM tournaments_match m JOIN tournaments_stage s ON s.id = m.stage_id JOIN tournaments_table t ON t.id = m.table_id
    {join} WHERE {of} AND {queued} ORDER BY m.priority, m.id LIMIT %s
) AS {name}
"""
OF_STAGE = {"join": "", "of": "m.stage_id = %s AND NOT m.pending AND s.state = 'running'", "name": "of_stage"}
OF_REVIEW = {
    "join": "JOIN tournaments_review r ON r.id = m.review_id",
    "of": "m.review_id = %s AND m.pending AND r.state = 'open'",
    "name": "of_review",
}


def _queued() -> tuple[str, list[str]]:
    """The condition for a match that this machine may take now, to be filled with the time and these values."""
    able_here, values = condition()
    return QUEUED.format(able=able_here), values


def turns(now: datetime) -> list[Turn]:
    """The contests with a match for workers that is due, in their order."""
    at = connection.ops.adapt_datetimefield_value(now)
    queued, values = _queued()
    sources: dict[int, tuple[list[int], list[int]]] = {}
    with connection.cursor() as cursor:
        cursor.execute(TURNS.format(queued=queued, first=FIRST), [at, *values, at, *values])
        for contest, stage, review in cursor.fetchall():
            stages, reviews = sources.setdefault(contest, ([], []))
            if stage:
                stages.append(stage)
            else:
                reviews.append(review)
    return [Turn(contest, tuple(stages), tuple(reviews)) for contest, (stages, reviews) in sources.items()]


def due(turn: Turn, now: datetime, most: int) -> Sequence[Due]:
    """The next matches of the contest, at most so many, as they are now. Hold the contest before you claim them."""
    at = connection.ops.adapt_datetimefield_value(now)
    queued, able_values = _queued()
    sources = [(pk, OF_STAGE) for pk in turn.stages] + [(pk, OF_REVIEW) for pk in turn.reviews]
    parts = [DUE.format(queued=queued, **of) for _, of in sources]
    values = [value for pk, _ in sources for value in (pk, at, *able_values, most)]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts) + " ORDER BY 2, 1 LIMIT %s", [*values, most])
        rows = cursor.fetchall()
    return [Due(pk, failures, stage, bool(hidden)) for pk, _, failures, stage, hidden in rows]


TAKE = """
UPDATE tournaments_match SET state = 'running', attempt = attempt + 1, worker = %s, started_at = %s, lease_until = %s
WHERE state = 'queued' AND id IN ({marks}) RETURNING *
"""


def take(matches: Sequence[int], worker: str, now: datetime, until: datetime) -> list[Match]:
    """Claim those of these matches that are queued, and load them, in this order. Their contests must be held."""
    times = [connection.ops.adapt_datetimefield_value(at) for at in (now, until)]
    sql = TAKE.format(marks=", ".join(["%s"] * len(matches)))
    taken = {match.pk: match for match in Match.objects.raw(sql, [worker, *times, *matches])}
    return [taken[pk] for pk in matches if pk in taken]


def condition() -> tuple[str, list[str]]:
    """In SQL, for matches named `m`, with the values of its placeholders: leaves out matches that this machine cannot
    play and another worker can (turns.py)."""
    left = left_to_others(QUEUE)
    said, values = "", list[str]()
    seats = "SELECT 1 FROM tournaments_matchseat e"
    if left.languages:
        marks = ", ".join(["%s"] * len(left.languages))
        written = "JOIN submissions_submission b ON b.id = e.submission_id"
        said += f" AND NOT EXISTS ({seats} {written} WHERE e.match_id = m.id AND b.language IN ({marks}))"
        values += sorted(left.languages)
    by_socket = [slug for slug, game in games.GAMES.items() if game.protocol == "socket"]
    if left.connections and by_socket:
        contests = f"SELECT id FROM contest_contest WHERE game_slug IN ({', '.join(['%s'] * len(by_socket))})"
        with_bot = f"EXISTS ({seats} WHERE e.match_id = m.id AND e.submission_id IS NOT NULL)"
        said += f" AND NOT (m.contest_id IN ({contests}) AND {with_bot})"
        values += by_socket
    return said, values


def others_are_needed(now: datetime) -> bool:
    """Whether something is due that this machine leaves to others."""
    return bool(left_to_others(QUEUE)) and Match.objects.claimable(now).for_workers().exists()
