"""Compresses answers, pages and streams alike, for clients that take gzip.

BREACH guesses a secret from the lengths of compressed answers that hold the secret and something of the attacker's. It
gains nothing here: Django masks the CSRF token anew in every page; session cookies are `SameSite=Lax`, so a page of
somebody else cannot ask for a page of ours as its reader, except by opening it in a window; and every answer gets a
random number of bytes more, as Django does it ("Heal the BREACH").
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import cast

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

from contest.encodings import accepts

LEVEL = 5  # of streams; 9 saves a few parts in a hundred and takes three times as long
GZIP = 16 + zlib.MAX_WBITS
IMPATIENT = 0.2  # seconds after which a piece of a stream is sent, however small it is
JSONS = ("application/json", "application/problem+json", "application/x-ndjson")
PACKS = ("text/", "application/xml", "image/svg+xml", "application/vnd.oai.openapi", *JSONS)


class Compression:
    """A middleware around all that read or write answers."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.whole = GZipMiddleware(get_response)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.has_header("Content-Encoding") or not response.get("Content-Type", "").startswith(PACKS):
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if not accepts(request, "gzip"):
            return response
        if isinstance(response, HttpResponse):
            return self.whole.process_response(request, response)
        if isinstance(response, StreamingHttpResponse) and not response.is_async:
            response.streaming_content = packed(cast(Iterable[bytes], response.streaming_content))
            response["Content-Encoding"] = "gzip"
            del response["Content-Length"]
            if response.get("ETag", "").startswith('"'):
                response["ETag"] = f"W/{response['ETag']}"
        return response


def packed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """A stream as gzip. Nothing waits in it for longer than the next piece does, or `IMPATIENT` seconds."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
    sent = time.monotonic()
    for piece in pieces:
        found = packer.compress(piece)
        if time.monotonic() - sent > IMPATIENT:
            found += packer.flush(zlib.Z_SYNC_FLUSH)
        if found:
            sent = time.monotonic()
            yield found
    yield packer.flush()
