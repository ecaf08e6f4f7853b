"""Addresses of pages of this portal that a form names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.http import Http404, HttpRequest
from django.urls import Resolver404, resolve


@dataclass(frozen=True, slots=True)
class Place:
    """Which page an address leads to."""

    name: str  # of the page in urls.py
    values: Mapping[str, Any]  # for its view
    path: str


def page_at(request: HttpRequest, address: str) -> Place:
    """The page at an address, with or without the host of this portal. Raises Http404 for all other addresses. Whether
    the reader may see the page is not asked."""
    try:
        asked = urlsplit(address.strip())
        found = resolve(asked.path or "/")
    except (ValueError, Resolver404):
        raise Http404("no such page") from None
    if asked.netloc not in ("", request.get_host()):
        raise Http404("a page of another site")
    return Place(found.url_name or "", found.kwargs, asked.path)
