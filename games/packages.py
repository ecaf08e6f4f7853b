"""Debian's list of packages, to notice when some are installed, upgraded or removed."""

from __future__ import annotations

import os
import time

LIST = "/var/lib/dpkg/status"


def packages_now() -> tuple[int, ...]:
    """A value that changes when packages of this machine are installed, upgraded or removed. What was learnt about
    installed programs is good for as long as it stays the same; without Debian's list, for ten minutes."""
    try:
        about = os.stat(LIST)
    except OSError:
        return (int(time.monotonic() // 600),)
    return about.st_size, about.st_mtime_ns
