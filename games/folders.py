"""Programs of several files: what a folder may hold, whoever sent it.

A folder is a dictionary from paths (`src/main.c`) to contents. Its files reach the portal as loose files or in an
archive (games.archives), and never without these checks. All limits are named here; docs/bots.md tells them to authors.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from games.engine import OptionError
from games.phrases import listed

MOST_FILES = 200
"""Files of a program."""
MOST_ENTRIES = 2000
"""Whatever else an archive may list: folders, and files that are left out."""
DEEPEST = 8
"""Folders inside each other."""
LONGEST_NAME = 80
LONGEST_PATH = 150
"""Characters. A path that is longer fits neither a line of a page nor a tar's header."""
LONGEST_NAME_BYTES = 240
"""As UTF-8. A file system takes 255."""

JUNK_FOLDERS = {"__macosx", "__pycache__", "node_modules", "cmakefiles"}
JUNK_NAMES = {"thumbs.db", "desktop.ini", "a.out"}
JUNK_ENDINGS = (
    *(".o", ".obj", ".a", ".lib", ".so", ".dll", ".dylib", ".exe", ".class", ".pyc", ".pyo", ".hi", ".ppu", ".gch"),
    *(".swp", ".bak", ".orig", "~"),
)
MADE = (b"\x7fELF", b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
"""First bytes of what a compiler makes, on Linux and macOS. On Windows it has the ending .exe."""
ARCHIVES = (b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"BZh", b"\xfd7zXZ")

NAME = re.compile(r"[\w(\[+,=][\w .,()\[\]+=@~'!&%#-]*")
RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
"""Names that no file can have on Windows, where an organiser may unpack the contest's archive."""


class FolderError(OptionError):
    """A folder that cannot be taken, with the sentence that says why and what to do."""


@dataclass(slots=True)
class Folder:
    """The files of a program. `left_out` are paths of files that no build needs."""

    files: dict[str, bytes] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        return sum(map(len, self.files.values()))

    def notices(self) -> list[str]:
        if not self.left_out:
            return []
        named = listed(self.left_out[:3] + ([f"{len(self.left_out) - 3} more"] if len(self.left_out) > 3 else []))
        was = "was" if len(self.left_out) == 1 else "were"
        return [f"{named} {was} left out: hidden files and what compilers make are not part of a program."]


def checked_path(path: str) -> str:
    """Return a path in its one form: `a/b.c`, NFC, without `./`. Raises FolderError for any that leads elsewhere."""
    plain = unicodedata.normalize("NFC", path.replace("\\", "/"))
    if plain.startswith("/") or re.match(r"[A-Za-z]:", plain):
        raise FolderError(f"{shown(path)} is an absolute path. Pack the folder from the folder above it.")
    parts = [part for part in plain.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise FolderError(f"{shown(path)} leads out of its folder. Pack only files below one folder, without “..”.")
    if not parts:
        raise FolderError(f"{shown(path)} is not the name of a file.")
    if len(parts) > DEEPEST + 1:
        raise FolderError(f"{shown(path)} is too deep: at most {DEEPEST} folders may lie inside each other.")
    plain = "/".join(parts)
    if len(plain) > LONGEST_PATH or max(map(len, parts)) > LONGEST_NAME:
        raise FolderError(
            f"{shown(path)} is too long: a name may have {LONGEST_NAME} characters, and a path {LONGEST_PATH}."
        )
    if max(len(part.encode("utf-8", "surrogatepass")) for part in parts) > LONGEST_NAME_BYTES:
        raise FolderError(f"{shown(path)} is too long for a file system. Rename it: use fewer letters, or Latin ones.")
    return plain


def check_name(path: str) -> None:
    """Refuse names that a compiler would take for an option, or that some system cannot store. Raises FolderError."""
    for part in path.split("/"):
        if not NAME.fullmatch(part) or part.endswith((" ", ".")) or RESERVED.fullmatch(part):
            raise FolderError(
                f"{shown(path)} cannot be used as a name. Rename it: letters, digits, “_”, “-” and “.” always work."
            )


def is_junk(path: str) -> bool:
    """Whether a file, by its path, is one that tools and systems leave in folders."""
    *folders, name = path.lower().split("/")
    if any(part.startswith(".") or part in JUNK_FOLDERS for part in folders):
        return True
    return name.startswith(".") or name in JUNK_NAMES or name.endswith(JUNK_ENDINGS)


def collected(found: Iterable[tuple[str, bytes]], most_bytes: int) -> Folder:
    """Return the folder of these files, one after the other, so that a limit stops them early. Raises FolderError."""
    folder, names, size = Folder(), _Names(), 0
    for path, data in found:
        path = checked_path(path)
        if is_junk(path) or data.startswith(MADE):
            folder.left_out.append(path)
            continue
        check_name(path)
        if data.startswith(ARCHIVES):
            raise FolderError(f"{path} is an archive inside the upload. Unpack it, and send its files with the others.")
        names.take(path)
        folder.files[path] = data
        size += len(data)
        if len(folder.files) > MOST_FILES:
            raise FolderError(
                f"The upload has more than {MOST_FILES} files. Leave out what your program does not need."
            )
        if size > most_bytes:
            raise FolderError(too_large(most_bytes))
    if not folder.files:
        raise FolderError("The upload holds no files of a program.")
    return without_wrapper(folder)


def too_large(most_bytes: int) -> str:
    return f"The files are too large: together they may have {most_bytes:,} bytes."


class _Names:
    """The paths of a folder so far."""

    def __init__(self) -> None:
        self._exact: dict[str, str] = {}
        self._files: set[str] = set()

    def take(self, path: str) -> None:
        """Refuse what is one file on some system, and a file where another path has a folder. Raises FolderError."""
        if path in self._files:
            raise FolderError(f"{shown(path)} is in the upload twice. Send each file once.")
        parts = path.split("/")
        for depth in range(1, len(parts) + 1):
            here = "/".join(parts[:depth])
            known = self._exact.setdefault(here.casefold(), here)
            if known != here:
                raise FolderError(f"{shown(known)} and {shown(here)} differ only in case. Rename one of them.")
            if here in self._files or (here == path and self._is_folder(path)):
                raise FolderError(f"{shown(here)} is both a file and a folder. Rename one of them.")
        self._files.add(path)

    def _is_folder(self, path: str) -> bool:
        return any(known.startswith(f"{path}/") for known in self._exact.values())


def without_wrapper(folder: Folder) -> Folder:
    """Return the folder without the one folder around all files, which archives usually have."""
    tops = {path.split("/", 1)[0] for path in folder.files}
    wrapped = len(tops) == 1 and all("/" in path for path in folder.files)
    if not wrapped or f"{next(iter(tops))}/__init__.py" in folder.files:
        return folder
    left_out = [path.removeprefix(f"{next(iter(tops))}/") for path in folder.left_out]
    return Folder({path.split("/", 1)[1]: data for path, data in folder.files.items()}, left_out)


def digest(files: Mapping[str, bytes], entry: str) -> str:
    """Return the SHA-256 that names a program of several files: of `entry`, and of each path and content in order."""
    whole = hashlib.sha256(f"{entry}\0".encode())
    for path in sorted(files):
        whole.update(f"{path}\0{len(files[path])}\0".encode() + files[path])
    return whole.hexdigest()


def shown(path: str) -> str:
    """A path from a stranger as text for people: printable, and not too long."""
    text = "".join(char if char.isprintable() else "�" for char in path)
    return f"“{text}”" if len(text) <= 80 else f"“{text[:40]}…{text[-30:]}”"


def folder_of(path: str) -> str:
    """The folder of a path, `.` at the top."""
    return str(PurePosixPath(path).parent)
