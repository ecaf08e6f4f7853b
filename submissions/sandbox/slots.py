"""Places for jails on this machine: a slot is a number that no other jail of any worker has at the same time.

From the number follow the host user of the bot (when we are root) and the name of its control group. A slot is a
locked file: the kernel frees it when its worker dies, however it dies; what a jail left behind goes when it is used
again.
"""

from __future__ import annotations

import fcntl
import os
import random

from games.engine import MachineryError
from submissions.sandbox.native import state_folder

SLOTS = 4096
FIRST_USER = 0x7000_0000  # above every range that Debian, systemd or containers hand out


class Slot:
    """One taken slot. `close` gives it back."""

    def __init__(self, number: int, lock: int) -> None:
        self.number = number
        self._lock = lock

    @property
    def user(self) -> int:
        """The unprivileged host user of this jail's bot, its own when we can choose; 0 when it has to be ours."""
        return FIRST_USER + self.number if os.geteuid() == 0 else 0

    def close(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def take() -> Slot:
    """A free slot. Starts looking at a random place, so that workers rarely meet."""
    start = random.randrange(SLOTS)
    for step in range(SLOTS):
        if (slot := take_number((start + step) % SLOTS)) is not None:
            return slot
    raise MachineryError(f"all {SLOTS} places for jails are taken")


def take_number(number: int) -> Slot | None:
    """That very slot, or None when somebody has it."""
    lock = os.open(f"{state_folder()}/slots/{number}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return Slot(number, lock)
