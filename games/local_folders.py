"""Programs of several files on one's own machine: a folder, an archive, or loose files by their names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from games.archives import MOST_PACKED, MOST_UNPACKED, is_archive, unpacked
from games.folders import MOST_ENTRIES, Folder, FolderError, collected, is_junk


def is_folder(path: Path) -> bool:
    """Whether this names a program of several files."""
    return path.is_dir() or (path.is_file() and is_archive(path.name))


def read(path: Path) -> Folder:
    """Return the files of a folder or an archive. Raises FolderError with a text for people, and OSError."""
    if path.is_dir():
        return collected(_walk(path), MOST_UNPACKED)
    if path.stat().st_size > MOST_PACKED:
        raise FolderError(f"{path} is too large: an archive may have {MOST_PACKED:,} bytes.")
    return unpacked(path.name, path.read_bytes(), MOST_UNPACKED)


def read_all(paths: Sequence[Path]) -> Folder:
    """Return files that were named one by one, below the deepest folder that holds them all."""
    absolute = [path.absolute() for path in paths]
    top = Path(os.path.commonpath([path.parent for path in absolute]))
    return collected(((path.relative_to(top).as_posix(), path.read_bytes()) for path in absolute), MOST_UNPACKED)


def _walk(top: Path) -> Iterator[tuple[str, bytes]]:
    """Path and contents of each file, behind the folder's own name, which `collected` takes off again. Links to files
    are read, and those to folders are not followed."""
    seen = 0
    for folder, folders, names in os.walk(top):
        below = Path(folder).relative_to(top)
        folders[:] = sorted(name for name in folders if not is_junk(f"{name}/x"))
        for name in sorted(names):
            path = (below / name).as_posix()
            seen += 1
            if seen > MOST_ENTRIES:
                raise FolderError(f"{top} has more than {MOST_ENTRIES} files. Choose the folder of your program alone.")
            if not is_junk(path) and (top / path).is_file():
                yield f"program/{path}", (top / path).read_bytes()
