"""Reading broadcasts (publish.py), each from where it was left."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from threading import Lock
from typing import Any, cast

import redis

import games
from contest.broadcast.publish import Head, key_of, store
from games.record import Record

logger = logging.getLogger(__name__)

START = "0-0"
AT_ONCE = 500  # entries for one question
REMEMBERED = 50  # broadcasts that a process of the web server need not read from the start again


@dataclass(eq=False)
class Channel:
    """A broadcast as far as it was read. `record` grows; it has an empty `result`, as a game in progress has none."""

    name: str
    record: Record | None = None  # None: nothing was told yet
    begun: str = ""  # names this telling: after a loss everything is told again, and the record is a new one
    notes: list[Head] = field(default_factory=list)  # each with `at`, the number of events that were told before it
    place: str = START
    complained: bool = False  # about an entry that nobody can read

    @property
    def events(self) -> list[dict[str, Any]]:
        return self.record["events"] if self.record else []

    def take(self, entry: Head) -> bool:
        """Take what an entry says. False: entries before it are missing."""
        if "head" in entry:
            players = range(len(entry["head"]["seats"]))
            nothing = {"scores": [0 for _ in players], "places": [1 for _ in players], "disqualified": []}
            self.record = {**entry["head"], "events": [], "result": nothing}
            self.begun, self.notes = self.place, []
        elif self.record is None:
            return False
        elif "events" in entry:
            if entry["at"] != len(self.events):
                return False
            self.events.extend(entry["events"])
        elif "note" in entry:
            self.notes.append({**entry["note"], "at": len(self.events)})
        return True

    def read(self, place: bytes, fields: Mapping[bytes, bytes]) -> bool:
        """Take an entry as it lies in the stream. One that nobody can read is skipped, and said once."""
        self.place = place.decode()
        try:
            return self.take(_checked(json.loads(fields[b"json"])))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            self.complain(f"entry {self.place} is no part of a game ({type(error).__name__})")
            return True

    def complain(self, what: str) -> None:
        if not self.complained:
            logger.warning("the broadcast %s has something else in it: %s", self.name, what)
        self.complained = True


def _checked(entry: Any) -> Head:
    """An entry, if it is one. Raises ValueError, KeyError or TypeError."""
    if not isinstance(entry, dict):
        raise TypeError("no fields")
    head, events, note = entry.get("head"), entry.get("events"), entry.get("note")
    if head is not None:
        games.get(head["game"])
        if not head["seats"] or not all(isinstance(seat["name"], str) for seat in head["seats"]):
            raise ValueError("players without names")
    if events is not None and not (isinstance(entry["at"], int) and all(isinstance(it["event"], str) for it in events)):
        raise ValueError("events without kinds")
    if note is not None and not (isinstance(note["name"], str) and "seat" in note and "data" in note):
        raise ValueError("a note without a name")
    found: Head = entry
    return found


Entries = list[tuple[bytes, list[tuple[bytes, dict[bytes, bytes]]]]]
"""By key of a stream: its entries, each with its place."""


def read(client: redis.Redis, channel: Channel) -> bool:
    """Read on, and return whether there was anything. Raises redis.RedisError, after which it may be called again."""
    try:
        found = cast(Entries, client.xread({key_of(channel.name): channel.place}, count=AT_ONCE))
    except redis.ResponseError as error:  # under this name there is no stream
        channel.complain(str(error))
        return False
    for _, entries in found:
        for place, fields in entries:
            if not channel.read(place, fields):
                channel.record, channel.place = None, START
                return False
    return bool(found)


def there(client: redis.Redis, names: Collection[str]) -> set[str]:
    """Those of these channels that can be followed now. Raises redis.RedisError."""
    wanted = sorted(names)
    with client.pipeline(transaction=False) as pipe:
        for name in wanted:
            pipe.exists(key_of(name))
        return {name for name, found in zip(wanted, pipe.execute(), strict=True) if found}


class _Known:
    """A broadcast that was read, and is read on by one thread at a time."""

    def __init__(self, name: str) -> None:
        self.channel, self.lock = Channel(name), Lock()


@lru_cache(REMEMBERED)
def _known(name: str) -> _Known:
    return _Known(name)


def told(name: str) -> Channel | None:
    """A copy of what was told on this channel until now. None: nothing yet, or nobody can tell."""
    known = _known(name)
    try:
        with known.lock, store() as client:
            if not there(client, [name]):
                known.channel = Channel(name)
            while read(client, known.channel):
                pass
            found = known.channel
            if found.record is None:
                return None
            return replace(found, record={**found.record, "events": list(found.events)}, notes=list(found.notes))
    except redis.RedisError as error:
        logger.warning("%s cannot be followed: %s", name, error)
        return None
