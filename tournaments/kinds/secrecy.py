"""Secrets in records, logs and match pages: hidden games of judged problems, seeds, and cards during the play."""

from __future__ import annotations

from typing import Any

from contest.replay import Pieces
from games import record as records
from games.record import Record
from tournaments import kinds
from tournaments.models import Match, Stage
from tournaments.results.visibility import Sight


def hides_games_of(match: Match, sight: Sight) -> bool:
    """Whether the match has games that this reader must not know."""
    return not sight.sees_all and kinds.of(match.stage).hides_games(match)


def hides_games_in(stage: Stage, sight: Sight) -> bool:
    """The same for all matches of a stage."""
    return hides_games_of(Match(contest=sight.contest, stage=stage), sight)


def shows_seed(match: Match, sight: Sight) -> bool:
    """Whether the seed is public. During a match it would tell connected players what will be dealt."""
    over = match.status in (Match.State.DONE, Match.State.VOID)
    return sight.sees_all or (over and not hides_games_of(match, sight))


def views_while_played(match: Match, sight: Sight) -> tuple[str, ...]:
    """The views from which this reader, who may see the match, may follow it while it is played. The first is usual.

    Where somebody at the table could profit from what spectators see, they see only what everybody at the table may
    know: where a team plays with a program of its own, and where others may still have to play the same deals. That a
    match is of this kind follows from what is public before it begins, so it tells nothing."""
    if hides_games_of(match, sight):
        return ()
    if not sight.sees_all and (match.live or any("deal" in opening for opening in match.openings)):
        return ("hidden",)
    return ("table", *(str(seat) for seat in range(match.seats.count())), "hidden")


def open_part(match: Match, record: Record) -> Record:
    """The record as if only the public games had been played, with nothing about how it ended."""
    known = len(match.contest.game.sample)
    events = [event for game in records.games(record)[:known] for event in game]
    nothing = {"scores": [0] * len(record["seats"]), "places": [1] * len(record["seats"]), "disqualified": []}
    return {**record, "seed": 0, "events": events, "result": nothing}


def open_pieces(record: Record, pieces: Pieces) -> Pieces:
    """What a bot wrote to standard error during the games of the open part."""
    return [(place, text) for place, text in pieces if place < len(record["events"])]


def open_options(stage: Stage, sight: Sight) -> dict[str, Any]:
    """The options of a stage's format without its hidden games, and without the seed from which they are drawn."""
    if sight.sees_all:
        return dict(stage.options)
    return {name: value for name, value in stage.options.items() if name not in HIDDEN_OPTIONS}


HIDDEN_OPTIONS = ("hidden", "draw", "draw_seed")
