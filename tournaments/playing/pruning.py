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
from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, Length
from django.utils import timezone

from contest.kept import OutOfReach
from contest.models import Act, Contest, User
from contest.refusal import Refused
from tournaments import kinds
from tournaments.models import BotLog, EarlierSpan, Match, Note, PrunedRecord, Record, Retention, Stage, stores

KEPT = 500  # records of a contest that never ends, unless it has a rule of its own
AT_ONCE = 500
MOST_LATEST = 10_000_000
MOST_DAYS = 36_500  # a hundred years; a million days before today there was no calendar


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

    @property
    def words(self) -> str:
        """The rule as a sentence."""
        return self.why if any(self) else "This contest keeps all records."

    @property
    def key(self) -> str:
        """How `Retention.applied` names it."""
        return f"{self.latest} {self.days}"


class Preview(NamedTuple):
    """What a rule would do to a contest."""

    records: int
    deleted: int = 0
    deleted_bytes: int = 0
    spared: int = 0  # old enough, and kept because they decided something
    oldest: datetime | None = None  # when the first of the deleted ones finished
    newest: datetime | None = None


def rule_of(contest: Contest) -> Rule:
    """The contest's own rule, or else the portal's."""
    own = own_rule(contest)
    return portal_rule(contest) if own is None else own


def own_rule(contest: Contest) -> Rule | None:
    """None: it goes by the portal's."""
    own = Retention.objects.filter(contest=contest, latest__isnull=False).first()
    return None if own is None else Rule(own.latest or 0, own.days or 0)


def portal_rule(contest: Contest) -> Rule:
    """The rule of a contest that has none of its own. Contests that never end always have some rule."""
    portal = Rule(settings.RECORDS_KEEP_LATEST, settings.RECORDS_KEEP_DAYS)
    return Rule(latest=KEPT) if contest.endless and portal == Rule() else portal


@transaction.atomic
def change_rule(contest: Contest, by: User | None, rule: Rule | None) -> bool:
    """Put a rule in force, with its entry in the audit log. None: the portal's. False: it was in force already."""
    if rule is not None and (min(rule) < 0 or rule.latest > MOST_LATEST or rule.days > MOST_DAYS):
        raise Refused(f"Keep 0 to {MOST_LATEST:,} latest matches, and 0 to {MOST_DAYS:,} days.")
    if own_rule(contest) == rule:
        return False
    was = rule_of(contest).words
    set_rule(contest, rule)
    now = rule_of(contest).words
    said = f"As the portal: {now}" if rule is None else now
    Act.record(contest, by, "set which records are kept", contest.name, said, was=was)
    return True


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
    if waits(contest, now):
        return 0
    rule = rule_of(contest)
    end = _end(contest, rule, now)
    if end is None:
        return 0
    place, _ = Retention.objects.get_or_create(contest=contest)
    begin = place.until if place.applied == rule.key else None
    if begin is not None and begin >= end:
        return 0
    stale = _between(contest, begin, end).order_by("finished_at", "pk")
    matches = list(stale.values_list("pk", "finished_at")[:AT_ONCE])
    until = end if len(matches) < AT_ONCE else matches[-1][1]
    deleted = _delete([pk for pk, _ in matches], rule.why)
    Retention.objects.filter(pk=place.pk).update(applied=rule.key, until=until)
    return deleted


def waits(contest: Contest, now: datetime) -> bool:
    """Whether rules wait, because the public may not see all results. What they push out of the latest ones would tell
    how many there are, so nothing is deleted meanwhile."""
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
        bounds.append(now - timedelta(days=min(rule.days, MOST_DAYS)))
    if not bounds or None in bounds:
        return None
    return min(bound for bound in bounds if bound is not None)


def _old(contest: Contest, end: datetime) -> QuerySet[Match]:
    return Match.objects.filter(contest=contest, finished_at__lt=end, record__isnull=False)


def stale(contest: Contest, rule: Rule, now: datetime) -> QuerySet[Match]:
    """The matches whose records a rule would delete, if it were carried out now and nothing had to wait."""
    end = _end(contest, rule, now)
    if end is None:
        return Match.objects.none()
    place = Retention.objects.filter(contest=contest, applied=rule.key).first()
    return _between(contest, place.until if place else None, end)


def _between(contest: Contest, begin: datetime | None, end: datetime) -> QuerySet[Match]:
    """Without those that finished before `begin`: this rule has been carried out for them."""
    return _unspared(contest, _old(contest, end).filter(Q() if begin is None else Q(finished_at__gte=begin)))


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
    now = now or timezone.now()
    records = Record.objects.filter(match__contest=contest).count()
    end = _end(contest, rule, now)
    if end is None:
        return Preview(records)
    size = Sum(Coalesce("record__size", Length("record__data")))
    gone = stale(contest, rule, now).aggregate(
        count=Count("pk"), bytes=size, oldest=Min("finished_at"), newest=Max("finished_at")
    )
    spared = _old(contest, end).count() - gone["count"]
    return Preview(records, gone["count"], gone["bytes"] or 0, spared, gone["oldest"], gone["newest"])


# Where records lie ----------------------------------------------------------------------------------------------------


class Stored(NamedTuple):
    """Records in one store."""

    store: str
    number: int
    size: int

    @property
    def label(self) -> str:
        return str(Record.Store(self.store).label)


def stored(records: QuerySet[Record]) -> list[Stored]:
    """How many of these records lie where."""
    found = records.values("store").annotate(number=Count("pk"), total=Sum(Coalesce("size", Length("data"))))
    return [Stored(row["store"], row["number"], row["total"] or 0) for row in found.order_by("store")]


def trouble(records: QuerySet[Record], store: str) -> str:
    """Why the newest of these records cannot be read from a store, as a sentence. Blank if it can."""
    record = records.filter(store=store).order_by("-match").first()
    try:
        if record is not None:
            record.text()
    except OutOfReach as error:
        return str(error)
    return ""


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
