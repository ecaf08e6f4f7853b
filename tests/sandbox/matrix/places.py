"""The places of the matrix: a level, the worker's user and the kind of control groups; and which can exist here."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from submissions.sandbox import cgroups

LEVELS = ("full", "limits", "landlock")


@cache
def program() -> Path:
    """The program, where the worker of every user can read it: a clone in a folder of one user's own is copied."""
    ours = Path(__file__).parents[3]
    if all(folder.stat().st_mode & 0o005 == 0o005 for folder in (ours, *ours.parents)):
        return ours
    copy = Path(tempfile.mkdtemp(prefix="kibitz-program-"))
    atexit.register(shutil.rmtree, copy)
    copy.chmod(0o755)
    for name in ("games", "submissions", "benchmarks", "tests"):
        shutil.copytree(ours / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


USERS = ("root", "user")
GROUPS = ("v1", "v2", "none")
UNPRIVILEGED = 54321
"""The user of a worker that is not root, if this process is."""


@dataclass(frozen=True, slots=True)
class Place:
    """One of the 18 combinations."""

    level: str
    user: str
    groups: str

    def __str__(self) -> str:
        return f"{self.level}/{self.user}/{self.groups}"

    @property
    def impossible(self) -> str:
        """Why it cannot exist, here or anywhere. Empty if it can."""
        if self.level == "full" and self.groups == "none":
            return "full has control groups; without them it is the level limits"
        if self.level == "limits" and self.groups != "none":
            return "limits has no control groups; with them it is the level full"
        if self.user == "root" and os.geteuid() != 0:
            return "this process is not root"
        if self.groups == "none":
            return ""
        version, why = usable_groups()
        if self.groups != f"v{version}":
            return why if not version else f"the controllers of this machine are bound to version {version}"
        return ""

    @property
    def number(self) -> int:
        """The worker's user; 0 for this process's own."""
        return UNPRIVILEGED if self.user == "user" and os.geteuid() == 0 else 0

    def environment(self) -> dict[str, str]:
        """What makes a worker run its jails at this level."""
        walls = "landlock" if self.level == "landlock" else "namespaces"
        off = {"KIBITZ_CGROUP": "off"} if self.groups == "none" else {}
        return {"KIBITZ_SANDBOX_WALLS": walls, **off}


PLACES = tuple(Place(level, user, groups) for level in LEVELS for user in USERS for groups in GROUPS)


def usable_groups() -> tuple[int, str]:
    """The version of the control groups that this process may use, or 0 and why not."""
    try:
        return cgroups.layout().version, ""
    except cgroups.Unavailable as error:
        return 0, str(error)


@dataclass(frozen=True, slots=True)
class State:
    """What a worker at a place is given: a state folder, and variables. `join`: the group that it must start in."""

    folder: Path
    environment: dict[str, str]
    join: Path | None = None


@contextmanager
def state_of(place: Place) -> Iterator[State]:
    """The state folder of a worker at that place, with control groups that its user may use, as an administrator
    delegates them."""
    folder = Path(f"/tmp/kibitz-matrix-{os.getpid()}-{place.level}-{place.user}-{place.groups}")
    folder.mkdir(mode=0o711, exist_ok=True)
    environment, join = place.environment() | {"KIBITZ_SANDBOX_DIR": str(folder)}, None
    groups: list[Path] = []
    try:
        if place.number:
            os.chown(folder, place.number, place.number)
        if place.groups != "none":
            parents = dict.fromkeys(folder.parent for folder in cgroups.layout().folders)
            groups = [parent / cgroups.name_for(folder) for parent in parents]
        if place.number and groups:
            for group in groups:
                _delegate(group, place.number)
            if place.groups == "v2":  # only a process that is in a group may move others within it
                environment["KIBITZ_CGROUP"], join = str(groups[0]), groups[0] / "worker"
                join.mkdir()
        yield State(folder, environment, join)
    finally:
        for group in filter(Path.exists, groups):
            for child in group.glob("*/"):
                child.rmdir()
            group.rmdir()
        shutil.rmtree(folder, ignore_errors=True)


def _delegate(group: Path, user: int) -> None:
    group.mkdir(exist_ok=True)
    for path in (group, *(group / name for name in ("cgroup.procs", "cgroup.subtree_control", "cgroup.threads"))):
        if path.exists():
            os.chown(path, user, user)
