"""Tell services elsewhere: errors to Sentry (SENTRY_DSN), traces to OpenTelemetry (OTEL_EXPORTER_OTLP_ENDPOINT).

Both are off unless their variable is set, and their packages are imported only then. What leaves the portal names
pages, tasks, matches and lines of code; never people, addresses, cookies, forms, or what bots write.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from django.conf import settings

from contest.server import logs

PACKAGES = "pip install -r docker/requirements-reporting.txt"
TOLD = frozenset({
    *("http.method", "http.request.method", "http.route", "http.status_code", "http.response.status_code"),
    *("celery.task_name", "celery.action", "celery.state", "messaging.destination", "error.type"),
})  # fmt: skip
"""Attributes of spans that may leave the portal."""
EXPORTER = "opentelemetry.exporter.otlp.proto.http.trace_exporter"


def begin() -> None:
    """Called once in each process, before it handles requests or tasks. Raises ValueError if packages are missing."""
    for name, start in (("SENTRY_DSN", _sentry), ("OTEL_EXPORTER_OTLP_ENDPOINT", _traces)):
        if getattr(settings, name):
            try:
                start()
            except ImportError as error:
                raise ValueError(f"{name} is set, but {error.name} is not installed: {PACKAGES}") from None


def _sentry() -> None:
    sentry_sdk: Any = import_module("sentry_sdk")
    sentry_sdk.init(
        dsn=settings.SENTRY_DSN,
        send_default_pii=False,
        include_local_variables=False,  # they may hold sources and seeds
        max_request_body_size="never",
        max_breadcrumbs=0,  # they quote log lines and statements
        traces_sample_rate=0.0,
        server_name="portal",
        before_send=clean_event,
    )


def clean_event(event: dict[str, Any], hint: dict[str, Any]) -> dict[str, Any]:
    """An event of Sentry without people and secrets, with what its log lines would name."""
    for name in ("user", "request", "breadcrumbs", "extra", "modules"):  # the page is in `transaction`
        event.pop(name, None)
    event["tags"] = {name: str(each) for name, each in logs.subject().items()}
    return dict(_scrubbed(event))


def _scrubbed(value: Any) -> Any:
    if isinstance(value, str):
        return logs.scrubbed(value)
    if isinstance(value, dict):
        return {name: _scrubbed(each) for name, each in value.items()}
    return [_scrubbed(each) for each in value] if isinstance(value, list) else value


def _traces() -> None:
    trace: Any = import_module("opentelemetry.trace")
    sdk: Any = import_module("opentelemetry.sdk.trace")
    export: Any = import_module("opentelemetry.sdk.trace.export")
    exporter: Any = import_module(EXPORTER)
    resource: Any = import_module("opentelemetry.sdk.resources")
    provider = sdk.TracerProvider(resource=resource.Resource({"service.name": "kibitz"}))
    provider.add_span_processor(export.BatchSpanProcessor(Clean(exporter.OTLPSpanExporter(), sdk.ReadableSpan)))
    trace.set_tracer_provider(provider)
    for module, name in (("django", "DjangoInstrumentor"), ("celery", "CeleryInstrumentor")):
        getattr(import_module(f"opentelemetry.instrumentation.{module}"), name)().instrument()


class Clean:
    """An exporter of OpenTelemetry that passes on spans with the attributes of `TOLD` alone, and without events."""

    def __init__(self, exporter: Any, span_type: Any) -> None:
        self.exporter, self.span_type = exporter, span_type

    def export(self, spans: Sequence[Any]) -> Any:
        return self.exporter.export([self._cleaned(span) for span in spans])

    def _cleaned(self, span: Any) -> Any:
        told = {name: each for name, each in (span.attributes or {}).items() if name in TOLD}
        return self.span_type(
            name=logs.scrubbed(span.name), context=span.context, parent=span.parent, resource=span.resource,
            attributes=told, kind=span.kind, status=type(span.status)(span.status.status_code),
            start_time=span.start_time, end_time=span.end_time, instrumentation_scope=span.instrumentation_scope,
        )  # fmt: skip

    def shutdown(self) -> None:
        self.exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return bool(self.exporter.force_flush(timeout_millis))
