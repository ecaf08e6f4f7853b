"""Long lists, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

T = TypeVar("T")
PAGE_SIZE = 50
MOST_AT_ONCE = 1000


def page_of(request: HttpRequest, rows: Sequence[T] | QuerySet[Any, T], size: int = PAGE_SIZE) -> Page[T]:
    """The page that `?page=` asks for, or the nearest one that exists."""
    return Paginator(rows, size).get_page(request.GET.get("page"))


def page_for_paper(request: HttpRequest, rows: Sequence[T] | QuerySet[Any, T]) -> Page[T]:
    """As above, or with `?page=all` one with all rows: paper has no links."""
    return page_of(request, rows, MOST_AT_ONCE if request.GET.get("page") == "all" else PAGE_SIZE)
