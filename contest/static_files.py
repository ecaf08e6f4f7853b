"""Static files as WhiteNoise has them: under names with a hash, which may be kept for ever, with gzip beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage


class Collected(CompressedManifestStaticFilesStorage):
    support_js_module_import_aggregation = True  # scripts import each other by their names with a hash

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        """Without extensions of htmx that nobody uses: they import it by a name that no file has."""
        used = {name: path for name, path in paths.items() if not name.startswith("django_htmx/ext/")}
        yield from super().post_process(used, *args, **options)
