"""Which processes of this installation die again and again: told by the supervisor, read by the desk and `/readyz`.

The supervisor writes into memory, not onto the disk, which may be full, and `var/run/parts` is a link to it. So it is
gone with the supervisor, and nobody reads of a past life.
"""

import contextlib
import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from django.conf import settings

SIZE = 1 << 16
WORDS = 300  # characters of its last words


@dataclass(frozen=True, slots=True)
class Trouble:
    """A process that has ended several times in a row right after its start."""

    name: str
    deaths: int
    how: str  # "status 1", "signal SIGKILL"
    since: float  # Unix time
    next_try: float  # Unix time
    last_words: str

    def __str__(self) -> str:
        pause = max(0.0, self.next_try - time.time())
        words = f": {self.last_words}" if self.last_words else ""
        what = f"{self.name} has ended {self.deaths} times right after its start ({self.how})"
        return f"{what}; next try in {pause:.0f} s{words}"


class Board:
    """Where the supervisor writes. Never raises OSError."""

    def __init__(self, link: Path) -> None:
        self._memory = -1
        with contextlib.suppress(OSError):
            self._memory = os.memfd_create("kibitz-parts")
            link.unlink(missing_ok=True)
            link.symlink_to(f"/proc/{os.getpid()}/fd/{self._memory}")

    def write(self, troubles: list[Trouble]) -> None:
        if self._memory >= 0:
            text = json.dumps([asdict(trouble) for trouble in troubles]).encode()
            with contextlib.suppress(OSError):
                os.pwrite(self._memory, text[:SIZE].ljust(SIZE), 0)


def link() -> Path:
    return Path(settings.VAR_DIR) / "run" / "parts"


def troubles() -> list[Trouble]:
    """What the supervisor of this installation has written; nothing if there is no supervisor."""
    try:
        return [Trouble(**each) for each in json.loads(link().read_bytes())]
    except (OSError, ValueError, TypeError):  # it is being written, or of another version
        return []
