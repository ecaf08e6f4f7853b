"""`/healthz` and `/readyz`, which tell monitors how the portal is, without details. Only the web server needs them, and
django-health-check loads much."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.db import connections
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from health_check.base import HealthCheck
from health_check.exceptions import ServiceUnavailable
from health_check.views import HealthCheckView

from contest.server.health import Finding, broker, database, found_by, migrations


@dataclass
class Check(HealthCheck):
    """Whether a finding is good, without the details: the answer is public."""

    find: Callable[[], Finding] = field(repr=False)

    def __repr__(self) -> str:
        return self.find.__name__

    def run(self) -> None:
        try:
            if not found_by(self.find).ok:
                raise ServiceUnavailable("see manage.py doctor")
        finally:
            connections.close_all()  # of this thread, which is not used again


class Ready(HealthCheckView):
    """Answers with JSON, and with 503 if something is missing."""

    checks = [(Check, {"find": find}) for find in (database, migrations, broker)]

    def render_to_response(self, context: dict[str, Any], status: int = 200, **_: Any) -> HttpResponse:
        return self.render_to_response_json(status)

    def render_to_response_json(self, status: int) -> HttpResponse:
        return super().render_to_response_json(503 if status == 500 else status)


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200 while this process runs."""
    return HttpResponse("ok\n", content_type="text/plain")
