"""Answers without an end in sight: a line of JSON for each row, sent while they are read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django.http import StreamingHttpResponse
from django.utils.cache import patch_vary_headers
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder

MEDIA_TYPE = "application/x-ndjson"
FORMAT = OpenApiParameter(
    "format",
    str,
    enum=["json", "ndjson"],
    description=f"`ndjson`, or `Accept: {MEDIA_TYPE}`: everything at once, a line of JSON each, oldest first.",
)


def wanted(request: Request) -> bool:
    """Whether the reader asks for lines."""
    asked = request.query_params.get("format", "")
    return asked == "ndjson" if asked else MEDIA_TYPE in request.headers.get("Accept", "")


def answer(rows: Iterable[dict[str, Any]], name: str, etag: str | None = None) -> StreamingHttpResponse:
    lines = (json.dumps(row, cls=JSONEncoder, ensure_ascii=False) + "\n" for row in rows)
    found = StreamingHttpResponse(lines, content_type=MEDIA_TYPE)
    found["Content-Disposition"] = f'inline; filename="{name}.ndjson"'
    patch_vary_headers(found, ["Accept"])
    if etag is not None:
        found["ETag"] = etag
    return found
