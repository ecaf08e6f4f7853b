"""`/metrics` for Prometheus: what waits, who works, and what is left of the disk. Counts only, of nothing hidden.

Not for the public: it answers 404 unless METRICS_TOKEN is set and sent, or METRICS_ADDRESSES names who asks.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from hmac import compare_digest
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import choose_encoder

from contest import workers
from contest.server import backups
from tournaments.attention.alarms import queues
from tournaments.models import Match


class Portal:
    """A collector of prometheus_client, asked once for each scrape."""

    def collect(self) -> Iterator[Metric]:
        waiting = GaugeMetricFamily("kibitz_queue_waiting", "What could be done now, by kind.", labels=["kind"])
        oldest = GaugeMetricFamily("kibitz_queue_oldest_seconds", "How long the oldest is due.", labels=["kind"])
        for queue in queues(timezone.now()):
            waiting.add_metric([queue.kind], queue.waiting)
            oldest.add_metric([queue.kind], queue.oldest.total_seconds())
        yield from (waiting, oldest)
        matches = GaugeMetricFamily("kibitz_matches", "Matches that are not played yet, by state.", labels=["state"])
        for state in (Match.State.QUEUED, Match.State.RUNNING):
            matches.add_metric([state], Match.objects.filter(state=state).count())
        yield matches
        here = GaugeMetricFamily("kibitz_workers", "Workers that are alive, by queue.", labels=["queue"])
        alive = workers.alive()
        for name in workers.QUEUES:
            here.add_metric([name], sum(name in worker.queues for worker in alive))
        yield here
        free = shutil.disk_usage(settings.VAR_DIR).free
        yield GaugeMetricFamily("kibitz_disk_free_bytes", "Free disk space under VAR_DIR.", free)
        if made := backups.newest():
            age = (datetime.now(UTC) - made).total_seconds()
            yield GaugeMetricFamily("kibitz_backup_age_seconds", "The age of the newest backup.", age)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    if not may_read(request):
        raise Http404("no metrics for you")
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Portal())
    encode, kind = choose_encoder(request.headers.get("Accept", ""))
    return HttpResponse(encode(registry), content_type=kind)


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
