"""What this worker should leave to others, because its machine lacks a language or the port that a bot needs.

Only what another living worker can do is left to it. What nobody can do is tried, fails, and is shown to organisers.
With a single machine nothing is ever left to others, and queries stay as they are.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from contest import workers
from contest.workers import Worker
from submissions.languages import LANGUAGES

LOOK = 15.0
"""Seconds between two looks at this machine and at the other workers."""


@dataclass(frozen=True, slots=True)
class Left:
    """What is left to other workers."""

    languages: frozenset[str] = frozenset()  # slugs
    connections: bool = False  # bots that are TCP clients

    def __bool__(self) -> bool:
        return bool(self.languages) or self.connections


NOTHING = Left()
_seen: dict[str, tuple[float, Left]] = {}


def left_to_others(queue: str) -> Left:
    """What other workers of this queue can do and this one cannot. Nothing in a process that is no worker."""
    here = workers.confinement()
    if here is None:
        return NOTHING
    now = time.monotonic()
    at, left = _seen.get(queue, (now - LOOK, NOTHING))
    if now < at + LOOK:
        return left
    missing = {slug for slug, language in LANGUAGES.items() if not language.installed()}
    left = _left(missing, bool(here.no_port), queue) if missing or here.no_port else NOTHING
    _seen[queue] = now, left
    return left


def _left(missing: set[str], no_port: bool, queue: str) -> Left:
    others = [worker for worker in workers.alive() if takes(worker, queue)]
    have = {slug for worker in others if worker.confinement for slug in worker.confinement.languages or ()}
    ports = any(worker.confinement and not worker.confinement.no_port for worker in others)
    return Left(frozenset(missing & have), no_port and ports)


def takes(worker: Worker, queue: str) -> bool:
    """Whether this worker runs bots for a queue now."""
    able = worker.confinement is not None and worker.confinement.acceptable
    return able and queue in worker.queues
