"""A game in progress is published, and never waits for Redis, whatever becomes of that."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import redis

import games
from contest.broadcast import publish
from contest.broadcast.channel import Channel, read, there
from contest.broadcast.publish import Broadcast, key_of
from contest.server import broker as broker_module
from games.players import HousePlayer, Seated
from games.referee import play
from tests.waiting import wait_for

HEAD = {"format": 1, "game": "hearts", "rules": "x", "seed": 0, "options": {}, "seats": [{"name": "A", "bot": "a"}] * 4}


class OwnRedis:
    """A server that may be stopped without stopping that of the other tests."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.socket = folder, folder / "own.sock"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"unix://{self.socket}?db=1"

    def start(self) -> None:
        command = broker_module.find().command(self.socket, self.folder)
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert broker_module.wait_until(self.socket, up=True, seconds=60)

    def kill(self) -> None:
        if self.process is not None:
            os.kill(self.process.pid, signal.SIGCONT)
            self.process.kill()
            self.process.wait()

    def send(self, number: signal.Signals) -> None:
        assert self.process is not None
        os.kill(self.process.pid, number)

    @property
    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.url)


@pytest.fixture
def own(settings: Any) -> Iterator[OwnRedis]:
    folder = Path(tempfile.mkdtemp(prefix="kibitz-own-"))
    server = OwnRedis(folder)
    settings.CACHE_URL = server.url
    publish._here.clear()  # the thread of this process knows the other server
    try:
        yield server
    finally:
        server.kill()
        publish._here.clear()
        shutil.rmtree(folder)


def event(number: int) -> dict[str, Any]:
    return {"event": "play", "seat": number % 4, "card": "2c", "ms": number}


def read_until(client: redis.Redis, channel: Channel, count: int, *, over: bool = False) -> list[int]:
    """Read until so many events are there. Returns their numbers."""

    def enough() -> bool:
        try:
            read(client, [channel])
        except redis.RedisError:
            return False
        return len(channel.events) >= count and (channel.over or not over)

    wait_for(enough, lambda: f"{len(channel.events)} events, over: {channel.over}")
    return [each.get("ms") for each in channel.events]


@pytest.fixture(autouse=True)
def senders(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[threading.Thread]]:
    """The threads that send. None is the game's, so that it waits for nothing."""
    found: set[threading.Thread] = set()
    send = Broadcast.send

    def noted(self: Broadcast, client: redis.Redis) -> None:
        found.add(threading.current_thread())
        send(self, client)

    monkeypatch.setattr(Broadcast, "send", noted)
    yield found
    assert threading.current_thread() not in found


def tell_all(broadcast: Broadcast, numbers: range) -> None:
    for number in numbers:
        broadcast.tell(event(number))


def test_a_match_is_told_as_its_record_has_it(broker: Path) -> None:
    game = games.get("hearts")
    seats = [Seated(name, "house:random", HousePlayer(game.house_player("random"))) for name in "ABCD"]
    options, preset = game.options({}), next(iter(game.presets))
    with Broadcast("match:1:1", HEAD, after=0) as broadcast:
        played = play(game, seats, seed=5, options=options, preset=preset, on_event=broadcast.tell)
    client, channel = redis.Redis.from_url(publish.settings.CACHE_URL), Channel("match:1:1")
    read_until(client, channel, len(played.record["events"]), over=True)
    assert channel.events == played.record["events"]
    assert there(client, ["match:1:1", "match:1:2"]) == {"match:1:1"}
    assert 0 < client.ttl(key_of("match:1:1")) <= publish.REMAINS


def test_of_a_short_game_nothing_is_told(broker: Path) -> None:
    with Broadcast("match:2:1", HEAD, after=3600) as short, Broadcast("match:2:2", HEAD, after=0) as long:
        for broadcast in (short, long):
            broadcast.tell(event(0))
    client = redis.Redis.from_url(publish.settings.CACHE_URL)
    read_until(client, Channel("match:2:2"), 1, over=True)
    assert short.done
    assert there(client, ["match:2:1"]) == set()


def test_a_game_is_told_once_it_has_lasted(broker: Path) -> None:
    client, channel = redis.Redis.from_url(publish.settings.CACHE_URL), Channel("match:3:1")
    with Broadcast("match:3:1", HEAD, after=3600) as broadcast, Broadcast("match:3:2", HEAD, after=0) as other:
        broadcast.tell(event(0))
        other.tell(event(0))
        read_until(client, Channel("match:3:2"), 1)
        assert there(client, ["match:3:1"]) == set()
        broadcast.begins = 0.0  # an hour later
        broadcast.tell(event(1))
        assert read_until(client, channel, 2) == [0, 1]


def test_notes_stand_between_the_events(broker: Path) -> None:
    client, channel = redis.Redis.from_url(publish.settings.CACHE_URL), Channel("casual:1")
    with Broadcast("casual:1", HEAD, after=0) as broadcast:
        broadcast.tell(event(0))
        broadcast.note(2, "question", {"left_ms": 500})
        broadcast.tell(event(1))
    read_until(client, channel, 2, over=True)
    assert channel.notes == [{"seat": 2, "name": "question", "data": {"left_ms": 500}}]
    entries = [entry[b"json"] for _, entry in client.xrange(key_of("casual:1"))]
    assert b"note" in entries[2]


def test_without_redis_the_game_goes_on(own: OwnRedis, caplog: pytest.LogCaptureFixture) -> None:
    with Broadcast("match:4:1", HEAD, after=0) as broadcast:
        tell_all(broadcast, range(5000))
        wait_for(lambda: "cannot be followed" in caplog.text)
    wait_for(lambda: broadcast.done)


def test_it_is_told_as_soon_as_redis_is_there(own: OwnRedis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publish, "AGAIN", 0.1)
    with Broadcast("match:5:1", HEAD, after=0) as broadcast:
        tell_all(broadcast, range(1200))
        own.start()
        assert read_until(own.client, Channel("match:5:1"), 1200) == [*range(1200)]


def test_a_redis_that_hangs_delays_nothing(own: OwnRedis) -> None:
    own.start()
    channel = Channel("match:6:1")
    with Broadcast("match:6:1", HEAD, after=0) as broadcast:
        tell_all(broadcast, range(10))
        read_until(own.client, channel, 10)
        own.send(signal.SIGSTOP)
        tell_all(broadcast, range(10, 5000))
        own.send(signal.SIGCONT)
    assert read_until(own.client, channel, 5000, over=True) == [*range(5000)]


@pytest.mark.parametrize("how", ["restarted", "emptied"])
def test_what_redis_has_lost_is_told_again(own: OwnRedis, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    monkeypatch.setattr(publish, "AGAIN", 0.1)
    own.start()
    channel = Channel("match:7:1")
    with Broadcast("match:7:1", HEAD, after=0) as broadcast:
        tell_all(broadcast, range(10))
        read_until(own.client, channel, 10)
        if how == "restarted":
            own.kill()
            tell_all(broadcast, range(10, 20))
            own.start()
        else:
            own.client.flushall()
            tell_all(broadcast, range(10, 20))
        assert read_until(own.client, channel, 20) == [*range(20)]
    assert channel.times_begun == 2


def test_a_full_redis_is_no_concern_of_the_game(own: OwnRedis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publish, "AGAIN", 0.1)
    own.start()
    own.client.config_set("maxmemory", "1kb")
    with Broadcast("match:8:1", HEAD, after=0) as broadcast:
        tell_all(broadcast, range(100))
        wait_for(lambda: broadcast.retry)
        assert there(own.client, ["match:8:1"]) == set()
        own.client.config_set("maxmemory", "0")
        assert read_until(own.client, Channel("match:8:1"), 100) == [*range(100)]


def test_what_cannot_be_written_harms_no_other_game(broker: Path, caplog: pytest.LogCaptureFixture) -> None:
    client = redis.Redis.from_url(publish.settings.CACHE_URL)
    with Broadcast("match:9:1", {**HEAD, "wrong": object()}, after=0) as bad, Broadcast("m:9:2", HEAD, after=0) as good:
        bad.tell(event(0))
        good.tell(event(0))
        assert read_until(client, Channel("m:9:2"), 1) == [0]
        wait_for(lambda: bad.done)
    assert "match:9:1 cannot be followed" in caplog.text


def test_the_longest_game_is_told_up_to_a_bound(broker: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publish, "MOST_EVENTS", 30)
    client, channel = redis.Redis.from_url(publish.settings.CACHE_URL), Channel("match:10:1")
    with Broadcast("match:10:1", HEAD, after=0) as broadcast:
        tell_all(broadcast, range(100))
        assert read_until(client, channel, 30, over=True) == [*range(30)]


def test_a_reader_that_missed_something_begins_anew(broker: Path) -> None:
    client, channel = redis.Redis.from_url(publish.settings.CACHE_URL), Channel("match:11:1")
    with Broadcast("match:11:1", HEAD, after=0) as broadcast:
        tell_all(broadcast, range(10))
        read_until(client, channel, 10)
        del channel.events[Random(1).randrange(10)]
        tell_all(broadcast, range(10, 20))
        assert read_until(client, channel, 20) == [*range(20)]


GARBAGE = (
    {b"other": b"{}"},
    {b"json": b"{"},
    {b"json": b"[" * 20_000},
    {b"json": b"7"},
    {b"json": b"[]"},
    {b"json": b'{"head": {}}'},
    {b"json": b'{"head": {"game": "poker", "seats": []}}'},
    {b"json": b'{"events": [1], "at": 2}'},
    {b"json": b'{"events": 7, "at": 2}'},
    {b"json": b'{"note": []}'},
)


def test_what_is_no_part_of_a_game_is_skipped_and_said_once(broker: Path, caplog: pytest.LogCaptureFixture) -> None:
    client = publish.store()
    with Broadcast("t:poisoned", HEAD, after=0) as broadcast, Broadcast("t:sound", HEAD, after=0) as other:
        tell_all(broadcast, range(2))
        poisoned, sound, plain = Channel("t:poisoned"), Channel("t:sound"), Channel("t:plain")
        client.set(key_of("t:plain"), "no stream at all")
        read_until(client, poisoned, 2)
        for fields in GARBAGE:
            client.xadd(key_of("t:poisoned"), fields)
        tell_all(broadcast, range(2, 4))
        tell_all(other, range(3))
        wait_for(
            lambda: [read(client, [plain, poisoned, sound]), len(poisoned.events) == 4 and len(sound.events) == 3][1]
        )
    assert poisoned.times_begun == 1, "nothing was read twice"
    told = [entry.getMessage() for entry in caplog.records if "something else in it" in entry.getMessage()]
    assert sorted(each.split()[2] for each in told) == ["t:plain", "t:poisoned"]
