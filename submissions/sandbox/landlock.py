"""The walls of a jail where there are no namespaces to be had, as in an ordinary container: Landlock.

The same process 1 (init/), which is not number 1 here, the same filter, and rlimits. The bot sees the host's processes
and stays in the host's network namespace; the filter lets it speak to neither. What is called /box elsewhere is a
folder of the host.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from submissions.sandbox.native import launch, state_folder
from submissions.sandbox.roots import BOX

SECRET = int.from_bytes(os.urandom(4), "little")
"""By which the filter tells calls of process 1 from those of bots (policy.py). Bots cannot read this process."""


class Place:
    """Where in the host's file system a jail's parts are. `close` removes what was writable."""

    def __init__(self, root: Path, scratch: bool, user: int) -> None:
        self._init = root / "init"
        self._scratch = Path(tempfile.mkdtemp(dir=_scratches())) if scratch else None
        self.box = self._scratch or root / "box"
        if self._scratch is not None and user:
            os.chown(self._scratch, user, user)

    def path(self, word: str) -> str:
        """A word of a command, or the value of a variable, as it is called here."""
        if word == "/init":
            return str(self._init)
        return f"{self.box}{word[len(BOX) :]}" if word == BOX or word.startswith(f"{BOX}/") else word

    def close(self) -> None:
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)


def _scratches() -> Path:
    folder = state_folder() / "scratch"
    folder.mkdir(mode=0o711, exist_ok=True)
    return folder


def spawn(place: Place, root: Path, mounts: Sequence[str], *, user: int, inner: int, errors: int) -> int:
    """Start process 1 and return its process id; as bubblewrap.spawn does, without the walls that need privileges.

    /proc is not opened, whoever asks for it: it is the host's.
    """
    words = [str(root / "init"), "confined", str(place.box)]
    words += ["r", str(root)]
    if place.box.parent != root:
        words += ["w", str(place.box)]
    for mount in mounts:
        if mount != "/proc":
            words += ["w" if mount.startswith("/dev/") else "r", os.path.realpath(mount)]
    return launch(words, user=user, inner=inner, errors=errors)
