"""The record of a match (docs/record.md): write, read, verify, and fold into the positions that replays show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from games import get
from games.engine import Event, Seat, View
from games.format import FORMAT, USED_UP, Record, RecordError, dumps, loads
from games.hearing import Hearing
from games.verify import Difference, verify

__all__ = [
    "FORMAT",
    "Difference",
    "Position",
    "Record",
    "RecordError",
    "captions",
    "dumps",
    "faults_by_player",
    "game_events",
    "game_seating",
    "games",
    "games_played",
    "loads",
    "log",
    "positions",
    "repeats",
    "seating_of",
    "verify",
]


def games(record: Record) -> list[list[Event]]:
    """Split a record into the events of its games, in one pass. Ask once for all games of a long match."""
    events = record["events"]
    ends = [index + 1 for index, event in enumerate(events) if event["event"] == "result"]
    split = [events[start:end] for start, end in pairwise([0, *ends])]
    unfinished = events[ends[-1] :] if ends else events
    return [*split, unfinished] if unfinished else split


def games_played(record: Record) -> int:
    """Count the games that have a result."""
    return sum(game[-1]["event"] == "result" for game in games(record))


def repeats(events: Sequence[Event], ply: int) -> bool:
    """Whether a fault of a game repeats an earlier one: its seat's clock is still used up."""
    fault = events[ply]
    return fault.get("detail") == USED_UP and any(
        each["event"] == "fault" and each["seat"] == fault["seat"] and each["kind"] == fault["kind"]
        for each in map(events.__getitem__, range(ply - 1, -1, -1))  # a clock stays used up: the last one is near
    )


def faults_by_player(record: Record) -> list[list[Event]]:
    """Return every player's faults. A clock that is used up counts once for each game."""
    found: list[list[Event]] = [[] for _ in record["seats"]]
    for events in games(record):
        seating = seating_of(record, events)
        for ply, event in enumerate(events):
            if event["event"] == "fault" and not repeats(events, ply):
                found[seating[event["seat"]]].append(event)
    return found


def game_events(record: Record, number: int) -> list[Event]:
    """Return the events of game `number` (from 1). Raises IndexError when it was not played."""
    split = games(record)
    if not 1 <= number <= len(split):
        raise IndexError(f"this record has no game {number}")
    return split[number - 1]


def seating_of(record: Record, events: Sequence[Event]) -> list[int]:
    """Return the player in each seat of a game, given its events."""
    return list(events[0].get("seating", range(len(record["seats"]))))


def game_seating(record: Record, number: int) -> list[int]:
    """Return the player in each seat of game `number`. Raises IndexError when it was not played."""
    return seating_of(record, game_events(record, number))


@dataclass(frozen=True, slots=True)
class Position:
    """The table after one event of a game. `index` counts the game's events from 0."""

    index: int
    event: Event
    table: dict[str, Any]  # View.position() of the game
    caption: str


def positions(
    record: Record, number: int, seat: Seat | Literal["table"] | None = None, *, plies: range | None = None
) -> list[Position]:
    """Return game `number` event by event, as a seat saw it, as a spectator without cards (None), or on the open table.

    With `plies`, only the positions at those indices, which avoids drawing the others (a game has thousands). Raises
    IndexError when that game was not played.
    """
    return [
        Position(index, shown, view.position(), caption)
        for index, shown, caption, view in _told(record, number, seat, plies)
    ]


def captions(record: Record, number: int, seat: Seat | Literal["table"] | None = None) -> list[str]:
    """Return every event of game `number` in a sentence, as `positions` has them; blank where nothing is told."""
    return [caption for _, _, caption, _ in _told(record, number, seat, None)]


def _told(
    record: Record, number: int, seat: Seat | Literal["table"] | None, plies: range | None
) -> Iterator[tuple[int, Event, str, View]]:
    """Yield the index of an event, the part that is seen of it, its caption, and the view that has been told of it."""
    game = get(record["game"])
    view = game.view(None if isinstance(seat, str) else seat)
    heard: list[Event] = []  # including the event that is being told
    hearing = Hearing(game, [] if seat == "table" else [(seat, heard.append)])
    for index, event in enumerate(game_events(record, number)):
        if plies is not None and index >= plies.stop:
            return
        wanted = plies is None or index in plies
        heard.clear()
        hearing.tell(event)
        told = []
        for part in [event] if seat == "table" else heard:
            if wanted:
                told.append(game.caption(part, view))
            view.tell(part)
        if wanted:  # events that this seat does not see leave the table unchanged
            shown = event if seat == "table" else _part_of(event, heard)
            yield index, shown, " ".join(filter(None, told)), view


def _part_of(event: Event, heard: Sequence[Event]) -> Event:
    """Return what a seat hears of an event. Events that were held back until now may come with it."""
    same = (part for part in heard if part["event"] == event["event"] and part.get("seat") == event.get("seat"))
    return next(same, heard[-1] if heard else {"event": event["event"]})


def log(record: Record, number: int) -> str:
    """Return the game's own log of game `number`, such as te.log. Raises IndexError when it was not played."""
    return get(record["game"]).log(record, game_events(record, number))
