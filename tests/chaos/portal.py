"""The processes of a portal under test, and the database and the disk that they use."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import quote

from contest.server import broker
from contest.server.processes import die_with_parent
from tests import postgresql
from tests.chaos.shim import Shim
from tests.waiting import descendants, wait_for

ROOT = Path(__file__).resolve().parents[2]
LEASE = 6  # seconds, of matches
RESTART = 0.3  # seconds after which a process that has died is started again


class Disk:
    """A small file system, so that it can really be full. Without the right to mount one, the shim plays it."""

    def __init__(self, folder: Path, shim: Shim, megabytes: int = 400) -> None:
        self.folder = folder
        self.shim = shim
        command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "none", folder]
        self.is_real = os.geteuid() == 0 and subprocess.run(command, check=False, capture_output=True).returncode == 0

    def fill(self) -> None:
        if not self.is_real:
            return self.shim.disk(1)
        with (self.folder / "filler").open("wb", buffering=0) as filler, suppress(OSError):
            while True:
                filler.write(bytes(1 << 16))
        with (self.folder / "filler").open("ab", buffering=0) as filler, suppress(OSError):
            while True:
                filler.write(bytes(1 << 10))
        return None

    def empty(self) -> None:
        self.shim.disk(0)
        (self.folder / "filler").unlink(missing_ok=True)

    def remove(self) -> None:
        if self.is_real:
            subprocess.run(["umount", "-l", self.folder], check=False)


class Postgresql:
    """A server that can be stopped, killed and started again."""

    def __init__(self, folder: Path) -> None:
        programs = postgresql.programs()
        assert programs is not None, postgresql.MISSING
        self.programs = programs
        self.folder = folder
        user = postgresql._lent_user()
        self.identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}
        if user:
            os.chown(folder, user.pw_uid, user.pw_gid)
        initdb = [programs / "initdb", "-D", folder / "data", "-U", "kibitz", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(
            [*initdb, "--locale=C.UTF-8"], check=True, cwd=folder, stdout=subprocess.DEVNULL, **self.identity
        )
        self.url = f"postgres://kibitz@{quote(str(folder), safe='')}/postgres"
        self.process: subprocess.Popen[bytes] | None = None
        self.wanted = True
        self.start()
        postgresql._wait(programs, folder, self.process)

    def start(self) -> None:
        command = [self.programs / "postgres", "-D", self.folder / "data", "-k", self.folder]
        # With fsync, because what was committed must survive `kill -9`.
        command += ["-c", "listen_addresses=", "-c", "deadlock_timeout=200ms"]
        environment = {name: value for name, value in os.environ.items() if name != "VAR_DIR"}  # it is not the portal's
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=self.folder, env=environment, stdout=log, stderr=log, **self.identity,
                preexec_fn=partial(die_with_parent, signal.SIGQUIT),
            )  # fmt: skip

    def tend(self) -> None:
        if self.wanted and self.process is not None and self.process.poll() is not None:
            self.start()

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        for pid in [self.process.pid, *descendants(self.process.pid)]:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def stop(self) -> None:
        self.wanted = False
        assert self.process is not None
        self.signal(signal.SIGCONT)
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(timeout=10)


@dataclass(slots=True)
class Component:
    """One process with its pool, and when to start it again."""

    name: str
    command: list[str]
    process: subprocess.Popen[bytes] | None = None
    died_at: float = 0.0
    starts: int = 0

    @property
    def pid(self) -> int:
        return self.process.pid if self.process is not None else 0

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None


@dataclass(slots=True)
class Processes:
    """The broker, two workers that play, and one for everything else. Whatever dies is started again."""

    environment: dict[str, str]
    log_folder: Path
    components: dict[str, Component] = field(default_factory=dict)

    def add(self, name: str, command: list[str]) -> None:
        self.components[name] = Component(name, command)
        self._start(self.components[name])

    def tend(self) -> None:
        now = time.monotonic()
        for each in self.components.values():
            if each.running:
                continue
            if each.process is not None:
                each.process, each.died_at = None, now
            elif now - each.died_at > RESTART:
                self._start(each)

    def _start(self, each: Component) -> None:
        with (self.log_folder / f"{each.name}.log").open("ab") as log:
            each.process = subprocess.Popen(
                each.command, cwd=ROOT, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, preexec_fn=partial(die_with_parent, signal.SIGKILL),
            )  # fmt: skip
        each.starts += 1

    def signal(self, name: str, number: signal.Signals) -> None:
        """To the whole group: a worker with its pool."""
        if pid := self.components[name].pid:
            with suppress(ProcessLookupError):
                os.killpg(pid, number)

    def pool_of(self, name: str) -> list[int]:
        """The processes that do the work of a worker."""
        pid = self.components[name].pid
        return [each for each in descendants(pid) if _group(each) == pid] if pid else []

    def stop(self) -> None:
        for each in self.components.values():
            if each.running:
                self.signal(each.name, signal.SIGCONT)
                self.signal(each.name, signal.SIGTERM)
        deadline = time.monotonic() + 5
        for each in self.components.values():
            if each.process is not None:
                with suppress(subprocess.TimeoutExpired):
                    each.process.wait(timeout=max(0.1, deadline - time.monotonic()))
                self.signal(each.name, signal.SIGKILL)
                each.process.wait()

    def log(self, name: str) -> str:
        return (self.log_folder / f"{name}.log").read_text(errors="replace")


def _group(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return 0


def worker(name: str, queues: str) -> list[str]:
    command = [sys.executable, "-m", "celery", "-A", "contest", "worker", "-l", "INFO", "-Q", queues, "-c", "1"]
    return [*command, "-n", f"{name}@%h", "--without-mingle", "--without-gossip"]


WORKERS = ("matches1", "matches2")
TICK = "portal"


def start_processes(environment: dict[str, str], log_folder: Path, var: Path) -> Processes:
    processes = Processes(environment, log_folder)
    socket = broker.socket_path(var)
    broker.private_folder(socket.parent)
    processes.add("broker", broker.find().command(socket, broker.private_folder(var / "redis")))
    for name in WORKERS:
        processes.add(name, worker(name, "matches"))
    processes.add(TICK, worker(TICK, "portal,builds,webhooks"))
    return processes


def await_start(processes: Processes) -> None:
    """Until all workers take tasks."""
    names = (*WORKERS, TICK)
    wait_for(lambda: all(" ready." in processes.log(name) for name in names), lambda: processes.log(TICK), 90)


@contextmanager
def scratch(keep: bool = False) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="kibitz-chaos-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def left_running(var: Path) -> list[str]:
    """Processes whose environment names this var/, but not this one: `pid command`."""
    mark, found = f"VAR_DIR={var}".encode(), []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with suppress(OSError):
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
                    if words:
                        found.append(f"{entry.name} {words}")
    return found


Undo = Callable[[], object]
