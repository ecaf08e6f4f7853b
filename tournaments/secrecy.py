"""What of a judged problem's hidden games may be seen, and by whom: nothing before the contest ends, save for those who
have a role in it.

Lists and tables show what stands in the rows of a match, and there only the verdict is written (play.write_verdict).
All that a page may open besides, the record and the bot's log, goes through here.
"""

from __future__ import annotations

from django.utils import timezone

from contest.models import AnyUser, Phase
from contest.permissions import standing_of
from contest.replay import Pieces
from games import record as records
from games.record import Record
from tournaments.models import Match


def is_hidden_from(match: Match, user: AnyUser) -> bool:
    """Whether the match has games that this user must not know of."""
    if not match.stage.played_in.runs or match.contest.phase(timezone.now()) == Phase.ENDED:
        return False
    return not standing_of(user, match.contest).sees_desk


def open_part(match: Match, record: Record) -> Record:
    """The record as if only the games that everybody knows had been played, without a word on how it all ended."""
    known = len(match.contest.game.sample)
    events = [event for game in records.games(record)[:known] for event in game]
    nothing = {"scores": [0] * len(record["seats"]), "places": [1] * len(record["seats"]), "disqualified": []}
    return {**record, "seed": 0, "events": events, "result": nothing}


def open_pieces(record: Record, pieces: Pieces) -> Pieces:
    """What a bot wrote to standard error during the games of such a part."""
    return [(place, text) for place, text in pieces if place < len(record["events"])]
