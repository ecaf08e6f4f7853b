"""Deleting old records, so that they do not fill the disk.

Results, ratings and the ledger stay: they never read a record. Only replays, downloads and debug output of old matches
are gone, and a `PrunedRecord` says of each match why. What was decided with care is always kept: finals and play-offs,
and whatever somebody has disputed, restored, reviewed or written notes about.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from contest.models import Contest
from tournaments import formats, kinds
from tournaments.models import BotLog, EarlierSpan, Match, Note, PrunedRecord, Record, Stage, Table

AT_ONCE = 500
ENDLESS = 1  # days for which contests that never end keep records


def prune(now: datetime | None = None) -> int:
    """Delete some of the records that are kept no longer, the oldest first. Returns how many."""
    now = now or timezone.now()
    deleted = _prune("A contest that never ends", Match.objects.filter(contest__endless=True), ENDLESS, now)
    if settings.RECORDS_KEEP_DAYS:
        deleted += _prune("The portal", Match.objects.all(), settings.RECORDS_KEEP_DAYS, now)
    return deleted


def _prune(who: str, matches: QuerySet[Match], days: int, now: datetime) -> int:
    old = matches.filter(record__made_at__lt=now - timedelta(days=days)).exclude(contest__in=_hiding(now))
    stale = _unspared(old).order_by("record__made_at").values_list("pk", flat=True)[:AT_ONCE]
    span = "a day" if days == 1 else f"{days} days"
    return _delete(list(stale), f"{who} keeps records for {span}, and for ever where a match decided something.")


def _hiding(now: datetime) -> QuerySet[Contest]:
    """Contests of which the public may not see all results. Nothing is deleted there, because a record that is gone
    would tell that its match has been played."""
    unreleased = Table.every.filter(
        stage__contest=OuterRef("pk"),
        stage__release=Stage.Release.ROUNDS,
        round__gt=F("stage__released"),
        matches__finished_at__isnull=False,
    )
    return Contest.objects.filter(Q(frozen_number__isnull=False) | Q(frozen_from__lte=now) | Exists(unreleased))


def _unspared(found: QuerySet[Match]) -> QuerySet[Match]:
    """Without matches whose records are always kept."""
    planned = [slug for slug, it in formats.FORMATS.items() if kinds.of_format(it).has_plan]
    later = Table.objects.filter(stage=OuterRef("stage"), round__gt=OuterRef("table__round"))
    final = Q(kind=Match.Kind.PLAYOFF) | Q(~Exists(later), stage__format__in=planned)
    disputed = Q(state=Match.State.VOID) | Q(review__isnull=False) | Q(pending=True) | Q(replay_of__isnull=False)
    this = OuterRef("pk")
    for rows in (
        Match.objects.filter(replay_of=this),
        EarlierSpan.objects.filter(match=this),
        Note.objects.filter(match=this),
    ):
        disputed |= Q(Exists(rows))
    return found.exclude(final).exclude(disputed)


@transaction.atomic
def _delete(matches: list[int], why: str) -> int:
    records = list(Record.objects.filter(match__in=matches).select_for_update().values_list("match", "sha256"))
    gone = [match for match, _ in records]
    rows = [PrunedRecord(match_id=match, sha256=sha256, why=why) for match, sha256 in records]
    PrunedRecord.objects.bulk_create(rows, ignore_conflicts=True)
    BotLog.objects.filter(seat__match__in=gone).delete()
    return Record.objects.filter(match__in=gone).delete()[0]
