"""Hand over to supervisord, which runs the programs of supervisord.conf beside this file.

One supervisord runs for a var/. It holds a lock, which this process has taken before it becomes supervisord. If
supervisord is killed, its programs go on without it until the next start ends them: all processes of a var/ carry MARK
in their environment.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

from django.conf import settings
from django.core.management import CommandError

from contest.server import broker, processes

CONFIGURATION = Path(__file__).with_name("supervisord.conf")
PROGRAMS = ("web", "clock", "bots", "casual", "builds", "matches")
"""All but the broker."""
MARK = "KIBITZ_SUPERVISED"
LOCK = 3  # the descriptor: supervisord leaves it open, and closes it in its programs
GRACE = 3  # seconds that workers have to finish what they do
LATEST = 3  # seconds more, after which they are killed


@contextmanager
def only_instance() -> Iterator[int]:
    """Hold the lock of this var/, and yield its descriptor. If it is taken, say by which process."""
    with (broker.private_folder(settings.VAR_DIR / "run") / "portal.lock").open("a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise CommandError(
                f"the portal of {settings.VAR_DIR} is already running (process {lock.read().strip() or 'unknown'}). "
                "Stop it first, or use another folder beside it, such as VAR_DIR=/tmp/second ./run …"
            ) from None
        with suppress(OSError):  # the disk may be full; not buffered, or closing it would fail as well
            os.ftruncate(lock.fileno(), 0)
            os.write(lock.fileno(), f"{os.getpid()}\n".encode())
        yield lock.fileno()


def end_leftovers() -> None:
    """Kill what a supervisord of this var/ left when it was killed. Call it while holding the lock."""
    mark, found = f"{MARK}={settings.VAR_DIR}".encode(), []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdigit() and mark in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
    for pid in found:
        with suppress(ProcessLookupError):
            os.killpg(os.getpgid(pid), signal.SIGKILL)
    while any(map(lives, found)):  # until then it has its ports
        time.sleep(0.05)


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def hand_over(lock: int, programs: Collection[str], variables: Mapping[str, object], grace: float = GRACE) -> NoReturn:
    """Become supervisord, which runs these programs. `variables` go into its configuration, with the prefix RUN_."""
    os.dup2(lock, LOCK)
    os.set_inheritable(LOCK, True)  # dup2 does nothing if it is the same one already
    (settings.VAR_DIR / "log").mkdir(exist_ok=True)
    run = {
        "BROKER": "true",
        "BROKER_HERE": False,
        "PYTHON": sys.executable,
        "CONTROL": broker.private_folder(settings.BROKER_SOCKET.parent) / "supervisor.sock",
        "NODE": processes.machine(),
        "STOP": round(grace + LATEST),
        "BIND": "",
        "MATCHES_AT_ONCE": 1,
        "BUILDS_AT_ONCE": 2,
        **{name.upper(): name in programs for name in PROGRAMS},
        **variables,
    }
    os.environ |= {f"RUN_{name}": str(value) for name, value in run.items()}
    os.environ |= {MARK: str(settings.VAR_DIR), "VAR_DIR": str(settings.VAR_DIR), "WORKER_GRACE": str(round(grace))}
    os.environ["SPT_NOENV"] = "1"  # titles of processes leave MARK alone (setproctitle)
    # On stderr, supervisord says that it cannot write its logs: the disk may be full, and the terminal may be gone.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    command = [sys.executable, "-m", "supervisor.supervisord", "-n", "-c", str(CONFIGURATION)]
    os.execv(sys.executable, command + (["-u", "root"] if os.geteuid() == 0 else []))
