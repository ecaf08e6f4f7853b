"""The form of a record (docs/record.md): the order of its fields, its text, and the result of a match."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Any

import games
from games.engine import Event, Game, Seat
from games.events import CLOCKS, FIELDS

FORMAT = 1

NAME = 32
"""The longest name that a bot can give itself, in characters ("Printing Your Player Name" in the Intensity
assignment)."""

USED_UP = "had used up its clock"
"""The detail of a timeout where the bot was not asked because it had no time left. It follows the word “it”."""

HEAD = ("format", "game", "rules", "seed", "options", "seats", "events", "result")

Record = dict[str, Any]

_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class RecordError(ValueError):
    """A record that this version cannot read. The text is shown to people."""


def dumps(record: Record) -> str:
    """Write a record as one line of canonical JSON, without a line end: equal records give equal text.

    It is written event by event, because a long match should not need a second copy of itself in order.
    """
    parts = {key: record[key] for key in HEAD if key != "events"}
    parts["options"] = {key: _integral(value) for key, value in record["options"].items()}
    parts["seats"] = [{"name": seat["name"], "bot": seat["bot"]} for seat in record["seats"]]
    parts["result"] = {key: record["result"][key] for key in ("scores", "places", "disqualified")}
    text = StringIO()
    for key in HEAD:
        text.write(f'{"," if text.tell() else "{"}"{key}":')
        if key == "events":
            _write_events(text, record["events"], fields_of(record["game"]))
        else:
            text.write(_json(parts[key]))
    text.write("}")
    return text.getvalue()


def fields_of(slug: str) -> Mapping[str, tuple[str, ...]]:
    """Return the events of a game and their fields, or the usual ones where the game is not installed."""
    game = games.GAMES.get(slug)
    return FIELDS if game is None else game.events


def _write_events(text: StringIO, events: Iterable[Event], fields: Mapping[str, tuple[str, ...]]) -> None:
    separator = "["
    for event in events:
        text.write(separator)
        text.write(dumps_event(event, fields))
        separator = ","
    text.write("]" if separator == "," else "[]")


def dumps_event(event: Event, fields: Mapping[str, tuple[str, ...]] = FIELDS) -> str:
    """Write one event in the canonical form. `fields`: those of its game (`Game.events`)."""
    return _json(_canonical(event, fields))


def loads(text: str | bytes) -> Record:
    """Read a record. Raises RecordError when it is not in this format. `verify` checks it against the rules."""
    try:
        record = json.loads(text, parse_float=_number)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"this is not JSON: {error}") from None
    if not isinstance(record, dict) or "format" not in record:
        raise RecordError("this is not a record: it has no format")
    if record["format"] != FORMAT:
        raise RecordError(f"this record has format {record['format']!r}, which is not {FORMAT}")
    missing = [key for key in HEAD if key not in record]
    if missing:
        raise RecordError(f"this record has no {', '.join(missing)}")
    _check_shape(record)
    return record


def _check_shape(record: Record) -> None:
    kinds = {"game": str, "rules": str, "seed": int, "options": dict, "seats": list, "events": list, "result": dict}
    for key, kind in kinds.items():
        if type(record[key]) is not kind:
            raise RecordError(f"{key} of this record is not {_KINDS[kind]}")
    for number, seat in enumerate(record["seats"]):
        if not isinstance(seat, dict) or not {"name", "bot"} <= seat.keys():
            raise RecordError(f"seat {number} of this record has no name and bot")
    known = fields_of(record["game"])
    for number, event in enumerate(record["events"]):
        if not isinstance(event, dict) or str(event.get("event")) not in known:
            raise RecordError(f"event {number} of this record is of an unknown kind")
        walls = map(_is_time, (event.get("ms", 0), event.get("late_ms", 0)))
        if not (all(walls) and _are_times(event, len(record["seats"]))):
            raise RecordError(f"a time of event {number} of this record is not a number")


def _is_time(value: object) -> bool:
    return type(value) in (int, float)


def _are_times(event: Event, seats: int) -> bool:
    """Whether an event has the processor time of a decision, of every seat where it is a result, or none."""
    times = event.get("cpu_ms")
    if event["event"] != "result":
        return times is None or _is_time(times)
    return times is None or (isinstance(times, list) and len(times) == seats and all(map(_is_time, times)))


def _number(text: str) -> float:
    """A number as it is written in a record: whole ones without a point."""
    value = float(text)
    return int(value) if value.is_integer() else value


_KINDS = {str: "text", int: "a whole number", dict: "an object", list: "a list"}


def _canonical(event: Event, fields: Mapping[str, tuple[str, ...]]) -> Event:
    ordered = {"event": event["event"]}
    for key in (*fields[event["event"]], *CLOCKS):
        if key in event:
            ordered[key] = _integral(event[key])
    ordered.update((key, value) for key, value in event.items() if key not in ordered)
    return ordered


def _integral(value: Any) -> Any:
    """Round times to three decimals and drop `.0` from whole numbers. In memory `ms` stays as measured."""
    if not isinstance(value, float):
        return [_integral(item) for item in value] if isinstance(value, list) else value
    value = round(value, 3)
    return int(value) if value.is_integer() else value


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """Make a bot's text safe for databases, pages and terminals: control characters become `\\xNN`."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


# The result of a match from its games


def outcome(game: Game, scores: Sequence[float], out: Iterable[int]) -> dict[str, Any]:
    """Return the `result` of a record from the players' scores and who was disqualified."""
    gone = sorted(set(out))
    fair = [score for player, score in enumerate(scores) if player not in gone]
    places = [
        len(scores) if player in gone else 1 + sum(other < score if game.low_wins else other > score for other in fair)
        for player, score in enumerate(scores)
    ]
    return {"scores": list(scores), "places": places, "disqualified": gone}


def processor_times(record: Record) -> list[float]:
    """Return each player's processor milliseconds in a match, where the game measures them (`Game.exact_cpu`).

    Every decision has the time since the one before, and every `result` the time after the last decision.
    """
    used = [0.0] * len(record["seats"])
    seating: Sequence[int] = range(len(used))
    for event in record["events"]:
        if event["event"] == "game":
            seating = event.get("seating", seating)
        elif event["event"] == "result":
            for seat, ms in enumerate(event.get("cpu_ms", ())):
                used[seating[seat]] += ms
        elif "cpu_ms" in event:
            used[seating[event["seat"]]] += event["cpu_ms"] or 0.0
    return used


def with_penalties(game: Game, record: Record, scores: Sequence[float]) -> list[float]:
    """Return these scores of a record's players with the cost of their processor time, as tournaments count them."""
    times = processor_times(record)
    return [score + game.penalty(record["options"], ms) for score, ms in zip(scores, times, strict=True)]


def counted_places(game: Game, record: Record) -> list[int]:
    """Return each player's place as tournaments count it. A record's own places leave out what processor time costs."""
    result = record["result"]
    places: list[int] = outcome(game, with_penalties(game, record, result["scores"]), result["disqualified"])["places"]
    return places


def thinking_times(record: Record) -> list[list[float]]:
    """Return the milliseconds of every decision, by player."""
    players = range(len(record["seats"]))
    times: list[list[float]] = [[] for _ in players]
    seating = list(players)
    for event in record["events"]:
        if event["event"] == "game":
            seating = event.get("seating", seating)
        elif "ms" in event:
            times[seating[event["seat"]]].append(event["ms"])
    return times


def out_before(events: Sequence[Event]) -> set[Seat]:
    """Return the seats that were disqualified in an earlier game: the referee makes their first decision, without a
    fault."""
    out, seen = set(), set()
    for event in events:
        seat = event.get("seat")
        if seat is not None and seat not in seen:
            seen.add(seat)
            if "by" in event:
                out.add(seat)
    return out
