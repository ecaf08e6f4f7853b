"""What our processes ask of the kernel: to end with their parent, to come last, and who is below them."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
from contextlib import suppress
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
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


def descendants(pid: int) -> list[int]:
    """All descendants of a process, including zombies."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):  # it ended while we looked
                fields = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
                parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found: list[int] = []
    waiting = [pid]
    while waiting:
        children = parents.get(waiting.pop(), [])
        found += children
        waiting += children
    return found
