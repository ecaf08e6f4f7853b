"""Private copies of runtimes: what an interpreter and its library need of the host's files, and nothing else.

Bots that share a file can tell each other something by it: which of its pages are in memory, who waits for a futex on
one, when it was read. So two jails that are open at the same time never have a file in common. A runtime is copied once
for every seat that uses it at the same time, into the state folder, and each jail leases a copy. Bots cannot write to
it: it is mounted read-only, and belongs to the worker.

A copy is found by what it was copied from (names, sizes, times), so an upgrade of a package makes new ones.
"""

from __future__ import annotations

import contextlib
import fcntl
import glob
import hashlib
import json
import os
import shutil
import stat
import struct
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from games.engine import MachineryError
from submissions.sandbox.native import state_folder

FORM = 2  # of a copy; increase it if the same files would be copied otherwise
LINKED = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")  # links into /usr on Debian
PACKAGES = Path("/var/lib/dpkg/status")
"""Changes with every package that is installed, upgraded or removed. Only then the host's files are looked through."""

ALTERNATIVES = "/etc/alternatives/"

ALWAYS = (
    "/usr/lib/locale/C.utf8", "/usr/share/zoneinfo", "/usr/lib/*-linux-gnu/libgcc_s.so.1",
    "/usr/lib/*-linux-gnu/ossl-modules",
)  # fmt: skip
"""What runtimes load by name: the locale of jails, time zones, and what ends a thread."""

LEFT_OUT = (
    "*.a", "*.o", "*.orig", "test", "tests", "config-3*", "idlelib", "ensurepip", "pip", "pip-*", "setuptools*",
    "jmods", "include", "src.zip", "ct.sym", "man", "demo", "doc", "docs", "right", "posix", "EXTERNALLY-MANAGED",
)  # fmt: skip
"""Parts that only building, testing and installing need, by their names."""

CHECKED_EVERY = 600.0
"""Seconds after which a copy is compared with its list and read into memory again."""
UNUSED = 86_400.0
"""Seconds after which a copy is removed, when others are made."""
FAR = 1 << 33
"""A time of access in the far future (year 2242), which the kernel does not move: so reading leaves no trace."""
LOCK = struct.Struct("hhqqq")  # struct flock

Entry = tuple[str, int, int, int, str]  # path, mode, size, time of change, target of a link

_listings: dict[tuple[object, ...], tuple[str, list[Entry]]] = {}
_checked: dict[Path, float] = {}


class Lease:
    """A copy that nobody else has while it is held. `close` gives it back; so does the end of this process."""

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self._lock = lock

    def place(self, path: str) -> Path:
        """Where the copy has a path of the host."""
        return self.path / path.lstrip("/")

    def close(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def lease(patterns: Sequence[str]) -> Lease:
    """Take a copy of the files that match the patterns, with their libraries.

    Makes it where there is none: for Python a second, for Java some. Raises MachineryError if that fails."""
    digest, entries = _listing(tuple(patterns))
    number, lock = claim(f"runtime {digest}")
    folder = state_folder() / "runtimes"
    try:
        folder.mkdir(exist_ok=True)
        folder.chmod(0o711)
        path = folder / f"{digest}-{number}"
        _prepare(path, entries)
    except OSError as error:
        os.close(lock)
        raise MachineryError(f"the runtime {patterns[0]} cannot be copied: {error}") from error
    except BaseException:
        os.close(lock)
        raise
    return Lease(path, lock)


def claim(name: str) -> tuple[int, int]:
    """The lowest number that nobody on this machine holds for that name, and the descriptor that holds it."""
    lock = os.open(f"{state_folder()}/leases", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    start = int.from_bytes(hashlib.sha256(name.encode()).digest()[:5], "big") << 16
    for number in range(1 << 16):
        wanted = LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, start + number, 1, 0)
        with contextlib.suppress(BlockingIOError, PermissionError):
            fcntl.fcntl(lock, fcntl.F_OFD_SETLK, wanted)
            return number, lock
    os.close(lock)
    raise MachineryError(f"every copy is in use: {name}")


# ---- what belongs to it ----------------------------------------------------------------------------------------------


def _listing(patterns: tuple[str, ...]) -> tuple[str, list[Entry]]:
    """The files of a runtime, with a name for this very set. Remembered until packages or the first of the
    files change, which is the program."""
    key = (FORM, patterns, *_marks(patterns[0]))
    if key not in _listings:
        index = state_folder() / "runtimes" / f"{_hash(key)}.json"
        try:
            entries = [(path, mode, size, when, link) for path, mode, size, when, link in json.loads(index.read_text())]
        except (OSError, ValueError):
            entries = sorted(_entries(patterns))
            _store(index, json.dumps(entries))
        _listings[key] = _hash((FORM, entries)), entries
    return _listings[key]


def _marks(first: str) -> list[tuple[int, int]]:
    found = []
    for path in (Path(first), PACKAGES):
        try:
            about = path.stat()
        except OSError:
            found.append((0, 0))
        else:
            found.append((about.st_size, about.st_mtime_ns))
    return found


def _hash(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:32]


def _store(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.parent.chmod(0o711)
    handle, new = tempfile.mkstemp(dir=path.parent, prefix="new-")
    with os.fdopen(handle, "w") as file:
        file.write(text)
    os.replace(new, path)


def _entries(patterns: Sequence[str]) -> Iterator[Entry]:
    homes = (*ALWAYS, *patterns)
    todo = [path for pattern in homes for path in glob.glob(pattern)]
    seen = set()
    while todo:
        path = merged(os.path.normpath(todo.pop()))
        if path in seen:
            continue
        seen.add(path)
        try:
            about = os.lstat(path)
            link = os.readlink(path) if stat.S_ISLNK(about.st_mode) else ""
            names = os.listdir(path) if stat.S_ISDIR(about.st_mode) else []
        except OSError:
            continue
        if link.startswith(ALTERNATIVES):  # jails have none of these links
            link = os.path.realpath(path)
        if link:
            target = merged(os.path.normpath(os.path.join(os.path.dirname(path), link)))
            if target.startswith("/usr/") or any(fnmatch(target, home) for home in homes):
                todo.append(target)
        elif stat.S_ISDIR(about.st_mode):
            todo += [f"{path}/{name}" for name in names if not any(fnmatch(name, it) for it in LEFT_OUT)]
        elif stat.S_ISREG(about.st_mode) and about.st_mode & 0o004:
            todo += _libraries(Path(path))
        else:
            continue
        # Of a folder, size and time do not matter: caches of byte code appear in them.
        size, time = (0, 0) if stat.S_ISDIR(about.st_mode) else (about.st_size, about.st_mtime_ns)
        yield path, about.st_mode, size, time, link


def _libraries(path: Path) -> list[str]:
    links = links_of(path)
    if not links.needed and not links.interpreter:
        return []
    machine = f"{os.uname().machine}-linux-gnu"
    folders = (*links.folders, f"/usr/lib/{machine}", "/usr/lib64", "/usr/lib", "/usr/local/lib")
    found = [links.interpreter] if links.interpreter else []
    for name in links.needed:
        found += [f"{folder}/{name}" for folder in folders if os.path.exists(f"{folder}/{name}")][:1]
    return found


def merged(path: str) -> str:
    """A path without the links into /usr: /lib/x is /usr/lib/x."""
    top, _, rest = path.lstrip("/").partition("/")
    return f"/usr/{top}/{rest}" if top in LINKED and rest else path


# ---- the copy --------------------------------------------------------------------------------------------------------


def _prepare(path: Path, entries: list[Entry]) -> None:
    """Make the copy unless it is there, and repair it if it is damaged."""
    last = _checked.get(path)
    if last is not None and time.monotonic() - last < CHECKED_EVERY and path.is_dir():
        return
    if path.is_dir() and _is_whole(path, entries):
        os.utime(path)
    else:
        _replace(path, entries)
    _checked[path] = time.monotonic()


def _is_whole(path: Path, entries: list[Entry]) -> bool:
    """Compare sizes with the list, and read into memory what the kernel has dropped."""
    for name, mode, size, when, link in entries:
        place = f"{path}{name}"
        try:
            if link:
                if os.readlink(place) != link:
                    return False
                continue
            about = os.lstat(place)
            if stat.S_IFMT(about.st_mode) != stat.S_IFMT(mode) or about.st_mode & 0o022:
                return False
            if stat.S_ISREG(mode):
                if (about.st_size, about.st_mtime_ns) != (size, when):
                    return False
                warm(place)
        except OSError:
            return False
    return True


def warm(place: str) -> None:
    """Have the kernel read a file into memory, if it is not there."""
    fd = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_WILLNEED)
    finally:
        os.close(fd)


def _replace(path: Path, entries: list[Entry]) -> None:
    _prune(path.parent)
    new = Path(tempfile.mkdtemp(dir=path.parent, prefix="new-"))
    try:
        for entry in entries:
            _copy(new, *entry)
        for folder, _, _ in os.walk(new, topdown=False):
            os.chmod(folder, 0o755)
            still(folder)
        if path.exists():  # damaged; a jail of a dead worker may still be ending in it
            path.rename(path.with_name(f"old-{os.urandom(8).hex()}"))
        new.rename(path)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def _copy(root: Path, name: str, mode: int, size: int, when: int, link: str) -> None:
    place = root / name.lstrip("/")
    place.parent.mkdir(parents=True, exist_ok=True)
    if link:
        place.symlink_to(link)
        still(place)
    elif stat.S_ISDIR(mode):
        place.mkdir(exist_ok=True)
    else:
        shutil.copyfile(name, place)
        place.chmod(0o555 if mode & 0o111 else 0o444)
        if place.stat().st_size != size:
            raise MachineryError(f"{name} changed while it was copied")
        os.utime(place, ns=(FAR * 1_000_000_000, when))


def still(place: str | os.PathLike[str]) -> None:
    """Let nothing be learnt from when a file or folder was read."""
    about = os.lstat(place)
    os.utime(place, ns=(FAR * 1_000_000_000, about.st_mtime_ns), follow_symlinks=False)


def _prune(folder: Path) -> None:
    """Remove copies that were not used for a day, of this form or an older one."""
    old = time.time() - UNUSED
    for entry in list(folder.iterdir()):
        with contextlib.suppress(OSError):
            if entry.stat().st_mtime < old:
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


MAGIC = b"\x7fELF\x02\x01"  # 64 bits, little endian: all processors that we support
LOAD, DYNAMIC, INTERPRETER = 1, 2, 3
NEEDED, STRING_TABLE, RPATH, RUNPATH = 1, 5, 15, 29
PROGRAM_HEADER = struct.Struct("<IIQQQQQQ")
ENTRY = struct.Struct("<qQ")


@dataclass(frozen=True, slots=True)
class Links:
    """What a file is linked with. `folders` are its own search path, before the system's."""

    interpreter: str = ""
    needed: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


def links_of(path: Path) -> Links:
    """The links of an ELF file; none for any other file, or a damaged one."""
    try:
        with path.open("rb") as file:
            if file.read(6) != MAGIC:
                return Links()
            file.seek(0)
            return _links(file.read(), str(path.parent))
    except (OSError, struct.error, ValueError, UnicodeDecodeError):
        return Links()


def _links(data: bytes, origin: str) -> Links:
    (start,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    headers = [PROGRAM_HEADER.unpack_from(data, start + number * size) for number in range(count)]
    interpreter, entries = "", []
    for kind, _, offset, _, _, length, _, _ in headers:
        if kind == INTERPRETER:
            interpreter = data[offset : offset + length].rstrip(b"\0").decode()
        elif kind == DYNAMIC:
            entries = [ENTRY.unpack_from(data, at) for at in range(offset, offset + length - 15, ENTRY.size)]
    tables = [value for tag, value in entries if tag == STRING_TABLE]
    if not tables:
        return Links(interpreter)
    strings = _in_file(headers, tables[0])

    def text(at: int) -> str:
        return data[strings + at : data.index(b"\0", strings + at)].decode()

    needed = tuple(text(value) for tag, value in entries if tag == NEEDED)
    paths = [text(value) for tag, value in entries if tag in (RPATH, RUNPATH)]
    folders = [it.replace("${ORIGIN}", origin).replace("$ORIGIN", origin) for path in paths for it in path.split(":")]
    return Links(interpreter, needed, tuple(filter(None, folders)))


def _in_file(headers: list[tuple[int, ...]], address: int) -> int:
    for kind, _, offset, start, _, length, _, _ in headers:
        if kind == LOAD and start <= address < start + length:
            return offset + address - start
    raise ValueError("the string table is not in the file")
