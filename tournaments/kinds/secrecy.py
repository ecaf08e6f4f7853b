"""Secrets in records, logs and match pages: hidden games of judged problems, seeds, and cards that somebody at a table
could profit from.

`shown` says which part of a match's record a reader may have, while it is played and afterwards. All else follows from
it: a part is itself a record, in which nothing is left of the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from contest.replay import Pieces
from contest.replay.growing import HIDDEN, OPEN, as_seen
from games import record as records
from games.record import Record, seating_of
from tournaments import kinds
from tournaments.models import Match, MatchSeat, Stage
from tournaments.results.visibility import Sight


def hides_games_of(match: Match, sight: Sight) -> bool:
    """Whether the match has games that this reader must not know."""
    return not sight.sees_all and kinds.of(match.stage).hides_games(match)


def hides_games_in(stage: Stage, sight: Sight) -> bool:
    """The same for all matches of a stage."""
    return hides_games_of(Match(contest=sight.contest, stage=stage), sight)


class Part(StrEnum):
    """Of a record."""

    WHOLE = "whole"
    SAMPLE = "open part"  # the published games of a judged problem
    SEEN = "as seen"  # what one player saw, or a spectator without cards


@dataclass(frozen=True, slots=True)
class Shown:
    """What a reader may see. `player`: of the record, whose cards they may see too."""

    part: Part
    player: int | None = None

    @property
    def is_whole(self) -> bool:
        return self.part == Part.WHOLE


def shown(match: Match, sight: Sight) -> Shown:
    """What this reader, who may see the match, may see of its games.

    Where somebody at the table could profit from what spectators see, they see only what every seat may know. That is
    so while a team plays with a program of its own, and while matches on the same deals are still to be played; then a
    team sees what its own player saw.
    """
    if hides_games_of(match, sight):
        return Shown(Part.SAMPLE)
    if sight.is_in_unfinished_set(match):
        return Shown(Part.SEEN, _own_player(match, sight))
    if match.live and match.status == Match.State.RUNNING and not sight.sees_all:
        return Shown(Part.SEEN)
    return Shown(Part.WHOLE)


def _own_player(match: Match, sight: Sight) -> int | None:
    team = sight.access.team
    return next((seat.index for seat in match.seats.all() if team is not None and seat.team_id == team.pk), None)


def shows_all(match: Match, sight: Sight) -> bool:
    """Whether nothing of the record is kept from this reader."""
    return shown(match, sight).is_whole


def shows_seed(match: Match, sight: Sight) -> bool:
    """Whether the seed is public. During a match it would tell connected players what will be dealt."""
    over = match.status in (Match.State.DONE, Match.State.VOID)
    return sight.sees_all or (over and shows_all(match, sight))


def can_be_followed(match: Match, sight: Sight) -> bool:
    """Whether this reader, who may see the match, may follow it while it is played."""
    return match.status == Match.State.RUNNING and shown(match, sight).part != Part.SAMPLE


def views(known: Shown, seating: Sequence[int]) -> tuple[str, ...]:
    """The views of a game that such a reader may choose. The first is usual. `seating`: the player in each seat."""
    if known.part != Part.SEEN:
        return (OPEN, *map(str, range(len(seating))), HIDDEN)
    return (HIDDEN,) if known.player not in seating else (str(seating.index(known.player)), HIDDEN)


def views_of_table(seats: int) -> tuple[str, ...]:
    """The views from which those without a seat may follow a casual game: people sit there, and could profit."""
    return views(Shown(Part.SEEN), range(seats))


def part_of(match: Match, record: Record, known: Shown) -> Record:
    """The part of a match's record that such a reader may have."""
    if known.part == Part.SAMPLE:
        return _sample(match, record)
    return _as_seen(match, record, known) if known.part == Part.SEEN else record


def _as_seen(match: Match, record: Record, known: Shown) -> Record:
    """The record with as much of each event as one player may know, or only what all may."""
    events = []
    for game in records.games(record):
        view, *_ = views(known, seating_of(record, game))
        events += as_seen(match.contest.game, game, view)
    return {**record, "seed": 0, "events": events}


def fault_detail(seat: MatchSeat, known: Shown) -> str:
    """The words of the first fault, which may name cards."""
    return seat.fault_detail if known.part != Part.SEEN or seat.index == known.player else ""


def _sample(match: Match, record: Record) -> Record:
    """The record as if only the public games had been played, with nothing about how it ended."""
    known = len(match.contest.game.sample)
    events = [event for game in records.games(record)[:known] for event in game]
    nothing = {"scores": [0] * len(record["seats"]), "places": [1] * len(record["seats"]), "disqualified": []}
    return {**record, "seed": 0, "events": events, "result": nothing}


def open_pieces(record: Record, pieces: Pieces) -> Pieces:
    """What a bot wrote to standard error during the games of the open part."""
    return [(place, text) for place, text in pieces if place < len(record["events"])]


def open_options(stage: Stage, sight: Sight) -> dict[str, Any]:
    """The options of a stage's format without its hidden games, and without the seed from which they are drawn. A seed
    that JavaScript would round is a text."""
    if sight.sees_all:
        return {
            name: str(value) if name == "draw_seed" and value > 2**53 else value
            for name, value in stage.options.items()
        }
    return {name: value for name, value in stage.options.items() if name not in HIDDEN_OPTIONS}


HIDDEN_OPTIONS = ("hidden", "draw", "draw_seed")
