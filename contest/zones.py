"""Time zones. Each contest has one: organisers type its dates in it, and pages show times in it.

While a request is about a contest, that is Django's current time zone (`use`), so forms and words follow it. Elsewhere
it is the portal's. A script (static/js/page.js) then shows times in the zone of the browser.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone


def middleware(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Forget the contest's zone after each request."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        try:
            return get_response(request)
        finally:
            timezone.deactivate()

    return answer


def use(official: str) -> None:
    """From now on, and until the end of the request, times are those of a contest with this zone."""
    timezone.activate(official_zone(official))


def official_zone(name: str) -> tzinfo:
    """The portal's, where there is no such zone."""
    return ZoneInfo(name) if name in names() else timezone.get_default_timezone()


@cache
def names() -> frozenset[str]:
    """All zones that people can choose."""
    no_places = ("Etc/", "SystemV/", "posix/", "right/", "US/")
    return frozenset({"UTC", *(it for it in available_timezones() if "/" in it and not it.startswith(no_places))})


@cache
def choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """For a list to choose from, by region. It has the portal's zone too, even by an old name."""
    regions: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(names() - {"UTC"}):
        region, _, place = name.partition("/")
        regions.setdefault(region, []).append((name, place.replace("_", " ")))
    portal = timezone.get_default_timezone_name()
    own = [] if portal in names() else [("This portal", [(portal, portal)])]
    return [*own, ("Everywhere", [("UTC", "UTC")]), *regions.items()]
