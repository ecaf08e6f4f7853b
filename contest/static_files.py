"""Static files as WhiteNoise has them: under names with a hash, which may be kept for ever, with gzip beside them."""

from __future__ import annotations

from typing import Any

from django.contrib.staticfiles.apps import StaticFilesConfig
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage


class Finding(StaticFilesConfig):
    # These extensions of htmx import it by a name that no file has.
    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "django_htmx/ext/*"]


class Collected(CompressedManifestStaticFilesStorage):
    support_js_module_import_aggregation = True  # scripts import each other by their names with a hash

    def create_compressor(self, **options: Any) -> Compressor:
        return Compressor(**options, use_brotli=False)  # it would take half a minute at each start
