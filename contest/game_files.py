"""Finds the page files in each game's own folder: `table.css` here, `table.html` and its fragments in `drawing`.

Pages refer to them as if they were all in one place: the static file `games/<slug>/table.css`, the template
`games/<slug>/table.html`. So a game needs no file outside its folder, wherever that is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

from games import GAMES

STYLES = "table.css"


def folder(slug: str) -> Path | None:
    """The folder of a game. None if there is no such game."""
    return Path(str(GAMES[slug].folder)) if slug in GAMES else None


class StyleFinder(BaseFinder):
    """Finds `games/<slug>/table.css` in the folder of that game."""

    def find(self, path: str, find_all: bool = False, **more: Any) -> Any:
        start, _, rest = path.partition("/")
        slug, _, name = rest.partition("/")
        place = folder(slug) if (start, name) == ("games", STYLES) else None
        found = [str(place / STYLES)] if place and (place / STYLES).is_file() else []
        if find_all:
            return found
        return found[0] if found else []

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, FileSystemStorage]]:
        for slug in GAMES:
            place = folder(slug)
            if place and (place / STYLES).is_file():
                storage = FileSystemStorage(location=place)
                storage.prefix = f"games/{slug}"  # type: ignore[attr-defined]  # where collectstatic puts it
                yield STYLES, storage
