"""What our processes ask of the kernel: to end with their parent, to come last, and to look for garbage seldom."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import socket
from contextlib import suppress
from pathlib import Path

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)


def die_with_parent(death_signal: signal.Signals) -> None:
    """Ask the kernel to send us this signal when our parent dies. It survives exec."""
    parent = os.getppid()
    LIBC.prctl(PR_SET_PDEATHSIG, int(death_signal))
    if os.getppid() != parent:  # it died before the call
        os.kill(os.getpid(), death_signal)


def give_way(steps: int) -> None:
    """Lower the priority of this process, of its children, and of its session where the kernel weighs sessions."""
    with suppress(OSError):
        os.nice(steps)
    if os.getsid(0) != os.getpid():
        return  # the session is somebody's terminal
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(f"{steps}")


def machine() -> str:
    """The name of this machine among those of the portal, as it stands behind the @ of its workers' names."""
    return os.environ.get("KIBITZ_MACHINE") or socket.gethostname()


def look_seldom() -> None:
    """Let this process look for garbage in circles of objects less often. Call it once, when everything is loaded: code
    and settings are never looked through again, and what is made later when the process has grown by a quarter.

    By itself, Python looks after every 700 new objects, and through everything after 70,000. A page about 2,000 matches
    makes more, and two thirds of its time went into looking for what was not there.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 10, 10)
