"""`/metrics` for Prometheus: the figures of now, and what all processes have counted.

Not for the public: it answers 404 unless METRICS_TOKEN is set and sent, or METRICS_ADDRESSES names who asks.
"""

from __future__ import annotations

from hmac import compare_digest
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.module_loading import import_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    if not may_read(request):
        raise Http404("no metrics for you")
    # Only a process that is asked needs the library of Prometheus, and most never are.
    text, kind = import_string("contest.server.exposition.exposed")(request.headers.get("Accept", ""))
    return HttpResponse(text, content_type=kind)


def may_read(request: HttpRequest) -> bool:
    """Whether the request has the token, or comes straight from one of the addresses."""
    said = request.headers.get("Authorization", "")
    if settings.METRICS_TOKEN and compare_digest(said.encode(), f"Bearer {settings.METRICS_TOKEN}".encode()):
        return True
    if "X-Forwarded-For" in request.headers or "Forwarded" in request.headers:
        return False  # through a proxy, whose address says nothing about who asks
    try:
        address = ip_address(request.META["REMOTE_ADDR"])
    except (KeyError, ValueError):
        return False
    return any(address in ip_network(each) for each in settings.METRICS_ADDRESSES)
