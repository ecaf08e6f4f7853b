"""The whole portal while what it needs comes late, goes away, or is full: it waits, says so in a line, and heals."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import pytest

from contest.server import broker as broker_module
from tests import postgresql
from tests.ports import free_port
from tests.waiting import descendants, wait_for

ROOT = Path(__file__).resolve().parents[2]
OURS = ("VAR_DIR", "SECRET_KEY", "DJANGO_SETTINGS_MODULE", "LOG_LEVEL", "DEBUG", "REDIS_URL", "DATABASE_URL")
needs_postgresql = pytest.mark.skipif(postgresql.programs() is None, reason=postgresql.MISSING)


class Portal:
    """`manage.py portal` with a var/ of its own, on a disk of this size if one is given."""

    def __init__(self, folder, disk="", **variables):
        self.var = folder / "var"
        self.var.mkdir(mode=0o700)
        self.port = free_port()
        self.output = folder / "output"
        environment = {name: value for name, value in os.environ.items() if name not in OURS}
        environment |= {"VAR_DIR": str(self.var), "BOT_PORT": str(free_port()), "BOT_TEST_PORT": str(free_port())}
        command = [sys.executable, "manage.py", "portal", "--no-demo", "--workers", "1", "--port", str(self.port)]
        if disk:
            mounted = f'mount -t tmpfs -o size={disk},mode=700 none "$0" && exec "$@"'
            space = "-m" if os.geteuid() == 0 else "-rm"  # as another user, there is no sandbox in there
            command = ["unshare", space, "sh", "-c", mounted, str(self.var), *command]
        with self.output.open("wb") as out:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environment | variables, stdin=subprocess.DEVNULL, stdout=out, stderr=out
            )

    def text(self):
        return self.output.read_text()

    def said(self, words, seconds=120):
        wait_for(lambda: words in self.text() or self.process.poll() is not None, self.text, seconds)
        assert words in self.text(), self.text()

    def up(self):
        self.said("Ctrl-C stops everything.")
        return self

    def ready(self):
        """The answer of /readyz, and whether it is 200."""
        try:
            with urllib.request.urlopen(f"http://localhost:{self.port}/readyz", timeout=60) as answer:
                return json.loads(answer.read()), True
        except urllib.error.HTTPError as error:
            return json.loads(error.read()), False
        except OSError:
            return {}, False

    def logs(self):
        inside = Path(f"/proc/{self.process.pid}/root{self.var}/log")
        return {path.name: path.read_text(errors="replace") for path in inside.glob("*.log")}

    def all_parts(self):
        return descendants(self.process.pid)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)


@pytest.fixture
def portal(tmp_path):
    started = []

    def start(**options):
        started.append(Portal(tmp_path, **options))
        return started[-1]

    yield start
    for each in started:
        print(each.ready(), *(text[-1500:] for text in each.logs().values()), sep="\n== ")
        left = each.all_parts()
        each.process.kill()
        each.process.wait()
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(broker_module.socket_path(each.var).parent, ignore_errors=True)


def no_traceback(run):
    for name, text in {"output": run.text(), **run.logs()}.items():
        assert "Traceback" not in text, f"{name}:\n{text[-4000:]}"


@needs_postgresql
def test_a_database_that_comes_late_and_restarts_during_the_start(portal, tmp_path):
    place = tmp_path / "late"
    run = portal(DATABASE_URL=f"postgres://kibitz@{quote(str(place), safe='')}/postgres")
    run.said("The portal starts when the database is there: ")
    assert "No such file or directory" in run.text(), "the reason is in the line"
    with postgresql.server(postgresql.programs()) as url:
        place.symlink_to(url_folder(url))
        for _ in range(3):  # while it migrates
            wait_for(lambda: closed(url), run.text)
        run.up()
        wait_for(lambda: run.ready()[1], run.text, pause=0.3)
        no_traceback(run)
        assert run.text().count("The portal starts when") <= 4
        wait_for(lambda: closed(url), run.text)  # each process connects again
        wait_for(lambda: run.ready()[1], run.text, pause=0.3)
        assert run.stop() == 0


def url_folder(url):
    return Path(re.search("@(.*)/", url)[1].replace("%2F", "/"))


def closed(url):
    """Close all connections of the portal, as a restart of the server does. Returns how many there were."""
    ours = "pid <> pg_backend_pid() AND usename = 'kibitz' AND backend_type = 'client backend'"
    close = f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE {ours}"
    command = ["psql", "-qtA", "-h", url_folder(url), "-U", "kibitz", "postgres", "-c", close]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def test_a_broker_elsewhere_that_comes_late_goes_away_and_returns(portal, tmp_path):
    port = free_port()
    run = portal(REDIS_URL=f"redis://127.0.0.1:{port}/0")
    command = broker_module.find().command(tmp_path / "redis.sock", tmp_path)
    command[command.index("--port") + 1] = str(port)
    command += ["--bind", "127.0.0.1"]
    run.said("The portal starts when the broker is there: ")
    with serving(command):
        run.up()
        wait_for(lambda: run.ready()[1], run.text, pause=0.3)
    wait_for(lambda: run.ready()[0]["broker"] != "OK", run.text, pause=0.3)
    with serving(command):
        wait_for(lambda: run.ready()[1], run.text, pause=0.3)
        assert run.stop() == 0
    no_traceback(run)


@contextmanager
def serving(command):
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            yield server
        finally:
            server.kill()


def command_of(pid):
    """The command line of a process, empty if it has ended meanwhile: some live for a moment only."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def casual_servers(run):
    return [pid for pid in run.all_parts() if b"casualserver" in command_of(pid)]


def test_a_full_disk_degrades_and_heals_and_the_next_start_finds_no_leftover(portal):
    run = portal(disk="700m").up()
    inside = Path(f"/proc/{run.process.pid}/root{run.var}")
    wait_for(lambda: casual_servers(run), run.text, pause=0.3)
    filling = inside / "filling"
    with filling.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(1 << 16)):
            pass
    (casual,) = casual_servers(run)
    os.kill(casual, signal.SIGKILL)  # its end and its start are written nowhere
    run.said("exited: casual (terminated by SIGKILL; not expected)")
    with urllib.request.urlopen(f"http://localhost:{run.port}/healthz", timeout=60) as answer:
        assert answer.status == 200
    assert run.process.poll() is None
    filling.unlink()
    wait_for(lambda: casual_servers(run), run.text, pause=0.3)
    assert run.stop() == 0
