"""Slots for jails on this machine: a slot is a number that only one jail of all workers has at a time.

The bot's host user (if we are root) and the name of its control group follow from the number. A slot is a locked file,
and the kernel releases the lock however its worker dies. What a jail left behind is removed when the slot is used
again.
"""

from __future__ import annotations

import fcntl
import os
import random

from games.engine import MachineryError
from submissions.sandbox.native import state_folder

SLOTS = 4096
FIRST_USER = 0x7000_0000  # above all ranges that Debian, systemd or containers assign


class Slot:
    """A slot that is taken. `close` frees it."""

    def __init__(self, number: int, lock: int) -> None:
        self.number = number
        self._lock = lock

    @property
    def user(self) -> int:
        """The host user of this jail's bot: one of its own if we can choose, or 0 for our own user."""
        return FIRST_USER + self.number if os.geteuid() == 0 else 0

    def close(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def take() -> Slot:
    """Take a free slot. The search starts at a random number, so that workers rarely compete."""
    start = random.randrange(SLOTS)
    for step in range(SLOTS):
        if (slot := take_number((start + step) % SLOTS)) is not None:
            return slot
    raise MachineryError(f"all {SLOTS} slots for jails are taken")


def take_number(number: int) -> Slot | None:
    """Take this very slot. None if it is in use."""
    lock = os.open(f"{state_folder()}/slots/{number}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return Slot(number, lock)
