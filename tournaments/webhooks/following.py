"""Webhooks of people who follow contests and teams: the news of their page “Following”, as they become known.

News of several contests are written at the same time, so one may appear after another that has a higher number. A
webhook therefore remembers two places: `number`, up to which it has read, and `resume`, below which nothing can appear
any more. Between them it reads again, and recognises by its name what it has had.

What is hidden again before it is sent, or is not followed any more, is never sent. News that was hidden and is shown
again is another row: what waits to be sent then belongs to that row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from contest.models import Kind
from tournaments.feeds import words
from tournaments.feeds.reading import followed_by
from tournaments.models import Delivery, NewsItem, Webhook
from tournaments.webhooks import waking
from tournaments.webhooks.reading import may_read, payload_of

BATCH = 500
SETTLED = timedelta(minutes=5)
"""After that, whoever was writing news has written them."""
KINDS = tuple((kind.value, NewsItem.label_of(kind)) for kind in Kind if kind in words.TOLD) + tuple(
    NewsItem.FURTHER.items()
)
"""What can be news, for a choice."""


def start_at_the_end(webhook: Webhook) -> None:
    """Make an unsaved webhook tell only what becomes known from now on."""
    webhook.number = webhook.resume = _newest()


def read_new() -> int:
    """Let those webhooks read that have not seen the newest news. Returns how many deliveries that makes."""
    return sum(read(pk) for pk in _of_followers().filter(number__lt=_newest()).values_list("pk", flat=True))


def read_again() -> int:
    """The same with news that may have appeared below those that were read."""
    return sum(read(pk) for pk in _of_followers().filter(resume__lt=F("number")).values_list("pk", flat=True))


@transaction.atomic
def read(pk: int) -> int:
    """Let one webhook read on. Returns how many deliveries that makes."""
    locked = _of_followers().select_for_update(no_key=True, of=("self",)).select_related("follower")
    webhook = locked.filter(pk=pk).first()
    if webhook is None or not may_read(webhook):
        return 0
    newest, settled, count = _newest(), _newest(older=True), 0
    for news in _batches(webhook):
        count += _write(webhook, news)
    webhook.number, webhook.resume = newest, max(settled, webhook.resume)
    webhook.save(update_fields=["number", "resume"])
    if count:
        waking.on_commit(Webhook.objects.filter(pk=pk, due_at=None).update(due_at=timezone.now()))
    return count


def may_tell(webhook: Webhook, delivery: Delivery) -> bool:
    """Whether this is on the page of the webhook's owner now."""
    if webhook.follower is None:
        return True
    return delivery.number is not None and followed_by(webhook.follower).filter(pk=delivery.number).exists()


def readable(webhook: Webhook) -> QuerySet[Delivery, Delivery]:
    """The messages that its pages show: all but those that wait to tell what is not on its owner's page now."""
    found = webhook.deliveries.all()
    if webhook.follower is None:
        return found
    told = followed_by(webhook.follower).order_by().values("pk")
    return found.filter(~Q(state=Delivery.State.WAITING) | Q(is_test=True) | Q(number__in=told))


def message_of(item: NewsItem) -> str:
    """The same for the same news, also if it was hidden for a while."""
    return f"msg_{hashlib.sha256(f'news {item.contest_id} {item.name}'.encode()).hexdigest()[:32]}"


def _of_followers() -> QuerySet[Webhook, Webhook]:
    return Webhook.objects.on().filter(follower__isnull=False)


def _newest(*, older: bool = False) -> int:
    found = NewsItem.objects.filter(at__lt=timezone.now() - SETTLED) if older else NewsItem.objects.all()
    return found.order_by("-pk").values_list("pk", flat=True).first() or 0


def _batches(webhook: Webhook) -> Iterator[Sequence[NewsItem]]:
    """The oldest first. What was known before there was this webhook is not news."""
    assert webhook.follower is not None
    news = followed_by(webhook.follower).filter(at__gte=webhook.made_at).order_by("pk")
    after = webhook.resume
    while found := list(news.filter(pk__gt=after)[:BATCH]):
        yield found
        after = found[-1].pk


def _write(webhook: Webhook, news: Sequence[NewsItem]) -> int:
    named = {message_of(item): item for item in news if webhook.wants(item.kind)}
    _renumber(webhook, named)
    had = webhook.deliveries.filter(message__in=named, is_again=False).values_list("message", flat=True)
    for known in set(had):
        del named[known]
    now = timezone.now()
    rows = (
        Delivery(
            webhook=webhook, message=message, entry=item.name, kind=item.kind, number=item.pk, payload=_payload(item),
            made_at=now,
        )
        for message, item in named.items()
    )  # fmt: skip
    return len(Delivery.objects.bulk_create(rows, batch_size=200))


def _renumber(webhook: Webhook, named: Mapping[str, NewsItem]) -> None:
    """Let messages that were written when these news were shown before belong to them now, and those that wait tell
    what they say now."""
    rows = list(webhook.deliveries.filter(message__in=named).defer("answer"))
    stale = [row for row in rows if row.number != named[row.message].pk]
    for row in stale:
        item = named[row.message]
        row.number = item.pk
        if row.state == Delivery.State.WAITING:
            row.payload = _payload(item)
    Delivery.objects.bulk_update(stale, ["number", "payload"], batch_size=200)


def _payload(item: NewsItem) -> str:
    data = {
        "id": item.name,
        "at": item.at,
        "kind": item.kind,
        "title": item.announcement.title if item.announcement else item.title,
        "text": item.text,
        "stage": item.stage_id,
        "match": item.match_id,
        "page": settings.PORTAL_URL + item.path,
    }
    return payload_of(item.contest, item.kind, item.at, data)
