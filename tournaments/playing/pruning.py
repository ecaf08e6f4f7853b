"""Deleting old records by rule, so that they do not fill the disk.

Results, ratings and the ledger stay: they never read a record. Only replays, downloads and debug output of old matches
are gone, and a `PrunedRecord` says of each match why. What was decided with care is always kept: finals and play-offs,
and whatever somebody has disputed, restored, reviewed or written notes about.

A rule is carried out from the oldest match on, and `Retention.until` remembers how far, so a look costs the same
however many matches there were.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, Length
from django.utils import timezone

from contest.models import Contest
from tournaments import kinds
from tournaments.models import BotLog, EarlierSpan, Match, Note, PrunedRecord, Record, Retention, Stage, stores

KEPT = 500  # records of a contest that never ends, unless it has a rule of its own
AT_ONCE = 500


class Rule(NamedTuple):
    """What is kept: the latest matches, and everything younger than some days. 0 and 0: everything."""

    latest: int = 0
    days: int = 0

    @property
    def why(self) -> str:
        """Why a record is kept no longer, as a sentence for everybody."""
        parts = []
        if self.latest:
            parts.append(f"of its {self.latest:,} latest matches" if self.latest > 1 else "of its latest match")
        if self.days:
            parts.append(f"of matches of the last {self.days} days" if self.days > 1 else "of the last day")
        return f"This contest keeps the records {' and '.join(parts)}, and of those that decided something."


class Preview(NamedTuple):
    """What a rule would do to a contest."""

    records: int
    deleted: int
    deleted_bytes: int
    spared: int  # old enough, and kept because they decided something


def rule_of(contest: Contest) -> Rule:
    """The contest's own rule; else that of the portal, and for contests that never end always some rule."""
    own = Retention.objects.filter(contest=contest, latest__isnull=False).first()
    if own is not None:
        return Rule(own.latest or 0, own.days or 0)
    portal = Rule(settings.RECORDS_KEEP_LATEST, settings.RECORDS_KEEP_DAYS)
    return Rule(latest=KEPT) if contest.endless and portal == Rule() else portal


def set_rule(contest: Contest, rule: Rule | None) -> None:
    """None: that of the portal."""
    given = {"latest": None, "days": None} if rule is None else rule._asdict()
    Retention.objects.update_or_create(contest=contest, defaults=given)


def prune(now: datetime | None = None) -> int:
    """Carry out the rules of all contests, some records at a time. Returns how many were deleted."""
    return sum(_prune(contest, now or timezone.now()) for contest in _with_rules())


def _with_rules() -> QuerySet[Contest]:
    if settings.RECORDS_KEEP_LATEST or settings.RECORDS_KEEP_DAYS:
        return Contest.objects.all()
    return Contest.objects.filter(Q(endless=True) | Q(retention__latest__isnull=False))


def _prune(contest: Contest, now: datetime) -> int:
    if _hides_results(contest, now):
        return 0
    rule = rule_of(contest)
    end = _end(contest, rule, now)
    if end is None:
        return 0
    place, _ = Retention.objects.get_or_create(contest=contest)
    named = f"{rule.latest} {rule.days}"
    begin = place.until if place.applied == named else None
    if begin is not None and begin >= end:
        return 0
    stale = _unspared(contest, _old(contest, end).filter(Q() if begin is None else Q(finished_at__gte=begin)))
    matches = list(stale.order_by("finished_at", "pk").values_list("pk", "finished_at")[:AT_ONCE])
    until = end if len(matches) < AT_ONCE else matches[-1][1]
    deleted = _delete([pk for pk, _ in matches], rule.why)
    Retention.objects.filter(pk=place.pk).update(applied=named, until=until)
    return deleted


def _hides_results(contest: Contest, now: datetime) -> bool:
    """Whether the public may not see all results. What they push out of the latest ones would tell how many there
    are, so nothing is deleted meanwhile."""
    by_rounds = Q(stage__release=Stage.Release.ROUNDS, table__round__gt=F("stage__released"))
    return contest.is_frozen(now) or contest.matches.filter(by_rounds, finished_at__isnull=False).exists()


def _end(contest: Contest, rule: Rule, now: datetime) -> datetime | None:
    """The rule keeps all that finished at this moment or later. None: it keeps everything."""
    bounds = []
    if rule.latest:
        finished = contest.matches.filter(finished_at__isnull=False).order_by("-finished_at")
        first = list(finished.values_list("finished_at", flat=True)[rule.latest - 1 : rule.latest])
        bounds.append(first[0] if first else None)
    if rule.days:
        bounds.append(now - timedelta(days=rule.days))
    if not bounds or None in bounds:
        return None
    return min(bound for bound in bounds if bound is not None)


def _old(contest: Contest, end: datetime) -> QuerySet[Match]:
    return Match.objects.filter(contest=contest, finished_at__lt=end, record__isnull=False)


def _unspared(contest: Contest, found: QuerySet[Match]) -> QuerySet[Match]:
    """Without matches whose records are always kept."""
    finals = Q(kind=Match.Kind.PLAYOFF)
    last_rounds = contest.stages.annotate(last=Max("tables__round")).filter(last__isnull=False)
    for stage in last_rounds.select_related("contest"):
        if kinds.of(stage).has_plan:
            finals |= Q(stage=stage.pk, table__round=stage.last)
    disputed = Q(state=Match.State.VOID) | Q(review__isnull=False) | Q(pending=True) | Q(replay_of__isnull=False)
    this = OuterRef("pk")
    told = [
        Match.objects.filter(replay_of=this),
        EarlierSpan.objects.filter(match=this),
        Note.objects.filter(match=this),
    ]
    for rows in told:
        disputed |= Q(Exists(rows))
    return found.exclude(finals).exclude(disputed)


@transaction.atomic
def _delete(matches: list[int], why: str) -> int:
    """The bytes of those in other stores go later (`clear`), because a store may not answer."""
    records = list(Record.objects.filter(match__in=matches).select_for_update().values_list("match", "sha256", "store"))
    PrunedRecord.objects.bulk_create(
        [
            PrunedRecord(match_id=match, sha256=sha256, why=why, left="" if store == Record.Store.ROW else store)
            for match, sha256, store in records
        ],
        ignore_conflicts=True,
    )
    BotLog.objects.filter(seat__match__in=[match for match, _, _ in records]).delete()
    return Record.objects.filter(match__in=[match for match, _, _ in records]).delete()[0]


def preview(contest: Contest, rule: Rule, now: datetime | None = None) -> Preview:
    """What a rule would delete if it were carried out now."""
    records = Record.objects.filter(match__contest=contest).count()
    end = _end(contest, rule, now or timezone.now())
    if end is None:
        return Preview(records, 0, 0, 0)
    old = _old(contest, end)
    gone = _unspared(contest, old).aggregate(
        count=Count("pk"), bytes=Sum(Coalesce("record__size", Length("record__data")))
    )
    return Preview(records, gone["count"], gone["bytes"] or 0, old.count() - gone["count"])


# Where records lie ----------------------------------------------------------------------------------------------------

RESTS = timedelta(minutes=10)  # for which a record stays where it was written, while most people look at it


def to_move(now: datetime) -> QuerySet[Record]:
    """Records that are still in their rows and should be elsewhere."""
    rows = Record.objects.filter(store=Record.Store.ROW, made_at__lt=now - RESTS)
    return rows.none() if settings.RECORDS_STORE == Record.Store.ROW else rows


def move(records: QuerySet[Record], store: str) -> Iterator[int]:
    """Move records to a store, the oldest first. Yields the match of each that was moved. Raises OutOfReach."""
    waiting = records.exclude(store=store)
    last = 0
    while found := list(waiting.filter(pk__gt=last).order_by("pk")[:50]):
        for record in found:
            last = record.pk
            if record.move_to(store):
                yield record.match_id


def clear() -> int:
    """Delete what pruned records have left in other stores. Returns how many. Raises OutOfReach."""
    count = 0
    for row in PrunedRecord.objects.exclude(left="").iterator(200):
        stores.delete(row.left, stores.name_of(row.match_id, row.sha256))
        count += PrunedRecord.objects.filter(pk=row.pk, left=row.left).update(left="")
    return count


def has_work(now: datetime) -> bool:
    """Whether `manage.py records keep` has something to do."""
    return PrunedRecord.objects.exclude(left="").exists() or to_move(now).exists()
