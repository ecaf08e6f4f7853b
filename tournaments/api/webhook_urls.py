"""The addresses of webhooks. Each exists twice, for a team and for the desk."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, path

from tournaments.api import webhooks

ONE = "webhooks/<int:webhook_id>"
MESSAGE = f"{ONE}/deliveries/<int:delivery_id>"
VIEWS: dict[str, tuple[str, type[webhooks.Webhooks]]] = {
    "list": ("webhooks", webhooks.ListView),
    "one": (ONE, webhooks.OneView),
    "test": (f"{ONE}/test", webhooks.TestView),
    "secret": (f"{ONE}/secret", webhooks.SecretView),
    "off": (f"{ONE}/off", webhooks.OffView),
    "on": (f"{ONE}/on", webhooks.OnView),
    "redeliver": (f"{ONE}/redeliver", webhooks.RedeliverView),
    "skip": (f"{ONE}/skip", webhooks.SkipView),
    "deliveries": (f"{ONE}/deliveries", webhooks.DeliveriesView),
    "delivery": (MESSAGE, webhooks.DeliveryView),
    "delivery-again": (f"{MESSAGE}/redeliver", webhooks.DeliveryAgainView),
    "delivery-skip": (f"{MESSAGE}/skip", webhooks.DeliverySkipView),
}
"""By the last part of its name, such as `api-team-webhooks-one`."""


def patterns() -> Iterator[URLPattern]:
    for name, (route, view) in VIEWS.items():
        for kind, prefix, middle in ((webhooks.OfTeam, "team-", "team/"), (webhooks.OfDesk, "desk-", "desk/")):
            mine: Any = type(f"{kind.__name__}{view.__name__}", (kind, view), {"__doc__": None})
            yield path(f"contests/<slug:slug>/{middle}{route}", mine.as_view(), name=f"api-{prefix}webhooks-{name}")
