"""The walls of a jail without namespaces, as in an ordinary container: Landlock.

It uses the same process 1 (init/), which is not number 1 here, the same filter, and rlimits. The bot stays among the
host's processes, in its network and in its file system. The filter cuts it off from the first two. In the file system,
Landlock opens only its own places, and process 1 answers that nothing exists anywhere else. /box is a folder of the
host, /proc does not exist, and process 1 connects a TCP client to its server.
"""

from __future__ import annotations

import itertools
import os
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from games.options import Server
from submissions.sandbox import slots
from submissions.sandbox.native import launch, passable, state_folder
from submissions.sandbox.roots import BOX
from submissions.sandbox.slots import Slot

ROOM = 512
"""How many processes the worker's user may start beside a jail before the bot can no longer start its own."""


class Place:
    """Where the parts of a jail are in the host's file system. `close` removes writable parts. If its worker is killed
    before that, `sweep` or the next jail of the slot does."""

    def __init__(self, root: Path, scratch_bytes: int, slot: Slot, server: Server | None) -> None:
        self._init = root / "init"
        self.scratch_bytes, self.serves = scratch_bytes, server is not None
        self._scratch = scratches() / f"{slot.number}" if scratch_bytes else None
        self.box = self._scratch or root / "box"
        if self._scratch is not None:
            remove(self._scratch)
            self._scratch.mkdir(mode=0o700)
            if slot.user:
                os.chown(self._scratch, slot.user, slot.user)

    def path(self, word: str) -> str:
        """A word of a command, or the value of a variable, with paths as they are here."""
        if word == "/init":
            return str(self._init)
        return f"{self.box}{word[len(BOX) :]}" if word == BOX or word.startswith(f"{BOX}/") else word

    def close(self) -> None:
        if self._scratch is not None:
            remove(self._scratch)


def scratches() -> Path:
    """The folder with the writable folders of builds, named after the numbers of their slots."""
    return passable(state_folder() / "scratch")


def remove(folder: Path) -> None:
    """Remove a folder with everything a hostile build put there, however deep or hidden. Never raises: what cannot be
    removed is left to the next `sweep`."""
    names = itertools.count()
    with suppress(OSError):
        folder.chmod(0o700)  # a build may have shut it
        while entries := list(os.scandir(folder)):
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    _dissolve(entry.path, lambda: f"{folder}/{os.urandom(8).hex()}-{next(names)}")
                else:
                    os.unlink(entry.path)
        folder.rmdir()


def _dissolve(path: str, new_path: Callable[[], str]) -> None:
    """Remove a folder. Its subfolders move up first, so depth does not matter."""
    os.chmod(path, 0o700)
    for entry in list(os.scandir(path)):
        if entry.is_dir(follow_symlinks=False):
            os.chmod(entry.path, 0o700)
            os.rename(entry.path, new_path())
        else:
            os.unlink(entry.path)
    os.rmdir(path)


def sweep() -> None:
    """Remove the writable folders of jails whose worker is gone."""
    for folder in list(scratches().iterdir()):
        slot = slots.take_number(int(folder.name)) if folder.name.isdigit() else None
        if slot is not None:
            with closing(slot):
                remove(folder)


class Listener(socket.socket):
    """The server socket for a bot that is a TCP client, on the host's loopback. It refuses all but the bot's user.
    Other bots, even of the same user, are connected to their own servers by their process 1."""

    user = 0

    @classmethod
    def of(cls, fd: int, user: int) -> Listener:
        """The socket of that descriptor. `user` 0: bots run as our own."""
        listener = cls(fileno=fd)
        listener.user = user or os.geteuid()
        return listener

    def accept(self) -> tuple[socket.socket, Any]:
        while True:
            connection, peer = super().accept()
            if owner_of(peer, self.getsockname()) == self.user:
                return connection, peer
            connection.close()


def owner_of(socket_address: tuple[str, int], peer: tuple[str, int]) -> int | None:
    """The user who owns that end of a TCP connection on this machine. None if it no longer exists."""
    wanted = [_as_listed(socket_address), _as_listed(peer)]
    with open("/proc/net/tcp", encoding="ascii") as lines:
        for line in lines:
            fields = line.split()
            if fields[1:3] == wanted:
                return int(fields[7])
    return None


def _as_listed(address: tuple[str, int]) -> str:
    host, port = address
    return f"{int.from_bytes(socket.inet_aton(host), sys.byteorder):08X}:{port:04X}"


def most_processes(wanted: int) -> int:
    """The process limit for a bot of our own user, which the kernel counts together with all our processes. It is
    approximate, but stops every fork bomb."""
    most, ours = wanted + ROOM, os.geteuid()
    for entry in os.scandir("/proc"):
        with suppress(OSError):  # it ends meanwhile
            if entry.name.isdigit() and entry.stat().st_uid == ours:
                most += len(os.listdir(f"{entry.path}/task"))
    return most


def spawn(place: Place, root: Path, mounts: Sequence[str], *, threads: int, **ways: int) -> int:
    """Start process 1 and return its process id, like bubblewrap.spawn but without the walls that need privileges.

    It listens on the loopback for a bot that is a TCP client, and counts the bot's threads. /proc is never opened,
    because it is the host's.
    """
    words = [
        str(root / "init"),
        "confined",
        str(place.box),
        f"{place.scratch_bytes}",
        f"{place.serves:d}",
        f"{threads}",
    ]
    words += ["r", str(root)]
    if place.box.parent != root:
        words += ["w", str(place.box)]
    for mount in mounts:
        if mount != "/proc":
            words += ["w" if mount.startswith("/dev/") else "r", os.path.realpath(mount)]
    return launch(words, **ways)
