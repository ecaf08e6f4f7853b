"""Which matches this machine can play, where several machines with different languages share the work."""

from __future__ import annotations

from datetime import datetime

import games
from submissions.able import left_to_others
from tournaments.models import Match
from tournaments.seating.queue import QUEUE


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
