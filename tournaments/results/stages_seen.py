"""The stages of a contest as one reader may know them, without what follows from hidden results."""

from __future__ import annotations

from collections.abc import Collection, Set
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import inf
from operator import itemgetter
from typing import Any

from django.db.models import Max, Q

from contest.models import Audience, Contest, Kind
from tournaments.models import EarlierSpan, Match, Round, Stage
from tournaments.models.matches import MatchQuerySet, counting
from tournaments.results import history
from tournaments.results.history import not_reset


@dataclass(frozen=True, slots=True)
class Withheld:
    """What is hidden of a stage: results from this round on, or even who plays."""

    round: int | None = None
    entrants: bool = False


@dataclass(frozen=True)
class StagesSeen:
    """`n`: the last ledger entry whose results the reader may know; None: all."""

    contest: Contest
    n: int | None
    sees_all: bool

    @cached_property
    def rows(self) -> dict[int, Stage]:
        """By id: every stage that the reader may know of, as the ledger tells it."""
        rows = history.stages_as_of(self.contest, self.n)
        if not self.sees_all:
            if self.n is None:
                history.hide_unreleased(self.contest, rows)
            rows = [row for row in rows if row.state != Stage.State.DRAFT]
        found = {row.pk: row for row in rows}
        for row in rows:
            row.contest = self.contest
            if row.source_id in found:
                row.source = found[row.source_id]
        return found

    @cached_property
    def shown(self) -> list[Stage]:
        """The stages to show, as far as the reader may know them. They must not be saved."""
        return [self._shown(copy(row)) for row in self.rows.values()]

    def _shown(self, row: Stage) -> Stage:
        if row.pk in self.concealed:
            row.state, row.started_at, row.finished_at = Stage.State.PUBLISHED, None, None
            row.order, row.left_out, row.refusal = [], [], ""
        elif row.pk in self.unreleased and row.state == Stage.State.DONE:
            row.state, row.finished_at, row.awaits_release = Stage.State.RUNNING, None, True
        return row

    def withheld(self, stage: Stage) -> Withheld | None:
        """What is hidden of a stage apart from a freeze. None: nothing."""
        if stage.pk in self.concealed:
            return Withheld(entrants=True)
        return Withheld(stage.released + 1) if stage.pk in self.unreleased else None

    @cached_property
    def unreleased(self) -> frozenset[int]:
        """Ids of stages with rounds that the organisers have not released."""
        if self.sees_all:
            return frozenset()
        by_rounds = {pk: row for pk, row in self.rows.items() if row.release == Stage.Release.ROUNDS}
        if not by_rounds:
            return frozenset()
        drawn = Match.objects.filter(history.not_reset(self.n), stage__in=by_rounds).as_of(self.n).order_by()
        last = dict(drawn.values_list("stage").annotate(last=Max("table__round")))
        return frozenset(pk for pk, row in by_rounds.items() if row.released < last.get(pk, 0))

    @cached_property
    def resets(self) -> dict[int, dict[str, Any]]:
        """By ledger number: settings of stages released by rounds, from before a reset."""
        by_rounds = [pk for pk, row in self.rows.items() if row.release == Stage.Release.ROUNDS and row.resets]
        if self.sees_all or not by_rounds:
            return {}
        entries = self.contest.ledger.filter(kind=Kind.STAGE_RESET, stage__in=by_rounds)
        return {entry.number: entry.data["was"] for entry in entries}

    @cached_property
    def concealed(self) -> frozenset[int]:
        """Ids of stages whose entrants or their order follow from results hidden from this reader."""
        return frozenset(() if self.sees_all else (pk for pk, row in self.rows.items() if self._follows_hidden(row)))

    def pairings_hidden_from(self, stage: Stage) -> int | None:
        """The first round on hold of which the reader may not know who meets. None: there is none."""
        if self.sees_all or stage.has_ended:
            return None
        rows = Round.known_of(stage, self.n)
        return next((row.number for row in rows if row.hides_pairings(self.n)), None)

    def _follows_hidden(self, row: Stage) -> bool:
        if row.is_led:
            source = row.source
            if source is not None and (source.pk in self.unreleased or self._follows_hidden(source)):
                return True
        elif row.seeding != Stage.Seeding.STANDINGS:
            return False
        elif any(other.pk in self.unreleased for other in self.rows.values() if other.began_before(row)):
            return True
        return self.n is not None and not row.order

    @cached_property
    def settled(self) -> Collection[int]:
        """Ids of stages that were over when the freeze began and have not changed since."""
        if self.n is None:
            return self.rows.keys()
        since = self.contest.ledger.filter(number__gt=self.n, audience=Audience.RESULTS, stage__isnull=False)
        over = {pk for pk, row in self.rows.items() if row.has_ended}
        return over.difference(since.order_by().values_list("stage", flat=True).distinct())

    @cached_property
    def open(self) -> Q:
        """Filter for matches in stages that are shown, without unreleased rounds, even if they are drawn later."""
        found = Q(stage__in=self.rows.keys() - self.concealed)
        for pk, row in self.rows.items():
            if row.release == Stage.Release.ROUNDS and not self.sees_all:
                found &= ~Q(history.not_reset(self.n), stage=pk, table__round__gt=row.released)
        for number, was in self.resets.items():
            if was["release"] == Stage.Release.ROUNDS:  # rounds that were not released then stay hidden
                found &= ~Q(table__until=number, table__round__gt=was["released"])
        return found


def known(stage: Stage, n: int | None) -> Q:
    """Filter for the matches of a stage that count as of ledger number `n` (None: now), as the public knows them."""
    # Any further match in the next round, such as a play-off, would reveal a result.
    following = Q(table__round=stage.released + 1, number=1)
    counts = counting(n) & (Q(table__round__lte=stage.released) | following)
    drawn = Match.objects.filter(following, not_reset(n), stage=stage.pk).as_of(n).order_by()
    tables = set(drawn.void_by(n).values_list("table", flat=True))
    if not tables:
        return counts
    first = _first(stage, drawn.filter(table__in=tables), n)
    return (counts & ~Q(table__in=tables)) | Q(pk__in=first.values())


def _first(stage: Stage, drawn: MatchQuerySet, n: int | None) -> dict[int, int]:
    """By table: the first of these matches since the last end of one that the public may know of."""
    table_of = dict(drawn.values_list("pk", "table"))
    earlier = EarlierSpan.objects.filter(match__in=table_of).values_list("counts_from", "counts_until", "match")
    of_drawn = drawn.values_list("counts_from", "counts_until", "pk")
    spans = sorted(chain(earlier, of_drawn), key=itemgetter(0))
    public = _public_ends(stage, {end for _, end, _ in spans if end is not None})
    last = inf if n is None else n
    first: dict[int, int] = {}
    for start, end, match in spans:
        if start is not None and start <= last:
            first.setdefault(table_of[match], match)
        if end is not None and end <= last and end in public:
            first.pop(table_of[match], None)
    return first


def _public_ends(stage: Stage, ends: Set[int]) -> frozenset[int]:
    """Of these entries, which ended matches, those that follow from nothing hidden."""
    entries = stage.ledger.filter(number__in=ends).exclude(kind=Kind.REVIEW_APPLIED)
    found = entries.values_list("number", "kind", "data")
    return frozenset(number for number, kind, data in found if kind != Kind.MATCH_VOIDED or data.get("by_plan"))
