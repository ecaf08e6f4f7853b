"""The time zone in which a page shows times: the reader's own or, until they choose one, the official one.

Each contest has an official zone: organisers type its dates in it, and deadlines are shown in it. While a request is
about a contest, it is Django's current time zone (`use`), so forms and words follow it. Elsewhere that is the portal's.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from datetime import tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

COOKIE = "zone"
"""What readers without an account have chosen."""
MONTHS_KEPT = 12

_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


def middleware(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Remember who reads, and forget the contest's zone. Nothing is looked up unless a page shows a time."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        token = _request.set(request)
        try:
            return get_response(request)
        finally:
            _request.reset(token)
            timezone.deactivate()

    return answer


def readers_zone() -> tzinfo:
    """The zone of whoever reads the page that is being made; the official one outside of a request."""
    request = _request.get()
    if request is None:
        return timezone.get_current_timezone()
    if not hasattr(request, "_zone"):
        request._zone = _chosen(request)  # type: ignore[attr-defined]
    return zone_called(request._zone) or timezone.get_current_timezone()  # type: ignore[attr-defined]


def _chosen(request: HttpRequest) -> str:
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return str(user.time_zone)
    return request.COOKIES.get(COOKIE, "")


def zone_called(name: str) -> tzinfo | None:
    return ZoneInfo(name) if name in names() else None


def use(official: str) -> None:
    """From now on, and until the end of the request, times are those of a contest with this zone."""
    timezone.activate(official_zone(official))


def official_zone(name: str) -> tzinfo:
    """The portal's, where there is no such zone."""
    return zone_called(name) or timezone.get_default_timezone()


@cache
def names() -> frozenset[str]:
    """All zones that people can choose."""
    return frozenset({"UTC", *(name for name in available_timezones() if _is_a_place(name))})


def _is_a_place(name: str) -> bool:
    return "/" in name and not name.startswith(("Etc/", "SystemV/", "posix/", "right/", "US/"))


@cache
def choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """For a list to choose from, by region."""
    regions: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(names() - {"UTC"}):
        region, _, place = name.partition("/")
        regions.setdefault(region, []).append((name, place.replace("_", " ")))
    return [("Everywhere", [("UTC", "UTC")]), *regions.items()]


def official_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """The same for a contest, which may also have the portal's zone if it has an old name."""
    portal = timezone.get_default_timezone_name()
    return choices() if portal in names() else [("This portal", [(portal, portal)]), *choices()]
