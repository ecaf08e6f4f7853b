"""Webhooks that read with a person's rights, and the practice they ordered: to hand over, and to end."""

from __future__ import annotations

from typing import Any

from contest.ledger import hold
from contest.models import User
from contest.personal import Part, nothing
from tournaments.models import PracticeOrder, Webhook
from tournaments.webhooks.stopping import switch_off


def _webhooks(user: User) -> list[dict[str, Any]]:
    found = Webhook.objects.filter(reads_as=user).select_related("contest", "team").order_by("pk")
    return [
        {
            "contest": it.contest.slug,
            "team": it.team.name if it.team else None,
            "url": it.url,
            "events": it.kinds,
            "made_at": it.made_at,
            "on": it.is_on,
        }
        for it in found
    ]


def _stop_webhooks(user: User) -> None:
    """At once. Somebody else can switch them on, and they read with that person's rights from then on."""
    for contest_id in Webhook.objects.filter(reads_as=user).values_list("contest", flat=True).distinct().order_by():
        held = hold(contest_id)
        mine = held.webhooks.filter(reads_as=user).select_for_update(no_key=True, of=("self",)).order_by("pk")
        for webhook in mine:
            if webhook.is_on:
                switch_off(held, webhook, Webhook.Off.READER)
        mine.update(reads_as=None)


def _practice(user: User) -> list[dict[str, Any]]:
    found = PracticeOrder.objects.filter(made_by=user).order_by("pk")
    return list(map(dict, found.values("contest__slug", "team__name", "kind", "made_at", "wanted", "state")))


PARTS = (Part("webhooks", _webhooks, _stop_webhooks), Part("practice", _practice, nothing))
