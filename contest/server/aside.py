"""Work that the tick must not wait for: a command of ours in a process of its own, one at a time."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence

from django.conf import settings


class Aside:
    """Starts a command of manage.py when it is asked to, unless it runs still or was started a short while ago."""

    def __init__(self, command: Sequence[str], pause: float) -> None:
        self.command, self.pause = command, pause
        self.begun = float("-inf")  # monotonic: the disk may be too full to remember it anywhere else
        self.process: subprocess.Popen[bytes] | None = None

    def may_start(self) -> bool:
        if self.process is not None and self.process.poll() is not None:
            self.process = None
        return self.process is None and time.monotonic() >= self.begun + self.pause

    def start(self) -> bool:
        """Returns whether it was started."""
        if not self.may_start():
            return False
        self.begun = time.monotonic()
        command = [sys.executable, "manage.py", *self.command]
        self.process = subprocess.Popen(command, cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL)
        return True
