"""Long lists, a piece at a time: `{"next": address, "previous": address, "results": […]}`.

`?limit=` sets the size of a piece. Cursors are opaque. Rows of the database are found by key, so a list that grows
while somebody reads it repeats nothing and leaves nothing out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from django.core.signing import BadSignature, Signer
from django.http import StreamingHttpResponse
from django.utils.cache import patch_vary_headers
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.pagination import BasePagination, Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder
from rest_framework.utils.urls import replace_query_param

from contest.api.problems import Problem
from contest.words import number_in

SIZE = 50
LARGEST = 500


LIMIT = OpenApiParameter("limit", int, description=f"How many at once: {SIZE} by default, at most {LARGEST}.")
CURSOR = OpenApiParameter("cursor", str, description="From `next` or `previous`.")


def size_of(request: Request) -> int:
    """How many rows a piece has, as `?limit=` asks."""
    asked = request.query_params.get("limit", "")
    return min(int(asked[:9]), LARGEST) if asked.isascii() and asked.isdigit() and int(asked[:9]) > 0 else SIZE


def pieces_of(rows: dict[str, Any]) -> dict[str, Any]:
    """What OpenAPI 3.1 says of a piece of a list. DRF's own words are those of 3.0."""
    link = {"type": ["string", "null"], "format": "uri"}
    properties = {"next": link, "previous": link, "results": rows}
    return {"type": "object", "required": list(properties), "properties": properties}


class NewestFirst(CursorPagination):
    """Rows of the database by key, the newest first."""

    page_size = SIZE
    max_page_size = LARGEST
    page_size_query_param = "limit"
    ordering = "-pk"

    def decode_cursor(self, request: Request) -> Cursor | None:
        try:
            found = super().decode_cursor(request)
        except NotFound:
            raise _bad_cursor() from None
        if found is not None and found.position is not None and number_in(str(found.position)) is None:
            raise _bad_cursor()
        return found

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return pieces_of(schema)


def _bad_cursor() -> Problem:
    return Problem(400, "bad_cursor", "This cursor is not one of ours. Begin without one.")


class OldestFirst(NewestFirst):
    ordering = "pk"


class InOrder(BasePagination):
    """A list that was computed as a whole and has an order of its own, such as a ranking."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        rows: Sequence[Any] = queryset
        self.request, self.count = request, len(rows)
        self.size = size_of(request)
        self.first = self._first(request)
        return list(rows[self.first : self.first + self.size])

    def get_paginated_response(self, data: Any) -> Response:
        after, before = self.first + self.size, max(0, self.first - self.size)
        return Response(
            {
                "next": self._link(after) if after < self.count else None,
                "previous": self._link(before) if self.first else None,
                "results": data,
            }
        )

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return pieces_of(schema)

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        return NewestFirst().get_schema_operation_parameters(view)

    def _first(self, request: Request) -> int:
        cursor = request.query_params.get("cursor")
        try:
            return int(Signer(salt="cursor").unsign(cursor)) if cursor else 0
        except BadSignature:
            raise _bad_cursor() from None

    def _link(self, first: int) -> str:
        cursor = Signer(salt="cursor").sign(str(first))
        return replace_query_param(self.request.build_absolute_uri(), "cursor", cursor)


NDJSON = "application/x-ndjson"
LINES = OpenApiParameter(
    "format",
    str,
    enum=["json", "ndjson"],
    description=f"`ndjson`, or `Accept: {NDJSON}`: everything at once, a line of JSON each, oldest first.",
)


def wants_lines(request: Request) -> bool:
    """Whether the reader asks for lines."""
    asked = request.query_params.get("format", "")
    return asked == "ndjson" if asked else NDJSON in request.headers.get("Accept", "")


def in_lines(rows: Iterable[dict[str, Any]], name: str, etag: str | None = None) -> StreamingHttpResponse:
    """An answer without an end in sight: a line of JSON for each row, sent while they are read."""
    lines = (json.dumps(row, cls=JSONEncoder, ensure_ascii=False) + "\n" for row in rows)
    found = StreamingHttpResponse(lines, content_type=NDJSON)
    found["Content-Disposition"] = f'inline; filename="{name}.ndjson"'
    patch_vary_headers(found, ["Accept"])
    if etag is not None:
        found["ETag"] = etag
    return found
