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


def read_until(client: redis.Redis, channel: Channel, count: int) -> list[int]:
    """Read until so many events are there. Returns their numbers."""

    def enough() -> bool:
        try:
            read(client, channel)
        except redis.RedisError:
            return False
        return len(channel.events) >= count

    wait_for(enough, lambda: f"{len(channel.events)} events")
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
    read_until(client, channel, len(played.record["events"]))
    assert channel.events == played.record["events"]
    assert there(client, ["match:1:1", "match:1:2"]) == {"match:1:1"}
    wait_for(lambda: 0 < client.ttl(key_of("match:1:1")) <= publish.REMAINS)


def test_without_redis_the_game_goes_on(own: OwnRedis, caplog: pytest.LogCaptureFixture) -> None:
    with Broadcast("match:4:1", HEAD, after=0) as broadcast:
        tell_all(broadcast, range(5000))
        wait_for(lambda: "cannot be followed" in caplog.text)
    wait_for(lambda: broadcast.done)


def test_a_redis_that_hangs_delays_nothing(own: OwnRedis) -> None:
    own.start()
    channel = Channel("match:6:1")
    with Broadcast("match:6:1", HEAD, after=0) as broadcast:
        tell_all(broadcast, range(10))
        read_until(own.client, channel, 10)
        own.send(signal.SIGSTOP)
        tell_all(broadcast, range(10, 5000))
        own.send(signal.SIGCONT)
    assert read_until(own.client, channel, 5000) == [*range(5000)]


@pytest.mark.parametrize("how", ["restarted", "emptied"])
def test_what_redis_has_lost_is_told_again(own: OwnRedis, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    monkeypatch.setattr(publish, "AGAIN", 0.1)
    own.start()
    channel = Channel("match:7:1")
    with Broadcast("match:7:1", HEAD, after=0) as broadcast:
        tell_all(broadcast, range(10))
        read_until(own.client, channel, 10)
        begun = channel.begun
        if how == "restarted":
            own.kill()
            tell_all(broadcast, range(10, 20))
            own.start()
        else:
            own.client.flushall()
            tell_all(broadcast, range(10, 20))
        assert read_until(own.client, channel, 20) == [*range(20)]
    assert channel.begun != begun


def test_what_cannot_be_written_harms_no_other_game(broker: Path, caplog: pytest.LogCaptureFixture) -> None:
    client = redis.Redis.from_url(publish.settings.CACHE_URL)
    with Broadcast("match:9:1", {**HEAD, "wrong": object()}, after=0) as bad, Broadcast("m:9:2", HEAD, after=0) as good:
        bad.tell(event(0))
        good.tell(event(0))
        assert read_until(client, Channel("m:9:2"), 1) == [0]
        wait_for(lambda: bad.done)
    assert "match:9:1 cannot be followed" in caplog.text
