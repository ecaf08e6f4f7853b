"""The files of a version as a tree for pages, and what changed between two versions, file by file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from submissions import listing
from submissions.listing import Budget, DiffLine


@dataclass
class Branch:
    """A file or a folder of a tree."""

    name: str
    path: str
    size: int = 0
    is_entry: bool = False
    children: list[Branch] = field(default_factory=list)

    @property
    def is_folder(self) -> bool:
        return bool(self.children)


def tree_of(files: Iterable[tuple[str, int]], entry: str) -> list[Branch]:
    """The tree of files given by path and size: folders first, then by name. A folder's size is that of its files."""
    top = Branch("", "")
    for path, size in files:
        here = top
        *folders, name = path.split("/")
        for depth, part in enumerate(folders, 1):
            known = next((it for it in here.children if it.name == part and it.is_folder), None)
            if known is None:
                known = Branch(part, "/".join(folders[:depth]))
                here.children.append(known)
            known.size += size
            here = known
        here.children.append(Branch(name, path, size, path == entry))
    _sort(top)
    return top.children


def _sort(branch: Branch) -> None:
    branch.children.sort(key=lambda it: (not it.is_folder, it.name.casefold()))
    for child in branch.children:
        _sort(child)


@dataclass(frozen=True)
class FileChange:
    """What became of a file. `lines` is empty where `why_not` says why it is not compared."""

    path: str
    what: str  # added, removed, changed
    lines: list[DiffLine]
    why_not: str = ""


def changes(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> list[FileChange]:
    """The files that differ, in the order of their paths."""
    budget = Budget()
    found = []
    for path in sorted(old.keys() | new.keys()):
        before, after = old.get(path), new.get(path)
        if before != after:
            what = "added" if before is None else "removed" if after is None else "changed"
            found.append(_change(path, what, before or b"", after or b"", budget))
    return found


def _change(path: str, what: str, before: bytes, after: bytes, budget: Budget) -> FileChange:
    texts = listing.text_of(before), listing.text_of(after)
    if texts[0] is None or texts[1] is None:
        return FileChange(path, what, [], "it is not a text")
    try:
        return FileChange(path, what, listing.difference(texts[0], texts[1], budget))
    except listing.TooLong as why:
        return FileChange(path, what, [], str(why))
