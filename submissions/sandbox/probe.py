"""What this machine can do to confine bots, found out by trying it once when a worker starts.

The levels, strongest first:

* `full`: namespaces of every kind, system-call filter with reports, memory and processes limited by control groups;
* `limits`: the same, but memory watched by process 1, and processes limited by rlimits (no control group can be
  written);
* `landlock`: no namespaces, as in an ordinary container: files by Landlock, system-call filter with reports, and
  control groups or rlimits;
* `none`: bots are refused. They never run unconfined, and never as the host's root.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache

from games.engine import MachineryError
from games.options import Server
from games.programs import ExitStatus
from submissions.sandbox import cgroups, landlock, walls
from submissions.sandbox.jail import Jail
from submissions.sandbox.policy import STATIC
from submissions.sandbox.recipe import MEGABYTE, Limits, Recipe

TITLES = {
    "full": "all namespaces, system-call filter, control groups",
    "limits": "all namespaces, system-call filter, watched memory, rlimits",
    "landlock": "Landlock and system-call filter, no namespaces",
    "none": "bots cannot be run",
}


NO_GROUPS = "a bot can hold too much memory for up to 20 ms, and some of the kernel's memory besides"
NO_NAMESPACES = (
    "the host's processes, network and files are there, and only the filter and Landlock keep bots from them"
)


@dataclass(frozen=True, slots=True)
class Level:
    """What the sandbox consists of on this machine."""

    name: str  # full, limits, landlock or none
    can: tuple[str, ...]  # its features, in words
    reasons: tuple[str, ...]  # why nothing stronger is available; empty at the top
    no_port: str = ""  # why bots cannot be TCP clients here; empty if they can

    @property
    def title(self) -> str:
        return TITLES[self.name]

    @property
    def lacks(self) -> tuple[str, ...]:
        """What it does not give and a stronger level would, in sentences (docs/security.md)."""
        grouped = any("control groups" in it for it in self.can)
        return (*(() if grouped else (NO_GROUPS,)), *((NO_NAMESPACES,) if self.name == "landlock" else ()))

    @property
    def acceptable(self) -> bool:
        """Whether strangers' programs may be run."""
        return self.name != "none"

    def __str__(self) -> str:
        port = f"; no port for TCP clients: {self.no_port}" if self.no_port else ""
        return f"{self.name} ({self.title})" + "".join(f"; {reason}" for reason in self.reasons) + port

    def demand(self) -> None:
        """Raise MachineryError unless bots can run here."""
        if not self.acceptable:
            raise MachineryError(f"bots cannot run on this machine: {'; '.join(self.reasons)}")


@cache
def probe() -> Level:
    """The strongest level that this machine allows. Also cleans up after dead workers.

    Takes about 10 ms, the first time a second. Never raises.
    """
    try:
        confining = walls.are()
        cgroups.sweep()
        landlock.sweep()
        _try_jail()
    except MachineryError as error:
        return Level("none", (), tuple(filter(None, (str(error), walls.missing()))))
    is_root = os.geteuid() == 0
    owner = "every bot has a host user of its own" if is_root else "bots run as the worker's own, unprivileged user"
    can, reasons = [*CAN[confining], owner], []
    if confining is walls.Walls.LANDLOCK:
        reasons.append(f"no namespaces: {walls.missing() or 'KIBITZ_SANDBOX_WALLS says so'}")
    try:
        layout = cgroups.layout()
        can.append(f"memory and processes limited by control groups, version {layout.version}")
    except cgroups.Unavailable as error:
        can.append("memory watched by process 1, processes limited by rlimits")
        reasons.append(f"no control groups: {error}")
    name = "landlock" if confining is walls.Walls.LANDLOCK else "limits" if reasons else "full"
    return Level(name, tuple(can), tuple(reasons), _no_port())


CAN = {
    walls.Walls.NAMESPACES: (
        "user, mount, process, network, IPC, host name and control group namespaces",
        "read-only root, no network",
        "a forbidden system call is reported with its name and path",
    ),
    walls.Walls.LANDLOCK: (
        "a bot can read its own folder and the system's libraries, write nothing, and look nothing else up",
        "no network and no signals to others, by the system-call filter",
        "a TCP client is connected to its own server and to nothing else",
        "a forbidden system call is reported with its name and path",
    ),
}


def _try_jail() -> None:
    """Build a jail, and check that an honest program runs in it unprivileged and that a cheat is caught."""
    limits = Limits(memory_bytes=4 * MEGABYTE)
    with Jail(Recipe(STATIC, ("/init", "hello")), limits) as jail:
        process = jail.start()
        end = process.ended(5.0)
        said = os.read(process.stdout, 100).split()
        if end is None or end.status is not ExitStatus.EXITED or end.code or said[:1] != [b"ok"]:
            raise MachineryError(f"a test program did not run in the jail: {end} {said}")
    with Jail(Recipe(STATIC, ("/init", "cheat")), limits) as jail:
        end = jail.start().stop(5.0)
        if end.status is not ExitStatus.VIOLATION or end.path != "/box/cheat.txt":
            raise MachineryError(f"a forbidden system call was not caught: {end}")


def _no_port() -> str:
    """Open a jail with a port of its own. Returns the reason if it fails."""
    try:
        with Jail(Recipe(STATIC, ("/init", "hello"), server=Server()), Limits(memory_bytes=4 * MEGABYTE)):
            return ""
    except MachineryError as error:
        return str(error)
