"""contest.compression: answers for clients that take gzip."""

from __future__ import annotations

import gzip

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory
from django.urls import reverse

from contest.compression import Compression
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
