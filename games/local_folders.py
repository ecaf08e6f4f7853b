"""Programs of several files on one's own machine: a folder, an archive, or loose files by their names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from games import archives
from games.archives import is_archive
from games.entries import find, is_node
from games.folders import MODULES, MOST_LISTED, MOST_UNPACKED, Folder, FolderError, Item, collected, is_made, is_source


def is_folder(path: Path) -> bool:
    """Whether this names a program of several files."""
    return path.is_dir() or (path.is_file() and is_archive(path.name))


def read(path: Path, **how: Any) -> Folder:
    """Return the files of a folder or an archive, as the portal understands them. Raises FolderError with a text for
    people, and OSError. `how` is what `find` takes."""
    if path.is_dir():
        items = list(_walk(path))
        if not any(is_source(it.path) for it in items):
            items = list(_walk(path, by_tools=False))
        return _collected(items, how)
    with path.open("rb") as file:
        return _collected(archives.items(path.name, file), how)


def read_all(paths: Sequence[Path], **how: Any) -> Folder:
    """The same for files that were named one by one, below the deepest folder that holds them all."""
    absolute = [path.absolute() for path in paths]
    top = Path(os.path.commonpath([path.parent for path in absolute]))
    return _collected([Item(it.relative_to(top).as_posix(), it.read_bytes) for it in absolute], how)


def _collected(items: list[Item], how: dict[str, Any]) -> Folder:
    try:
        return collected(items, MOST_UNPACKED, is_node=partial(is_node, find=partial(find, **how)))
    except FolderError as error:
        raise FolderError(" ".join([str(error), *(error.folder.notices() if error.folder else ())])) from None


def _walk(top: Path, *, by_tools: bool = True) -> Iterator[Item]:
    """The files, behind the folder's own name, which `collected` takes off again. Links to files in it are read. Of a
    folder that is left out, one file is enough."""
    seen, inside_of = 0, top.resolve()
    for folder, folders, names in os.walk(top):
        below = Path("program", Path(folder).relative_to(top))
        here = {name.lower() for name in (*folders, *names)}
        for name in sorted(folders):
            inside = {it.lower() for it in os.listdir(Path(folder, name))}
            if is_made(name.lower(), here, inside, by_tools=by_tools and MODULES not in below.parts):
                folders.remove(name)
                yield Item((below / name / "pyvenv.cfg").as_posix(), bytes)
        folders.sort()
        links = [name for name in folders if Path(folder, name).is_symlink()]
        for name in sorted([*names, *links]):
            seen += 1
            if seen > MOST_LISTED:
                raise FolderError(f"{top} has more than {MOST_LISTED:,} files. Choose only your program's folder.")
            file, path = Path(folder, name), (below / name).as_posix()
            if file.is_file() and file.resolve().is_relative_to(inside_of):
                yield Item(path, file.read_bytes)
            elif file.is_symlink():
                yield Item(path, bytes, link_from="")
