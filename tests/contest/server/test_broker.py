"""The private broker: found, started, reachable for us, and unreachable for everybody else."""

import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest
import redis
from django.core.cache import cache

from contest.celery import app
from contest.server import broker as module
from tests.waiting import wait_for


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
    assert not module.wait_until(tmp_path / "redis.sock", up=True, seconds=0)
    assert module.wait_until(tmp_path / "redis.sock", up=False, seconds=60)


@pytest.fixture
def leftover(tmp_path):
    """A server that its portal has left, with a task in its queue and its folder on a disk of this size in kB."""
    started = []

    def start(size, fill):
        folder = tmp_path / "redis"
        folder.mkdir()
        place = tmp_path / "redis.sock"
        mounted = f'mount -t tmpfs -o size={size}k none "{folder}"; {fill}; exec "$@"'
        command = ["unshare", "-rm", "sh", "-c", mounted, "sh", *module.find().command(place, folder)]
        with (tmp_path / "log").open("wb") as log:
            started.append(subprocess.Popen(command, stdout=log, stderr=log))
        assert module.wait_until(place, up=True, seconds=60), (tmp_path / "log").read_text()
        redis.Redis(unix_socket_path=str(place)).rpush("matches", "a task")
        return place, started[0]

    yield start
    for process in started:
        process.kill()
        process.wait()


def test_a_leftover_writes_its_snapshot_and_ends(leftover, tmp_path):
    place, process = leftover(1000, "true")
    assert module.end_leftover(place)
    assert process.wait(timeout=60) == 0
    assert "DB saved on disk" in (tmp_path / "log").read_text()
    assert not place.exists()


def test_a_leftover_that_cannot_write_its_snapshot_ends_too(leftover, tmp_path):
    """The server refuses SIGTERM then, so the next start used to fail."""
    place, process = leftover(16, f"dd if=/dev/zero of={tmp_path}/redis/fill bs=4k 2>&1")
    process.terminate()
    wait_for(lambda: "can't exit" in (tmp_path / "log").read_text(), (tmp_path / "log").read_text)
    assert module.answers(place)
    assert module.end_leftover(place)
    assert process.wait(timeout=60) < 0
    assert not place.exists()
    assert module.end_leftover(place), "nobody there is well too"


def test_half_written_snapshots_are_swept(tmp_path):
    for name in ("temp-17.rdb", "dump.rdb"):
        (tmp_path / name).write_bytes(b"REDIS")
    module.sweep(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["dump.rdb"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become a second user")
def test_a_server_of_somebody_else_is_left_alone(tmp_path):
    path = tmp_path / "redis.sock"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        pid = os.fork()
        if pid == 0:  # whoever listens is the one who counts
            os.setuid(65534)
            listening.listen()
            signal.pause()
            os._exit(0)
        try:
            wait_for(lambda: module._server_at(path) is not None)
            assert not module.end_leftover(path)
            assert path.exists()
            assert os.waitpid(pid, os.WNOHANG) == (0, 0), "it lives"
        finally:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
