"""Long lists, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property

T = TypeVar("T")
PAGE_SIZE = 50
MOST_AT_ONCE = 1000
MOST_COUNTED = 10_000


class Newest(Paginator):
    """A list of the database that may have millions of rows: it ends after so many, and is counted only that far."""

    @cached_property
    def count(self) -> int:
        return min(self._counted, MOST_COUNTED)

    @property
    def has_more(self) -> bool:
        """Whether there are rows beyond the end."""
        return self._counted > MOST_COUNTED

    @cached_property
    def _counted(self) -> int:
        rows: Any = self.object_list
        return int(rows.order_by().values("pk")[: MOST_COUNTED + 1].count())


def newest_of(request: HttpRequest, rows: QuerySet[Any, T]) -> Page[T]:
    """As below, for a list that may be very long."""
    return Newest(rows, PAGE_SIZE).get_page(request.GET.get("page"))


def page_of(request: HttpRequest, rows: Sequence[T] | QuerySet[Any, T], size: int = PAGE_SIZE) -> Page[T]:
    """The page that `?page=` asks for, or the nearest one that exists."""
    return Paginator(rows, size).get_page(request.GET.get("page"))


def page_for_paper(request: HttpRequest, rows: Sequence[T] | QuerySet[Any, T]) -> Page[T]:
    """As above, or with `?page=all` one with all rows: paper has no links."""
    return page_of(request, rows, MOST_AT_ONCE if request.GET.get("page") == "all" else PAGE_SIZE)
