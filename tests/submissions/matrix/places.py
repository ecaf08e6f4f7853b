"""The places of the matrix: a level, the worker's user and the kind of control groups; and which can exist here."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from submissions.sandbox import cgroups

LEVELS = ("full", "limits", "landlock")
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
        if self.user == "user" and os.geteuid() == 0 and version == 2:
            return "" if delegable() else "the groups of this machine cannot be delegated to another user"
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


def delegable() -> bool:
    """Whether a group of version 2 can be given to another user together with its controllers."""
    return cgroups.layout().version == 2


@contextmanager
def state_of(place: Place) -> Iterator[Path]:
    """The state folder of a worker at that place, with control groups that its user may use, as an administrator
    delegates them."""
    folder = Path(f"/tmp/kibitz-matrix-{os.getpid()}-{place.level}-{place.user}-{place.groups}")
    folder.mkdir(mode=0o711, exist_ok=True)
    groups: list[Path] = []
    try:
        if place.number:
            os.chown(folder, place.number, place.number)
            if place.groups != "none":
                for parent in {folder.parent for folder in cgroups.layout().folders}:
                    group = parent / cgroups.name_for(folder)
                    group.mkdir(exist_ok=True)
                    groups.append(group)
                    for path in (group, *(group.glob("cgroup.*") if place.groups == "v2" else ())):
                        os.chown(path, place.number, place.number)
        yield folder
    finally:
        if place.groups != "none":
            names = {folder.parent / cgroups.name_for(folder) for folder in cgroups.layout().folders}
            groups += [path for path in names if path.exists()]
        for group in groups:
            for child in group.glob("*/"):
                child.rmdir()
            group.rmdir()
        shutil.rmtree(folder, ignore_errors=True)
