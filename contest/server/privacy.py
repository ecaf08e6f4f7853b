"""Files at rest: everything that the portal writes is readable by its own user and nobody else.

Each process sets UMASK before it writes anything (contest/settings.py, `./run`, gunicorn's options), so files are
private from their first byte. `close` corrects a folder that an earlier version left open, and says what could be read.
Standard library only, because settings import this module.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

UMASK = 0o077
OTHERS = 0o077  # what a file or folder must not allow
NOTE = "was_open.txt"
"""In var/: what could be read by others before it was closed. `doctor` reminds of it until the file is deleted."""

PRECIOUS = {
    "portal.sqlite3": "the database (sessions, password hashes, sources, seeds of future deals)",
    "secret_key": "the secret key",
    "organiser.txt": "the organiser's first password",
    "mail": "mails",
    "redis": "the queue and the cache",
    "log": "logs",
}
ADVICE = (
    "If other people have accounts on this machine, stop the portal, delete {key}, start again (everybody is logged "
    "out), change the administrators' passwords and renew tokens. docs/security.md says more: “Files at rest”."
)


def begin() -> None:
    """Let this process and its children create private files only."""
    os.umask(UMASK)


@dataclass(slots=True)
class Closed:
    """What `close` has changed. `reachable`: others could come that far, so what stood open may have been read."""

    paths: list[Path] = field(default_factory=list)
    reachable: bool = False

    def warning(self, var: Path) -> str:
        """What was open and what to do, for the operator. Blank if nobody could read anything."""
        if not (self.paths and self.reachable):
            return ""
        open_names = {path.relative_to(var).parts[0] for path in self.paths if path != var}
        found = [words for name, words in PRECIOUS.items() if name in open_names] or ["its files"]
        return (
            f"{var} could be read by every user of this machine: {', '.join(found)}. It is closed now. "
            + ADVICE.format(key=var / "secret_key")
        )


def close(var: Path) -> Closed:
    """Take away from others what they may do with var/ and everything below that is ours. The top goes first, so nobody
    can come in meanwhile. Links are left alone."""
    closed = Closed(reachable=is_reachable(var))
    for path, about in everything(var):
        if stat.S_IMODE(about.st_mode) & OTHERS and about.st_uid == os.geteuid():
            try:
                os.chmod(path, stat.S_IMODE(about.st_mode) & ~OTHERS)
            except FileNotFoundError:
                continue  # deleted meanwhile, as SQLite's and Redis's temporary files are
            closed.paths.append(path)
    if warning := closed.warning(var):
        note = os.open(var / NOTE, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
        with os.fdopen(note, "a", encoding="utf-8") as file:
            file.write(f"{warning}\nDelete this file when you have done so.\n")
    return closed


def everything(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """A folder and all below it with their status, from the top down, without links and without following any."""
    about = folder.lstat()
    if stat.S_ISLNK(about.st_mode):
        return
    yield folder, about
    if not stat.S_ISDIR(about.st_mode):
        return
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return  # not ours, which `faults` reports
    for name in names:
        try:
            yield from everything(folder / name)
        except FileNotFoundError:
            continue  # deleted meanwhile


def is_reachable(path: Path) -> bool:
    """Whether other users get through all folders above this path and into it."""
    return all(folder.stat().st_mode & 0o011 for folder in (path, *path.parents))


def faults(var: Path) -> list[str]:
    """What others may do with var/, and what belongs to an unexpected user: sentences without full stops."""
    owner = os.geteuid() if os.geteuid() else var.stat().st_uid
    found = []
    for path, about in everything(var):
        mode = stat.S_IMODE(about.st_mode)
        if mode & OTHERS:
            found.append(f"{path} is open to others (mode {mode:04o})")
        if about.st_uid != owner:
            found.append(f"{path} belongs to user {about.st_uid}, not to {owner}")
    return found


def close_secret(file: Path) -> str:
    """Take a file with secrets, such as `.env`, away from other users, if it is ours. Says so; blank: nothing to do."""
    if not open_secret(file) or file.stat().st_uid != os.geteuid():
        return ""
    os.chmod(file, stat.S_IMODE(file.stat().st_mode) & ~0o007)
    return f"{file} could be read by every user of this machine. It is closed now: change the secrets in it"


def open_secret(file: Path) -> str:
    """Why a file with secrets, such as `.env`, is not private. Blank: it is, or there is none. Its group may read it,
    as where root owns the file and the portal's user is in its group."""
    try:
        mode = stat.S_IMODE(file.stat().st_mode)
    except OSError:
        return ""
    return f"{file} is open to all users (mode {mode:04o}): chmod o= {file}" if mode & 0o007 else ""
