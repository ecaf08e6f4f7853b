"""The file systems of jails: one folder per artifact, made once, mounted read-only by every jail that plays it.

An artifact is a tar of plain files, made by a build (build.py) and kept in the database. Any worker unpacks it here,
once, under a hash of what tells it from all others; the parent folder cannot be listed.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import shutil
import tarfile
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from games.engine import MachineryError
from submissions.sandbox.native import native, state_folder

BOX = "/box"
"""Where a bot finds itself: its working folder, which holds its own files and nothing else."""

HOST = "kibitz"
"""The name of the machine in a bot's eyes."""

LINKED = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")  # links into /usr on Debian
FORM = 4  # of a root; a new number when something else than the artifact is put there
KEPT = 400  # folders; above that, those unused for a day go
PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}")


@dataclass(frozen=True, slots=True)
class Parcel:
    """An artifact that is fetched only where it is not unpacked already. `key`: no two contents ever have the same, and
    nobody can guess it who does not know the content."""

    key: str
    load: Callable[[], bytes]

    @classmethod
    def of(cls, artifact: bytes) -> Parcel:
        """What is at hand already, known by its hash: a millisecond for 1 MB."""
        return cls(hashlib.sha256(artifact).hexdigest(), partial(bytes, artifact))


def pack(files: Mapping[str, bytes]) -> bytes:
    """An artifact: the same files give the same bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size = len(files[name])
            tar.addfile(entry, io.BytesIO(files[name]))
    return buffer.getvalue()


def unpack(artifact: bytes) -> dict[str, bytes]:
    """The files of an artifact. Raises MachineryError for anything but plain files with plain names."""
    files: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(artifact)) as tar:
            for entry in tar:
                data = tar.extractfile(entry) if entry.isreg() else None
                if data is None or not PLAIN.fullmatch(entry.name):
                    raise MachineryError(f"the artifact holds {entry.name!r}, which is not a plain file")
                files[entry.name] = data.read()
    except tarfile.TarError as error:
        raise MachineryError(f"the artifact cannot be unpacked: {error}") from error
    return files


def root_of(parcel: Parcel | None, mounts: Sequence[str], host: str = HOST) -> Path:
    """The folder to mount as the root of a jail: process 1, /box with the artifact's files, and a place for every
    further mount. `host` is the machine's name inside: who looks up its own address finds it without a name server."""
    init = native().init
    about = FORM, str(init), tuple(mounts), host, parcel and parcel.key
    digest = hashlib.sha256(repr(about).encode()).hexdigest()
    root = state_folder() / "roots" / digest
    try:
        os.utime(root)
        return root
    except FileNotFoundError:
        pass
    _prune(root.parent)
    new = _made(root.parent, parcel, mounts, host)
    try:
        new.rename(root)
    except OSError as error:
        shutil.rmtree(new, ignore_errors=True)
        if not root.is_dir():  # else another worker was faster
            raise MachineryError(f"the root of a jail: {error}") from error
    return root


def mend(root: Path, parcel: Parcel | None, mounts: Sequence[str], host: str = HOST) -> None:
    """Make a root anew of which no jail could be built, if something has cleared away a part of it.

    A whole one stays: other jails may be in use, and what is mounted in a folder goes with the folder, in all of them.
    """
    with contextlib.suppress(OSError, MachineryError):
        new = _made(root.parent, parcel, mounts, host)
        try:
            if _names(new) != _names(root):
                shutil.rmtree(root, ignore_errors=True)
                new.rename(root)
        finally:
            shutil.rmtree(new, ignore_errors=True)


def _names(root: Path) -> set[str]:
    return {os.path.relpath(entry, root) for entry in root.rglob("*")}


def _made(folder: Path, parcel: Parcel | None, mounts: Sequence[str], host: str) -> Path:
    """A root of that form under a name of its own."""
    files = {} if parcel is None else unpack(parcel.load())
    new = Path(tempfile.mkdtemp(dir=folder, prefix="new-"))
    try:
        _fill(new, native().init, files, mounts, host)
        new.chmod(0o755)
    except OSError as error:
        shutil.rmtree(new, ignore_errors=True)
        raise MachineryError(f"the root of a jail: {error}") from error
    return new


def _fill(root: Path, init: Path, files: Mapping[str, bytes], mounts: Sequence[str], host: str) -> None:
    os.link(init, root / "init")
    box = root / "box"
    box.mkdir(mode=0o755)
    for name, data in files.items():
        (box / name).write_bytes(data)
        (box / name).chmod(0o555 if data.startswith(b"\x7fELF") else 0o444)
    (root / "etc").mkdir()
    (root / "etc" / "hosts").write_text(f"127.0.0.1 localhost {host}\n")
    for mount in mounts:
        place = root / mount.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        if Path(mount).is_dir():
            place.mkdir(exist_ok=True)
        else:
            place.touch()
    if "/usr" in mounts:
        for name in LINKED:
            link = Path("/") / name
            if link.is_symlink():
                (root / name).symlink_to(os.readlink(link))


def _prune(folder: Path) -> None:
    roots = list(folder.iterdir())
    if len(roots) < KEPT:
        return
    old = time.time() - 86_400
    for root in roots:
        with contextlib.suppress(OSError):
            if root.stat().st_mtime < old:
                shutil.rmtree(root)
