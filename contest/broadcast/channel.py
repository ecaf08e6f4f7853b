"""Reading broadcasts (publish.py): many channels with one question, each from where it was left."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import redis

from contest.broadcast.publish import Head, key_of
from games.record import Record

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

    def _begin_anew(self) -> None:
        self.record, self.place = None, START


def read(client: redis.Redis, channels: Sequence[Channel]) -> list[Channel]:
    """Read on, and return the channels with something new. Raises redis.RedisError, after which it may be called
    again."""
    by_key = {key_of(each.name).encode(): each for each in channels}
    if not by_key:
        return []
    answer = client.xread({key: each.place for key, each in by_key.items()}, count=AT_ONCE)
    found = cast(list[tuple[bytes, list[tuple[bytes, dict[bytes, bytes]]]]], answer)
    news = []
    for key, entries in found:
        channel = by_key[key]
        news.append(channel)
        for place, fields in entries:
            channel.place = place.decode()
            if not channel.take(json.loads(fields[b"json"])):
                channel._begin_anew()
                break
    return news


def there(client: redis.Redis, names: Collection[str]) -> set[str]:
    """Those of these channels that can be followed now. Raises redis.RedisError."""
    wanted = sorted(names)
    with client.pipeline(transaction=False) as pipe:
        for name in wanted:
            pipe.exists(key_of(name))
        return {name for name, found in zip(wanted, pipe.execute(), strict=True) if found}
