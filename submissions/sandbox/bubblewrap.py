"""The walls of a jail: bubblewrap, started as an unprivileged user, with process 1 inside."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from games.engine import MachineryError
from submissions.sandbox.native import launch
from submissions.sandbox.roots import BOX, HOST, STREAMS

USER = "1000"  # the bot's user id as seen by the bot
PATIENCE = 2.0  # seconds in which it must exit

WALLS = (
    *("--unshare-all", "--unshare-user", "--disable-userns", "--uid", USER, "--gid", USER, "--hostname", HOST),
    *("--die-with-parent", "--new-session", "--as-pid-1", "--cap-drop", "ALL", "--clearenv"),
)


ADMIN = 1 << 21
"""The capability (Linux: CAP_SYS_ADMIN) that entering a network takes."""

_network = -1
"""The network of this worker's first jail, as a descriptor."""


def keep_network(first: int) -> None:
    """Let this worker's further jails without sockets be in the network of that process 1, in which there are none. It
    takes as long to make a network as to start two programs."""
    global _network  # noqa: PLW0603 - one for the process
    if _network < 0 and int(Path("/proc/self/status").read_text().split("CapEff:")[1].split()[0], 16) & ADMIN:
        with contextlib.suppress(PermissionError):
            _network = os.open(f"/proc/{first}/ns/net", os.O_RDONLY | os.O_CLOEXEC)


def spawn(root: Path, mounts: Mapping[str, Path], scratch_bytes: int, *, shared: bool = False, **ways: int) -> int:
    """Start bubblewrap and return its process id. `mounts` are places in the jail and what of the host is there.
    `shared`: it may be in the network of another jail (`keep_network`). `ways`: see `native.launch`."""
    network = _network if shared else -1
    program = _program(os.environ.get("PATH", os.defpath))
    words = [program, *WALLS, *(["--share-net"] if network >= 0 else []), "--ro-bind", str(root), "/"]
    for path, source in mounts.items():
        if path == "/proc":
            words += ["--proc", path]
        else:
            words += ["--dev-bind" if path.startswith("/dev/") else "--ro-bind", os.path.realpath(source), path]
    words += ["--size", f"{scratch_bytes}", "--tmpfs", BOX] if scratch_bytes else ["--tmpfs", STREAMS]
    words += ["--chdir", BOX, "--", "/init"]
    return launch(words, network=network, **ways)


@cache
def _program(path: str) -> str:
    """Where bubblewrap is, by that PATH. Raises MachineryError."""
    if program := shutil.which("bwrap", path=path):
        return program
    raise MachineryError("bubblewrap (the program bwrap) is not installed")


def last_words(errors: int) -> str:
    """What the launcher or bubblewrap reported before it gave up."""
    try:
        return os.read(errors, 2000).decode("utf-8", "replace").strip()
    except BlockingIOError:
        return ""


def reap(pid: int) -> None:
    """Wait for a bubblewrap whose process 1 was told to exit, and kill it after a while. Process 1 dies with it."""
    with contextlib.suppress(ChildProcessError, ProcessLookupError):
        pidfd = os.pidfd_open(pid)
        try:
            poll = select.poll()
            poll.register(pidfd, select.POLLIN)
            if not poll.poll(1000 * PATIENCE):
                signal.pidfd_send_signal(pidfd, signal.SIGKILL)
        finally:
            os.close(pidfd)
        os.waitpid(pid, 0)
