"""Reading broadcasts (publish.py): many channels with one question, each from where it was left."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import redis

import games
from contest.broadcast.publish import Head, key_of
from games.record import Record

logger = logging.getLogger(__name__)

START = "0-0"
AT_ONCE = 50  # entries of each channel for one question


@dataclass(eq=False)
class Channel:
    """A broadcast as far as it was read. `record` grows; it has an empty `result`, as a game in progress has none."""

    name: str
    record: Record | None = None  # None: nothing was told yet
    over: bool = False
    times_begun: int = (
        0  # how often it was told from the start: after a loss it comes again, and the record is a new one
    )
    notes: list[Head] = field(default_factory=list)  # for whoever reads; they may be taken out
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
            self.times_begun += 1
            self.over = False
        elif self.record is None:
            return False
        elif "events" in entry:
            if entry["at"] != len(self.events):
                return False
            self.events.extend(entry["events"])
        elif "note" in entry:
            self.notes.append(entry["note"])
        elif "over" in entry:
            self.over = True
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

    def begin_anew(self) -> None:
        self.record, self.place = None, START


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


def read(client: redis.Redis, channels: Sequence[Channel]) -> list[Channel]:
    """Read on, and return the channels with something new. Raises redis.RedisError, after which it may be called
    again."""
    if not channels:
        return []
    by_key = {key_of(each.name).encode(): each for each in channels}
    try:
        found = _entries(client, by_key)
    except redis.ResponseError:  # under one of these names there is no stream: the others must not wait for it
        found = [entries for key, each in by_key.items() for entries in _entries_of(client, key, each)]
    news = []
    for key, entries in found:
        channel = by_key[key]
        news.append(channel)
        for place, fields in entries:
            if not channel.read(place, fields):
                channel.begin_anew()
                break
    return news


Entries = list[tuple[bytes, list[tuple[bytes, dict[bytes, bytes]]]]]
"""By key of a stream: its entries, each with its place."""


def _entries(client: redis.Redis, by_key: Mapping[bytes, Channel]) -> Entries:
    answer = client.xread({key: each.place for key, each in by_key.items()}, count=AT_ONCE)
    return cast(Entries, answer)


def _entries_of(client: redis.Redis, key: bytes, channel: Channel) -> Entries:
    try:
        return _entries(client, {key: channel})
    except redis.ResponseError as error:
        channel.complain(str(error))
        return []


def there(client: redis.Redis, names: Collection[str]) -> set[str]:
    """Those of these channels that can be followed now. Raises redis.RedisError."""
    wanted = sorted(names)
    with client.pipeline(transaction=False) as pipe:
        for name in wanted:
            pipe.exists(key_of(name))
        return {name for name, found in zip(wanted, pipe.execute(), strict=True) if found}
