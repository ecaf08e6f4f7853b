"""Static files as WhiteNoise has them: under names with a hash, which may be kept for ever, with gzip beside them.

The page files of a game are in its own folder. Pages refer to them as if they were all in one place: the static file
`games/<slug>/table.css`, the template `games/<slug>/table.html` (contest/drawing.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from games import GAMES


class Collected(CompressedManifestStaticFilesStorage):
    support_js_module_import_aggregation = True  # scripts import each other by their names with a hash

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        """Without extensions of htmx that nobody uses: they import it by a name that no file has."""
        used = {name: path for name, path in paths.items() if not name.startswith("django_htmx/ext/")}
        yield from super().post_process(used, *args, **options)


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
