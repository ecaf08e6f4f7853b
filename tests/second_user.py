"""Another user of this machine, who tries to read and use everything that the portal keeps."""

from __future__ import annotations

import json
import os
import socket
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

NOBODY = 65534


def spoils(folders: Sequence[Path]) -> list[str]:
    """What this user gets of these folders and of what running processes tell about paths below them: names that can be
    listed, files that can be read, sockets that answer. Needs root, to become that user."""
    inside, outside = os.pipe()
    if child := os.fork():
        os.close(outside)
        with open(inside, encoding="utf-8") as answer:
            found = answer.read()
        os.waitpid(child, 0)
        return json.loads(found)
    try:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        names = [os.fspath(folder) for folder in folders]
        got = sorted({spoil for path in [*names, *_told(names)] for spoil in _tried(path)})
        os.write(outside, json.dumps(got).encode())
    finally:
        os._exit(0)


def _told(folders: Sequence[str]) -> Iterator[str]:
    """Paths below the folders that /proc tells everybody: arguments and mounts of all processes."""
    for process in filter(str.isdigit, os.listdir("/proc")):
        for name in ("cmdline", "mountinfo", "maps"):
            with suppress(OSError):
                words = Path("/proc", process, name).read_bytes().replace(b"\0", b" ").decode(errors="replace").split()
                yield from (word for word in words if word.startswith(tuple(folders)))


def _tried(path: str) -> Iterator[str]:
    """Spoils at this path and below it."""
    with suppress(OSError):
        yield from (spoil for name in os.listdir(path) for spoil in (f"listed {path}", *_tried(f"{path}/{name}")))
    with suppress(OSError), open(path, "rb") as file:
        file.read(1)
        yield f"read {path}"
    with suppress(OSError):
        if stat.S_ISSOCK(os.lstat(path).st_mode):
            with socket.socket(socket.AF_UNIX) as knock:
                knock.connect(path)
                yield f"connected to {path}"
