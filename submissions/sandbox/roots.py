"""The file systems of jails: one folder per artifact, created once and mounted read-only by the jails that play it.

Jails that are open at the same time never share a file (runtimes.py says why): the second one uses another copy.

An artifact is a tar of plain files, some in folders, made by a build (build.py) and stored in the database. Each
machine unpacks it here once, under a hash that identifies it. The parent folder cannot be listed.
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
from games.folders import FolderError, check_name, checked_path
from submissions.sandbox.native import native, state_folder
from submissions.sandbox.runtimes import LINKED, still

BOX = "/box"
"""The bot's working folder. It holds the bot's own files and nothing else."""

STREAMS = "/streams"
"""Where process 1 keeps the standard streams of a bot (init/spawn.c), in a file system of the jail's own."""

HOST = "kibitz"
"""The name of the machine as seen by a bot."""

FORM = 7  # of a root; increase it if the contents beside the artifact change
KEPT = 400  # folders; beyond that, those unused for a day are removed
PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}")


KERNEL_FILES = {
    "meminfo": "MemTotal: 1048576 kB\nMemFree: 524288 kB\nMemAvailable: 524288 kB\n",
    "loadavg": "0.00 0.00 0.00 1/1 1\n",
    "uptime": "0.00 0.00\n",
    "stat": "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n",
    "net/if_inet6": f"{1:032x} 01 80 10 80       lo\n",
    "cpuinfo": "processor\t: 0\nmodel name\t: processor\ncpu MHz\t\t: 1000.000\n\n",
}
"""What a bot sees of /proc: as on a machine that has just started. The kernel's would tell what others do."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """An artifact that is fetched only if it is not unpacked yet. No two contents share a `key`, and nobody can guess
    it without knowing the content."""

    key: str
    load: Callable[[], bytes]

    @classmethod
    def of(cls, artifact: bytes) -> Parcel:
        """A parcel whose content is already loaded, with its hash as the key: a millisecond per MB."""
        return cls(hashlib.sha256(artifact).hexdigest(), partial(bytes, artifact))


def pack(files: Mapping[str, bytes]) -> bytes:
    """Make an artifact. The same files give the same bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size = len(files[name])
            tar.addfile(entry, io.BytesIO(files[name]))
    return buffer.getvalue()


def unpack(artifact: bytes) -> dict[str, bytes]:
    """The files of an artifact by their paths. Raises MachineryError unless all are plain files with plain names."""
    files: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(artifact)) as tar:
            for entry in tar:
                data = tar.extractfile(entry) if entry.isreg() else None
                if data is None or not _is_plain(entry.name):
                    raise MachineryError(f"the artifact holds {entry.name!r}, which is not a plain file")
                files[entry.name] = data.read()
    except tarfile.TarError as error:
        raise MachineryError(f"the artifact cannot be unpacked: {error}") from error
    return files


def _is_plain(path: str) -> bool:
    if PLAIN.fullmatch(path):
        return True
    try:
        check_name(path)
        return checked_path(path) == path
    except FolderError:
        return False


def root_of(
    parcel: Parcel | None, mounts: Sequence[str], hosts: str = HOST, *, copy: int = 0, program: str = ""
) -> Path:
    """The folder to mount as the root of a jail: process 1, /box with the artifact's files, and a mount point for every
    further mount. `hosts` are names of the loopback inside, such as the machine's, which can be looked up without a
    name server.

    `copy` numbers the folders for jails that are open at the same time. With a `program`, which is the only one that
    runs in the jail, /proc is a folder of constant files."""
    init = native().init
    about = FORM, str(init), tuple(mounts), hosts, parcel and parcel.key, copy, program
    root = Path(f"{state_folder()}/roots/{hashlib.sha256(repr(about).encode()).hexdigest()}")
    try:
        os.utime(root)
        return root
    except FileNotFoundError:
        pass
    _prune(root.parent)
    new = _made(root.parent, parcel, mounts, hosts, program)
    try:
        new.rename(root)
    except OSError as error:
        shutil.rmtree(new, ignore_errors=True)
        if not root.is_dir():  # otherwise another worker was faster
            raise MachineryError(f"the root of a jail: {error}") from error
    return root


def mend(root: Path, parcel: Parcel | None, mounts: Sequence[str], hosts: str = HOST, *, program: str = "") -> None:
    """Repair a root with which no jail could be built, if parts of it have been deleted.

    An intact root is not touched: other jails may use it, and replacing a folder removes its mounts in all of them.
    """
    with contextlib.suppress(OSError, MachineryError):
        new = _made(root.parent, parcel, mounts, hosts, program)
        try:
            if _names(new) != _names(root):
                shutil.rmtree(root, ignore_errors=True)
                new.rename(root)
        finally:
            shutil.rmtree(new, ignore_errors=True)


def _names(root: Path) -> set[str]:
    return {os.path.relpath(entry, root) for entry in root.rglob("*")}


def _made(folder: Path, parcel: Parcel | None, mounts: Sequence[str], hosts: str, program: str) -> Path:
    """Create a root in this form under a name of its own."""
    files = {} if parcel is None else unpack(parcel.load())
    new = Path(tempfile.mkdtemp(dir=folder, prefix="new-"))
    try:
        _fill(new, native().init, files, mounts, hosts)
        if program:
            _fill_proc(new / "proc", program)
        _open_up(new)
        for place in (new, *new.rglob("*")):
            still(place)
    except OSError as error:
        shutil.rmtree(new, ignore_errors=True)
        raise MachineryError(f"the root of a jail: {error}") from error
    return new


def _fill(root: Path, init: Path, files: Mapping[str, bytes], mounts: Sequence[str], hosts: str) -> None:
    shutil.copyfile(init, root / "init")
    (root / "init").chmod(0o555)
    box = root / "box"
    box.mkdir(mode=0o755)
    for name, data in files.items():
        file = box / name
        file.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        file.write_bytes(data)
        file.chmod(0o555 if data.startswith(b"\x7fELF") else 0o444)
    (root / STREAMS.lstrip("/")).mkdir()
    (root / "etc").mkdir()
    (root / "etc" / "hosts").write_text(f"127.0.0.1 localhost {hosts}\n")
    (root / "etc" / "nsswitch.conf").write_text("hosts: files\n")  # so nobody asks a name server for other names
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


def _open_up(root: Path) -> None:
    """Let bots' users enter and read everything, whatever the mask of this process was."""
    for folder, _, files in os.walk(root):
        os.chmod(folder, 0o755)
        for name in files:
            path = Path(folder, name)
            if not path.is_symlink():
                path.chmod(path.stat().st_mode | 0o444)


def _fill_proc(folder: Path, program: str) -> None:
    (folder / "self").mkdir(parents=True)
    (folder / "self" / "exe").symlink_to(program)  # the dynamic linker looks for libraries beside it
    for name, text in KERNEL_FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)


def _prune(folder: Path) -> None:
    roots = list(folder.iterdir())
    if len(roots) < KEPT:
        return
    old = time.time() - 86_400
    for root in roots:
        with contextlib.suppress(OSError):
            if root.stat().st_mtime < old:
                shutil.rmtree(root)
