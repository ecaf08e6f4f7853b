"""The private broker: found, started, reachable for us, and unreachable for everybody else."""

import os
import signal
import socket
import subprocess

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
    for length in range(100):
        path = module.socket_path(tmp_path / ("x" * length))
        assert len(os.fsencode(path.with_name(f"supervisor.sock.{2**22}"))) <= 107, "what supervisord binds beside it"
    assert path == module.socket_path(tmp_path / ("x" * 99)), "every process of the portal must find the same place"
    assert path != module.socket_path(tmp_path / ("y" * 99))


def test_a_folder_of_somebody_else_is_refused(tmp_path):
    target = tmp_path / "target"
    target.mkdir()
    (tmp_path / "link").symlink_to(target)
    with pytest.raises(module.BrokerError, match="somebody else"):
        module.private_folder(tmp_path / "link")


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
