"""The addresses of webhooks. Each exists twice, for a team and for the desk."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, path

from tournaments.api import webhooks

VIEWS: dict[str, type[webhooks.Webhooks]] = {
    "webhooks": webhooks.ListView,
    "webhooks/<int:webhook_id>": webhooks.OneView,
    "webhooks/<int:webhook_id>/test": webhooks.TestView,
    "webhooks/<int:webhook_id>/secret": webhooks.SecretView,
    "webhooks/<int:webhook_id>/off": webhooks.OffView,
    "webhooks/<int:webhook_id>/on": webhooks.OnView,
    "webhooks/<int:webhook_id>/redeliver": webhooks.RedeliverView,
    "webhooks/<int:webhook_id>/skip": webhooks.SkipView,
    "webhooks/<int:webhook_id>/deliveries": webhooks.DeliveriesView,
    "webhooks/<int:webhook_id>/deliveries/<int:delivery_id>": webhooks.DeliveryView,
    "webhooks/<int:webhook_id>/deliveries/<int:delivery_id>/redeliver": webhooks.DeliveryAgainView,
    "webhooks/<int:webhook_id>/deliveries/<int:delivery_id>/skip": webhooks.DeliverySkipView,
}


def patterns() -> Iterator[URLPattern]:
    for route, view in VIEWS.items():
        name = view.__name__.removesuffix("View").lower()
        for kind, prefix, middle in ((webhooks.OfTeam, "team-", "team/"), (webhooks.OfDesk, "desk-", "desk/")):
            mine: Any = type(f"{kind.__name__}{view.__name__}", (kind, view), {"__doc__": None})
            yield path(f"contests/<slug:slug>/{middle}{route}", mine.as_view(), name=f"api-{prefix}webhooks-{name}")
