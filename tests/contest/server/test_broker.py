"""The private broker: found, started, reachable for us, and unreachable for everybody else."""

import os
from pathlib import Path

import pytest
import redis
from django.core.cache import cache

from contest.celery import app
from contest.server import broker as module


def test_a_server_is_found_and_says_what_it_is():
    server = module.find()
    assert server.program.is_file()
    assert tuple(int(part) for part in server.version.split(".")[:2]) >= module.OLDEST
    assert str(server).startswith(server.name)


def test_it_listens_on_the_socket_alone(broker):
    client = redis.Redis(unix_socket_path=str(broker))
    assert client.config_get("port") == {"port": "0"}
    assert broker.stat().st_mode & 0o077 == 0
    assert broker.parent.stat().st_mode & 0o077 == 0


def test_cache_and_queue_are_apart():
    with app.connection_for_write() as connection:
        connection.default_channel.client.lpush("matches", "a task")
        cache.set("page", "x")
        cache.clear()
        assert connection.default_channel.client.llen("matches") == 1


def test_a_long_path_moves_to_a_short_private_folder(tmp_path):
    assert module.socket_path(tmp_path) == tmp_path / "run" / "redis.sock"
    long = tmp_path / ("x" * 90)
    path = module.socket_path(long)
    assert len(os.fsencode(path)) <= module.LONGEST_SOCKET_PATH
    assert path == module.socket_path(long), "every process of the portal must find the same place"
    assert path != module.socket_path(tmp_path / ("y" * 90))


def test_a_path_that_does_not_fit_a_url_moves_too():
    assert module.socket_path(Path("/home/anna/my cards")).parent.parent == Path("/tmp")
    assert module.socket_path(Path("/home/änne")).parent.parent == Path("/tmp")


def test_a_folder_of_somebody_else_is_refused(tmp_path):
    target = tmp_path / "target"
    target.mkdir()
    (tmp_path / "link").symlink_to(target)
    with pytest.raises(module.BrokerError, match="somebody else"):
        module.private_folder(tmp_path / "link")


def test_an_open_folder_is_closed(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir(mode=0o755)
    module.private_folder(folder)
    assert folder.stat().st_mode & 0o777 == 0o700


def script(folder, name, says):
    program = folder / name
    program.write_text(f"#!/bin/sh\necho '{says}'\n")
    program.chmod(0o755)
    return program


def test_the_machines_own_server_goes_first_unless_it_is_too_old(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path) + ":/bin")
    script(tmp_path, "redis-server", "Redis server v=6.0.16 sha=0 malloc=x")
    assert module.find().program.name == "valkey-server"
    own = script(tmp_path, "redis-server", "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64")
    assert module.find() == module.Server(own, "Redis", "7.0.15", bundled=False)


def test_a_program_that_is_no_server_is_not_taken(tmp_path):
    assert module.examine(script(tmp_path, "redis-server", "hello"), bundled=False) is None
    assert module.examine(tmp_path / "nothing", bundled=False) is None


def test_nobody_answers_on_a_socket_that_is_not_there(tmp_path):
    assert not module.answers(tmp_path / "redis.sock")
    assert not module.wait_until(tmp_path / "redis.sock", up=True, seconds=0.1)
    assert module.wait_until(tmp_path / "redis.sock", up=False, seconds=0.1)
