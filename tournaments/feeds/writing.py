"""News follow the ledger. They are read from the feed that everybody sees (results/entries_seen.py), so nothing is told
before everybody may know it: when a freeze ends, reading goes back to where entries were missing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from contest.followers import Reaction
from contest.models import Announcement, Contest, Kind, LedgerEntry
from tournaments import kinds
from tournaments.feeds import words
from tournaments.models import FeedPlace, NewsItem, Stage
from tournaments.results.entries_seen import id_of
from tournaments.results.visibility import Sight, public

BATCH = 500
KEPT = timedelta(days=60)
OLD = timedelta(days=2)  # of announcements that are not news any more
HIDING = frozenset(
    {Kind.ROUND_TAKEN_BACK, Kind.STAGE_RESET, Kind.STAGE_UNPUBLISHED, Kind.STAGE_REOPENED, Kind.FREEZE_SET}
)
"""After these, something may be hidden that was known."""


def _react(entries: Sequence[LedgerEntry]) -> None:
    for contest_id in sorted({entry.contest_id for entry in entries}):
        hides = any(entry.kind in HIDING for entry in entries if entry.contest_id == contest_id)
        write(contest_id, hides=hides)


def write(contest_id: int, *, hides: bool = False) -> int:
    """Make news of what has become known since the last time. `hides`: something may not be known any more. Returns how
    many news that makes."""
    count, more = 0, True
    while more:
        made, more = _write_some(contest_id, hides)
        count += made
    return count


@transaction.atomic
def _write_some(contest_id: int, hides: bool) -> tuple[int, bool]:
    FeedPlace.objects.get_or_create(contest_id=contest_id)
    place = FeedPlace.objects.select_for_update(no_key=True).get(contest=contest_id)
    contest = Contest.objects.get(pk=contest_id)
    sight = public(contest)
    if hides:
        _withdraw(sight)
    seen = sight.entries
    start = place.number if place.hiding in ("", seen.hiding) else place.resume
    found = seen.after(start, BATCH)
    sure = [entry for entry in found if entry.number <= contest.last_number or entry.pk is None]
    made = _make(sight, sure)
    place.number = sure[-1].number if sure else start
    place.hiding, place.resume = seen.hiding, seen.resume_number
    place.save(update_fields=["number", "hiding", "resume"])
    return made, len(found) == BATCH


def _make(sight: Sight, entries: Sequence[LedgerEntry]) -> int:
    names = {entry.number: id_of(entry, []) for entry in entries if entry.kind in words.TOLD}
    had = NewsItem.objects.filter(contest=sight.contest.pk, name__in=names.values())
    known = set(had.values_list("name", flat=True))
    fresh = [entry for entry in entries if entry.number in names and names[entry.number] not in known]
    if not fresh:
        return 0
    now, told = timezone.now(), list(words.headlines(sight, fresh))
    rows = NewsItem.objects.bulk_create(
        NewsItem(
            contest=sight.contest,
            name=names[each.entry.number],
            at=now,
            kind=each.entry.kind,
            title=each.title[:200],
            text=each.text[:500],
            path=each.path[:200],
            stage_id=each.entry.stage_id,
            match_id=each.entry.match_id,
        )
        for each in told
    )
    _about(rows, [each.teams for each in told])
    return len(rows)


def _about(rows: Sequence[NewsItem], teams: Sequence[Sequence[int]]) -> None:
    through = NewsItem.teams.through
    pairs = [(row.pk, team) for row, of_row in zip(rows, teams, strict=True) for team in dict.fromkeys(of_row)]
    through.objects.bulk_create(through(newsitem_id=item, team_id=team) for item, team in pairs)


def _withdraw(sight: Sight) -> None:
    """Delete news that everybody could know and may not know any more."""
    news = NewsItem.objects.filter(contest=sight.contest.pk)
    news.filter(match__isnull=False).exclude(match__in=sight.matches().order_by().values("pk")).delete()
    over = [stage.pk for stage in sight.stages if stage.state == Stage.State.DONE and stage.pk not in sight.concealed]
    news.filter(kind=Kind.STAGE_FINISHED).exclude(stage__in=over).delete()
    news.filter(stage__isnull=False).exclude(stage__in=[stage.pk for stage in sight.stages]).delete()


# What the ledger does not tell ----------------------------------------------------------------------------------------


def tell_others(now: datetime) -> None:
    """For the tick: announcements, and once a day how ladders stand."""
    told = NewsItem.objects.filter(announcement__isnull=False).values("announcement")
    fresh = Announcement.objects.filter(posted_at__gt=now - OLD).exclude(pk__in=told).select_related("contest")
    for it in fresh.order_by("posted_at", "pk"):
        row = {"kind": "announcement", "title": it.title, "path": it.contest.get_absolute_url(), "announcement": it}
        NewsItem.objects.get_or_create(contest=it.contest, name=f"announcement.{it.pk}", defaults={**row, "at": now})
    _tell_ladders(now)


def _tell_ladders(now: datetime) -> None:
    day = now.date().isoformat()
    running = Stage.objects.filter(state=Stage.State.RUNNING).select_related("contest")
    ladders = {f"ladder.{stage.pk}.{day}": stage for stage in running if not kinds.of(stage).has_plan}
    told = set(NewsItem.objects.filter(name__in=ladders).values_list("name", flat=True))
    for name in ladders.keys() - told:
        _tell_ladder(name, ladders[name], now)


@transaction.atomic
def _tell_ladder(name: str, stage: Stage, now: datetime) -> None:
    sight = public(stage.contest)
    known = next((each for each in sight.stages if each.pk == stage.pk), None)
    if known is None:
        return
    first, text = words.places(known, sight)
    row = {"kind": "ladder", "title": f"{stage.name} today", "text": text[:500], "path": stage.get_absolute_url()}
    item, is_new = NewsItem.objects.get_or_create(
        contest=stage.contest, name=name, defaults={**row, "at": now, "stage": stage}
    )
    if is_new:
        _about([item], [first])


def prune(now: datetime) -> None:
    NewsItem.objects.filter(at__lt=now - KEPT).delete()


FEEDS = Reaction("feeds", frozenset(Kind), _react, woken_by=words.TOLD - frozenset(words.MATCHES))
