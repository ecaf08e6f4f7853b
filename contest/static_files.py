"""Collects static files: our own style sheets and scripts without comments and white space, then all of them under
names with a hash, with gzip and Brotli beside them.

The sources stay as they are written. What a browser reads while developing, and in most tests, are the sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import brotli
import rcssmin
import rjsmin
from django.contrib.staticfiles.storage import HashedFilesMixin
from django.core.files.base import ContentFile, File
from django.core.files.storage import Storage
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

OURS = ("css/", "js/", "games/")
"""Where our own files are. What comes from elsewhere is served as it came, with its licence."""
LARGE = 200_000
DESCENDANT, COLON = r"(?<=[\w\])*]) :(?=[\w:])", "a-colon-"
"""`a :is(b)` is not `a:is(b)`, but within `@media` and `@container` rcssmin takes the colon for that of a property."""
_IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns[1]  # type: ignore[attr-defined]  # for our files alone


def smaller(name: str, text: str) -> str:
    """A file of ours without comments and needless white space; any other as it is."""
    if name.startswith(OURS):
        if name.endswith(".css"):
            kept = re.sub(DESCENDANT, f" {COLON}", text)
            return str(rcssmin.cssmin(kept, keep_bang_comments=True)).replace(COLON, ":")
        if name.endswith(".js"):
            return str(rjsmin.jsmin(text))
    return text


class Smaller:
    """A source of static files that gives them as they are sent."""

    def __init__(self, storage: Storage, name: str) -> None:
        self.storage, self.name = storage, name

    def open(self, path: str) -> File[Any]:
        file = self.storage.open(path)
        if not self.name.startswith(OURS) or not self.name.endswith((".css", ".js")):
            return file
        with file:
            return ContentFile(smaller(self.name, file.read().decode()).encode(), name=path)


class Once(Compressor):
    """Brotli at its best takes seconds for a megabyte: so not for what only the documentation of the API loads."""

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        return brotli.compress(data, quality=11 if len(data) < LARGE else 5)


class Collected(CompressedManifestStaticFilesStorage):
    """The files in `STATIC_ROOT`. Scripts import each other by their names with a hash, so all may be kept for ever."""

    patterns = (*HashedFilesMixin.patterns, ("js/*.js", _IMPORTS))

    def post_process(self, paths: Mapping[str, tuple[Storage, str]], *args: Any, **options: Any) -> Iterator[Any]:
        found = {name: (Smaller(storage, name), path) for name, (storage, path) in paths.items()}
        return super().post_process(found, *args, **options)

    def create_compressor(self, **options: Any) -> Compressor:
        return Once(**options)

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress what pages load, under its name with a hash, and only once: the name is that of the content."""
        hashed = set(self.hashed_files.values())
        new = [each for each in paths if each in hashed and not Path(f"{self.path(each)}.br").exists()]
        return super().compress_files(new)
