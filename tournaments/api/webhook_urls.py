"""The addresses of webhooks. Each exists three times: for a team, for the desk, and for a person who follows."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, path
from drf_spectacular.utils import extend_schema_view

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
PLACES: dict[type[webhooks.Webhooks], str] = {
    webhooks.OfTeam: "contests/<slug:slug>/team",
    webhooks.OfDesk: "contests/<slug:slug>/desk",
    webhooks.OfFollower: "following",
}


def patterns() -> Iterator[URLPattern]:
    for name, (route, view) in VIEWS.items():
        for kind, place in PLACES.items():
            mine: Any = type(f"{kind.__name__}{view.__name__}", (kind, view), {"__doc__": None})
            if kind is webhooks.OfFollower:
                mine = extend_schema_view(**webhooks.OF_FOLLOWER.get(name, {}))(mine)
            yield path(f"{place}/{route}", mine.as_view(), name=f"api-{kind.of}-webhooks-{name}")
