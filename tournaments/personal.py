"""What people have in tournaments: to hand over, and to end when they delete their account."""

from __future__ import annotations

from typing import Any

from contest.ledger import hold
from contest.models import User
from contest.personal import Part, nothing
from tournaments import notes
from tournaments.casual import people as casual
from tournaments.models import Follow, FollowSettings, PracticeOrder, Webhook
from tournaments.webhooks.stopping import switch_off


def _webhooks(user: User) -> list[dict[str, Any]]:
    found = Webhook.objects.filter(reads_as=user).select_related("contest", "team").order_by("pk")
    return [
        {
            "contest": it.contest.slug if it.contest else None,
            "team": it.team.name if it.team else None,
            "news": it.contest is None,
            "url": it.url,
            "events": it.kinds,
            "made_at": it.made_at,
            "on": it.is_on,
        }
        for it in found
    ]


def _stop_webhooks(user: User) -> None:
    """At once. Somebody else can switch those of teams and desks on, and they read with that person's rights from then
    on."""
    Webhook.objects.filter(follower=user).delete()
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


def _follows(user: User) -> dict[str, Any]:
    settings = FollowSettings.objects.filter(user=user).values("digest").first()
    found = (
        Follow.objects.filter(user=user)
        .order_by("pk")
        .values("contest__slug", "team__name", "team__contest__slug", "since")
    )
    return {"digest": settings["digest"] if settings else "", "follows": list(map(dict, found))}


def _unfollow(user: User) -> None:
    Follow.objects.filter(user=user).delete()
    FollowSettings.objects.filter(user=user).delete()


PARTS = (
    Part("webhooks", _webhooks, _stop_webhooks),
    Part("practice", _practice, nothing),
    Part("follows", _follows, _unfollow),
    Part("casual_games", casual.export_of, casual.forget),
    Part("notes", notes.export_of, notes.forget),
)
