"""The walls of a jail: bubblewrap, started as an unprivileged user, with process 1 inside."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
from collections.abc import Sequence
from pathlib import Path

from games.engine import MachineryError
from submissions.sandbox.native import launch
from submissions.sandbox.roots import BOX, HOST

USER = "1000"  # who the bot is in its own eyes
PATIENCE = 2.0  # seconds in which it must leave

WALLS = (
    *("--unshare-all", "--unshare-user", "--disable-userns", "--uid", USER, "--gid", USER, "--hostname", HOST),
    *("--die-with-parent", "--new-session", "--as-pid-1", "--cap-drop", "ALL", "--clearenv"),
)


def spawn(root: Path, mounts: Sequence[str], scratch_bytes: int, *, user: int, inner: int, errors: int) -> int:
    """Start bubblewrap and return its process id.

    It becomes host user `user` before anything else (0: it stays who we are, which is then not root). Process 1 finds
    the descriptor `inner` as number 3; what goes wrong before it runs is written to `errors`. A posix_spawn, so that
    the worker's size does not matter, with every signal reset (Python ignores some, and a bot would inherit that) and
    in a session of its own: a Ctrl-C meant for the worker, which then finishes its match, must not reach the jail.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise MachineryError("bubblewrap (the program bwrap) is not installed")
    words = [program, *WALLS, "--ro-bind", str(root), "/"]
    for path in mounts:
        if path == "/proc":
            words += ["--proc", path]
        else:
            words += ["--dev-bind" if path.startswith("/dev/") else "--ro-bind", os.path.realpath(path), path]
    if scratch_bytes:
        words += ["--size", f"{scratch_bytes}", "--tmpfs", BOX]
    words += ["--chdir", BOX, "--", "/init"]
    return launch(words, user=user, inner=inner, errors=errors)


def last_words(errors: int) -> str:
    """What the launcher or bubblewrap had to say before it gave up."""
    try:
        return os.read(errors, 2000).decode("utf-8", "replace").strip()
    except BlockingIOError:
        return ""


def reap(pid: int) -> None:
    """Wait for a bubblewrap whose process 1 was told to leave; kill it when it takes long. Process 1 dies with it."""
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
