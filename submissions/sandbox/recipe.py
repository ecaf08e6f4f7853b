"""What a jail is made of: its limits, the language of its bot, and what it holds."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from games.options import Server, placed
from submissions.sandbox.policy import Policy
from submissions.sandbox.roots import BOX

MEGABYTE = 1 << 20

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": BOX, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
"""The time zone is set because runtimes would otherwise look for it in files."""


@dataclass(frozen=True, slots=True)
class Limits:
    """All limits of a program in one value. Wall-clock time is up to the referee."""

    memory_bytes: int = 256 * MEGABYTE
    processes: int = 1  # 1: a bot cannot start others
    cpu_seconds: float | None = None  # of all its processes and threads
    file_bytes: int = 0  # the largest file it may write, if anything is writable at all
    scratch_bytes: int = 0  # the size of a writable /box; only for builds
    open_files: int = 64
    threads: int = 1  # in total, over all processes
    nice: int = 0  # how far its priority is below the worker's

    @property
    def tasks(self) -> int:
        """Processes and threads together, because the kernel counts them as one."""
        return max(self.processes, self.threads)


class Language(Protocol):
    """What a jail needs from a language (submissions.languages.Language)."""

    @property
    def policy(self) -> Policy: ...
    @property
    def mounts(self) -> tuple[str, ...]: ...
    @property
    def runtime(self) -> tuple[str, ...] | None: ...
    @property
    def threads(self) -> int: ...
    def run_within(self, memory_bytes: int) -> tuple[str, ...]: ...
    def environment_within(self, memory_bytes: int) -> Mapping[str, str]: ...


def arguments_for(server: Server | None) -> tuple[str, ...]:
    """The arguments of a bot that is a TCP client: HOST and PORT, or what its team wrote around them."""
    return tuple(placed(shlex.split(server.arguments), "127.0.0.1", server.ports[0])) if server else ()


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a jail is built from. `mounts` are host paths visible inside, read-only (devices are usable).

    With a `runtime` they are in a private copy instead, which holds what these patterns name, with the libraries that
    it needs (runtimes.py), and /proc is constant. Without namespaces they are always the host's."""

    policy: Policy
    command: tuple[str, ...]  # run by `start`; its first word is opened before the filter closes
    mounts: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=lambda: ENVIRONMENT)
    server: Server | None = None  # of a TCP client, at `Jail.listeners`; None: no network at all
    runtime: tuple[str, ...] | None = None
