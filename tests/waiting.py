"""Wait for other processes and threads."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path
from termios import FIONREAD
from typing import Any

import pytest


def wait_for(
    condition: Callable[[], Any], tell: Callable[[], object] = str, seconds: float = 180.0, *, pause: float = 0.02
) -> Any:
    """Return what the condition gives as soon as that is true. Fails with what there is to tell."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"waited {seconds} s: {tell()}"
        time.sleep(pause)
    return found


def unread(descriptor: int) -> int:
    """Return how many bytes wait in a pipe or socket to be read."""
    answer = ioctl(descriptor, FIONREAD, bytes(4))
    return int.from_bytes(answer, "little")


def state_of(pid: int) -> str:
    """Return the kernel's letter for what a process does: S sleeps, T is stopped; Z when it has ended."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return stat.read().rpartition(b")")[2].split()[0].decode()
    except (FileNotFoundError, ProcessLookupError):
        return "Z"


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


def late_when(monkeypatch: pytest.MonkeyPatch, happened: Callable[[], Any]) -> None:
    """Give deadlines a clock that is right until something has happened, and a week ahead from then on. A limit of a
    minute is over then, however busy the machine is, and never before."""
    monkeypatch.setattr("games.deadline.Deadline._look", lambda self, now: None)  # nothing is given back
    monkeypatch.setattr("games.deadline.perf_counter", lambda: time.perf_counter() + (604_800 if happened() else 0))


def parent_of(pid: int) -> int:
    """Return the process that started this one, or that has taken it over; 0 when it has ended."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return int(stat.read().rpartition(b")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0
