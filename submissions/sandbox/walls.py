"""The walls of jails on this machine: the strongest that work, determined once. probe.py describes them to people."""

from __future__ import annotations

import os
import shutil
import subprocess
from enum import StrEnum
from functools import cache

from games.engine import MachineryError
from games.options import Server
from submissions.sandbox.bubblewrap import WALLS
from submissions.sandbox.roots import HOST


class Walls(StrEnum):
    """What confines a bot."""

    NAMESPACES = "namespaces"  # built by bubblewrap
    LANDLOCK = "landlock"  # for an ordinary container


@cache
def are() -> Walls:
    """The walls of every jail of this process. KIBITZ_SANDBOX_WALLS may select the weaker ones."""
    chosen = os.environ.get("KIBITZ_SANDBOX_WALLS", "")
    if chosen:
        if chosen not in list(Walls):
            raise MachineryError(f"KIBITZ_SANDBOX_WALLS is {chosen!r}, not one of {', '.join(Walls)}")
        return Walls(chosen)
    return Walls.LANDLOCK if missing() else Walls.NAMESPACES


def hostnames(server: Server | None = None) -> str:
    """The names of the loopback as seen by a bot, beside localhost: the machine's, which without namespaces is that of
    the host, and its server's."""
    machine = HOST if are() is Walls.NAMESPACES else os.uname().nodename
    return f"{machine} {server.host}".rstrip() if server else machine


@cache
def missing() -> str:
    """Why bubblewrap cannot build a jail here. Empty if it can."""
    program = shutil.which("bwrap")
    if program is None:
        return "bubblewrap (the program bwrap) is not installed"
    nobody = 65534 if os.geteuid() == 0 else None
    try:
        run = subprocess.run(
            [program, *WALLS, "--ro-bind", "/", "/", "--", "/bin/true"],
            env={}, user=nobody, group=nobody, extra_groups=None if nobody is None else [],
            capture_output=True, text=True, timeout=30, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError) as error:
        return f"bubblewrap could not be started: {error}"
    return "" if run.returncode == 0 else f"bubblewrap says: {run.stderr.strip() or run.returncode}"
