"""As whom webhooks read the ledger's feed. What each may know becomes rows to send.

The same entries, in the same words, as `/ledger` of the API tells that reader. So everything about freezes, releases by
rounds and secrets is decided there (results/entries_seen.py), and a webhook has a place in the feed as a program has.
When hidden entries become public, reading goes back to where they were missing; entries that it has read before are
recognised by what they say and are not sent twice.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from rest_framework.utils.encoders import JSONEncoder

from contest.followers import Reaction
from contest.models import Audience, Contest, Kind, LedgerEntry, Team
from contest.permissions import Access, accesses_of
from tournaments.models import Delivery, Webhook
from tournaments.results.visibility import Sight
from tournaments.view_models import ledger_feed
from tournaments.webhooks import waking


@dataclass(frozen=True, slots=True)
class Reader:
    """`key` is the same for all who see the same entries."""

    key: Hashable
    sight: Sight


def readers_of(webhooks: Collection[Webhook], contest: Contest) -> dict[int, Reader]:
    """The readers by the ids of their webhooks, which must have loaded `reads_as`. Webhooks that may know nothing are
    missing. Two queries; webhooks that see the same share their reader."""
    rights = accesses_of([webhook.reads_as for webhook in webhooks if webhook.reads_as], contest)
    found: dict[int, Reader] = {}
    shared: dict[Hashable, Reader] = {}
    for webhook in webhooks:
        access = _as_owner(webhook, rights.get(webhook.reads_as_id or 0))
        if access is not None:
            key = _key(access)
            found[webhook.pk] = shared.setdefault(key, Reader(key, Sight(access)))
    return found


def may_read(webhook: Webhook) -> bool:
    """Whether it may know anything at all now."""
    if webhook.contest is None:
        return webhook.follower is not None and webhook.follower.is_active
    return webhook.pk in readers_of([webhook], webhook.contest)


def _as_owner(webhook: Webhook, access: Access | None) -> Access | None:
    """The rights with which this webhook reads. None: the person has lost them."""
    if access is None:
        return None
    if webhook.team_id is None:
        return access if access.organises else None
    mine = access.membership
    if mine is None or mine.team_id != webhook.team_id:
        return None
    return Access(access.contest, membership=mine)  # without a role that the member may also have


def _key(access: Access) -> Hashable:
    if access.team is None or access.sees_results:
        return "desk"
    hidden = access.team.state in (Team.State.PENDING, Team.State.REFUSED)
    return access.team.pk if hidden else "team"  # only they see entries that other teams do not


BATCH = 500


@dataclass(frozen=True, slots=True)
class Message:
    """An entry as it is sent. `name` follows from what it says, so the same entry always has the same."""

    name: str
    entry: str
    kind: str
    number: int
    payload: str
    open_since: datetime | None
    """When everybody could know it, if it is about the contest as a whole. None: that depends on what is hidden."""


def read(contest_id: int) -> int:
    """Let every webhook of a contest read what is new to it. Returns how many deliveries that makes."""
    count, more = 0, True
    while more:
        made, more = _read_some(contest_id)
        count += made
    return count


def start_at_the_end(webhook: Webhook, reader: Reader) -> None:
    """Make an unsaved webhook read only what happens from now on, and what is hidden now once it becomes public."""
    seen = reader.sight.entries
    webhook.number, webhook.hiding, webhook.resume = seen.last_number, seen.hiding, seen.resume_number


@transaction.atomic
def _read_some(contest_id: int) -> tuple[int, bool]:
    """How many deliveries were made, and whether there is more to read."""
    rows = Webhook.objects.on().filter(contest=contest_id).select_related("reads_as").order_by("pk")
    webhooks = list(rows.select_for_update(no_key=True, of=("self",)))
    if not webhooks:
        return 0, False
    contest = Contest.objects.get(pk=contest_id)  # one state of it decides what all of them may know
    readers = readers_of(webhooks, contest)
    groups: dict[tuple[Any, int, bool], list[Webhook]] = defaultdict(list)
    for webhook in webhooks:
        if reader := readers.get(webhook.pk):
            start = _start(webhook, reader)
            groups[reader.key, start, start < webhook.number].append(webhook)
    made, more = 0, False
    for (_, start, is_again), group in groups.items():
        reader = readers[group[0].pk]
        messages, is_last = _messages(contest, reader, start)
        made += _write(group, messages, is_again)
        seen, reached = reader.sight.entries, messages[-1].number if messages else start
        place = {"number": reached, "hiding": seen.hiding, "resume": seen.resume_number}
        Webhook.objects.filter(pk__in=[it.pk for it in group]).update(**place)
        more |= not is_last
    return made, more


def _start(webhook: Webhook, reader: Reader) -> int:
    """The number after which it reads on: where it is or, if other things are hidden now, before all that was."""
    hiding = reader.sight.entries.hiding
    return webhook.number if webhook.hiding in ("", hiding) else webhook.resume


def _messages(contest: Contest, reader: Reader, start: int) -> tuple[list[Message], bool]:
    """The next entries after this number, and whether they are the last so far."""
    found = reader.sight.entries.after(start, BATCH)
    # Whether later entries may be known depends on what was written with them, so they must wait for the next reading.
    sure = [entry for entry in found if entry.number <= contest.last_number or entry.pk is None]
    told = ledger_feed.told(reader.sight, sure)
    return [message(contest, row, entry) for row, entry in zip(told, sure, strict=True)], len(found) < BATCH


def message(contest: Contest, row: dict[str, Any], entry: LedgerEntry) -> Message:
    said = {name: value for name, value in row.items() if name != "cursor"}  # which depends on what is hidden now
    name = hashlib.sha256(f"{contest.pk} {_json(said)}".encode()).hexdigest()[:32]
    payload = payload_of(contest, row["kind"], row["at"], row)
    is_open = entry.audience == Audience.EVERYONE and entry.stage_id is None and entry.team_id is None
    return Message(f"msg_{name}", row["id"], row["kind"], entry.number, payload, entry.at if is_open else None)


def payload_of(contest: Contest | None, kind: str, at: datetime | None, data: dict[str, Any]) -> str:
    """The body of a request."""
    return _json({"type": kind, "timestamp": at, "contest": contest.slug if contest else None, "data": data})


def _json(value: Any) -> str:
    return json.dumps(value, cls=JSONEncoder, ensure_ascii=False, separators=(",", ":"))


def _write(group: Sequence[Webhook], messages: Sequence[Message], is_again: bool) -> int:
    """Make the deliveries that these webhooks want and have not had, and let them be sent. Returns how many."""
    known: set[tuple[int, str]] = set()
    if is_again and messages:
        had = Delivery.objects.filter(webhook__in=group, message__in={it.name for it in messages})
        known = set(had.values_list("webhook", "message"))
    rows = list(_deliveries(group, messages, known))
    if not rows:
        return 0
    Delivery.objects.bulk_create(rows, batch_size=200)
    busy = {row.webhook_id for row in rows}
    idle = Webhook.objects.filter(pk__in=busy, due_at=None)
    waking.on_commit(idle.update(due_at=timezone.now()))
    return len(rows)


def _deliveries(
    group: Sequence[Webhook], messages: Sequence[Message], known: set[tuple[int, str]]
) -> Iterator[Delivery]:
    now = timezone.now()
    for webhook in group:
        for it in messages:
            is_old = it.open_since is not None and it.open_since < webhook.made_at  # only what was hidden comes late
            if webhook.wants(it.kind) and not is_old and (webhook.pk, it.name) not in known:
                yield Delivery(
                    webhook=webhook, message=it.name, entry=it.entry, kind=it.kind, number=it.number,
                    payload=it.payload, made_at=now,
                )  # fmt: skip


def _react(entries: Sequence[LedgerEntry]) -> None:
    for contest_id in {entry.contest_id for entry in entries}:
        read(contest_id)


WEBHOOKS = Reaction(
    "webhooks", frozenset(Kind), _react, frozenset(Kind), lambda pk: Webhook.objects.on().filter(contest=pk).exists()
)
