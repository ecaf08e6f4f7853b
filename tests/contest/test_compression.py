"""contest.compression: answers for clients that take gzip."""

from __future__ import annotations

import gzip
import zlib

import pytest
from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory
from django.urls import reverse

from contest import compression
from contest.compression import Compression, packed
from tests.cast import make_cast

LONG = b"<p>Queen of spades</p>" * 200


def answered(response: HttpResponseBase, encoding: str = "gzip, deflate, br") -> HttpResponseBase:
    def view(request: HttpRequest) -> HttpResponseBase:
        return response

    return Compression(view)(RequestFactory().get("/", headers={"Accept-Encoding": encoding}))


def test_pages_are_compressed_with_a_length_that_tells_nothing() -> None:
    lengths = set()
    for _ in range(20):
        answer = answered(HttpResponse(LONG))
        assert answer["Content-Encoding"] == "gzip"
        assert answer["Vary"] == "Accept-Encoding"
        assert gzip.decompress(answer.content) == LONG  # type: ignore[attr-defined]
        lengths.add(answer["Content-Length"])
    assert len(lengths) > 3


@pytest.mark.parametrize("encoding", ["", "br", "identity", "gzip;q=0", "*;q=0"])
def test_who_does_not_take_it_gets_it_as_it_is(encoding: str) -> None:
    assert "Content-Encoding" not in answered(HttpResponse(LONG), encoding).headers
    stream = answered(StreamingHttpResponse([LONG], content_type="application/x-ndjson"), encoding)
    assert "Content-Encoding" not in stream.headers
    assert stream["Vary"] == "Accept-Encoding"


def test_what_is_compressed_already_or_short_stays_as_it_is() -> None:
    for answer in (
        HttpResponse(LONG, content_type="application/zip"),
        HttpResponse(LONG, headers={"Content-Encoding": "zstd"}),
        HttpResponse(b"short"),
        FileResponse(iter([LONG]), content_type="application/zip"),
    ):
        before = answer.get("Content-Encoding")
        assert answered(answer).get("Content-Encoding") == before


def test_a_stream_is_sent_while_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "IMPATIENT", -1)
    unpacker = zlib.decompressobj(compression.GZIP)
    seen = []
    lines = [f'{{"match": {number}}}\n'.encode() for number in range(5)]
    for piece in packed(seen.append(line) or line for line in lines):  # type: ignore[func-returns-value]
        unpacked = unpacker.decompress(piece)
        assert unpacked == (seen[-1] if unpacked else b"")
    assert seen == lines
    stream = StreamingHttpResponse(iter(lines), content_type="application/x-ndjson", headers={"ETag": '"7"'})
    answer = answered(stream)
    assert (answer["Content-Encoding"], answer["ETag"]) == ("gzip", 'W/"7"')
    assert gzip.decompress(b"".join(answer)) == b"".join(lines)


@pytest.mark.django_db
def test_the_portal_compresses_its_pages_and_masks_their_tokens(client: Client) -> None:
    cast = make_cast()
    client.force_login(cast.carl)
    tokens = set()
    for _ in range(2):
        answer = client.get(reverse("home"), headers={"Accept-Encoding": "gzip"})
        assert answer["Content-Encoding"] == "gzip"
        page = gzip.decompress(answer.content).decode()
        tokens.add(page.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0])
    assert len(tokens) == 2
    assert (settings.SESSION_COOKIE_SAMESITE, settings.CSRF_COOKIE_SAMESITE) == ("Lax", "Lax")
