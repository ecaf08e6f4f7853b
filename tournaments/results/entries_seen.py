"""The entries of a contest's ledger as one reader may know them, in order, without a trace of the others.

People with a role read the ledger as it is, with its numbers. Nobody else sees a number: a gap, or how far the numbers
have come, would tell that something has happened behind a freeze or in a round that is not released. They see

* no entry for `Audience.ORGANISERS`, and after a freeze began only entries for `Audience.EVERYONE`;
* of a stage whose entrants are not public, or that is a draft, only that it was published, unpublished or removed;
* of rounds that are not released, nothing: neither draws, results and voided matches nor a pause, an end or a review
  that follows from them.

So each entry has an `id` made of what it tells (`match_result.17`), and a place in the feed is the id of the last entry
that was read. When hidden entries become known, they are *behind* that place. A place therefore also names what was
hidden (`hiding`), and the last entry before anything was (`resume`): if other things are hidden now, reading goes on
from there. Some entries then come twice, with the same id, and none is missed. All three follow from public facts, so
they are the same whatever happens in secret (tests/tournaments/test_two_worlds.py).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from django.db.models import Min, Q, QuerySet

from contest.models import Audience, Contest, Kind, LedgerEntry, Team
from contest.words import number_in
from tournaments.models import EarlierSpan, Match, Stage
from tournaments.models.matches import MatchQuerySet
from tournaments.results.history import BY_ROUNDS
from tournaments.results.stages_seen import StagesSeen

Entries = QuerySet[LedgerEntry, LedgerEntry]

OF_ANY_STAGE = (Kind.STAGE_PUBLISHED, Kind.STAGE_UNPUBLISHED, Kind.STAGE_REMOVED)
"""Kinds that tell nothing but that there is, or was, such a stage."""
OF_RELEASED_STAGES = (Kind.STAGE_FINISHED, Kind.STAGE_REOPENED)
OF_NEXT_ROUND = (Kind.ROUND_STARTED, Kind.ROUND_SHOWN)
"""Kinds that tell that all rounds before are over."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
BETWEEN = "~"


class UnknownPlace(ValueError):
    """Not a place in this feed."""


@dataclass(frozen=True)
class EntriesSeen:
    """`n`: the last ledger entry whose results the reader may know; None: all. `own`: the reader's team."""

    contest: Contest
    n: int | None
    stages: StagesSeen
    own: Team | None = None

    @property
    def sees_all(self) -> bool:
        return self.stages.sees_all

    # Which ----------------------------------------------------------------------------------------------------------

    @cached_property
    def known(self) -> Entries:
        """The entries that the reader may know, in order."""
        found = LedgerEntry.objects.filter(contest=self.contest.pk).order_by("number")
        if self.sees_all:
            return found
        results = Q(audience=Audience.RESULTS)
        heard = Q(audience=Audience.EVERYONE) | (results if self.n is None else results & Q(number__lte=self.n))
        shown = self.stages.rows.keys() - self.stages.concealed
        told = Q(stage=None) | Q(kind__in=OF_ANY_STAGE) | Q(stage__in=shown)
        listed = Q(team=None) | ~Q(team__state__in=(Team.State.PENDING, Team.State.REFUSED))
        if self.own is not None:
            listed |= Q(team=self.own.pk)
        return found.filter(heard, told, listed, self._released)

    @cached_property
    def by_rounds(self) -> dict[int, Stage]:
        """Stages whose rounds are released by hand."""
        return {pk: row for pk, row in self.stages.rows.items() if row.release == Stage.Release.ROUNDS}

    @property
    def open_matches(self) -> MatchQuerySet:
        """The matches of these stages that the reader may know of."""
        matches = Match.objects.filter(self.stages.open, contest=self.contest.pk, stage__in=self.by_rounds)
        found: MatchQuerySet = matches.as_of(self.n)
        return found

    @property
    def _released(self) -> Q:
        """Without entries about rounds that are not released."""
        if not self.by_rounds:
            return Q()
        matches = self.open_matches.order_by()
        spans = EarlierSpan.objects.filter(match__in=matches.values("pk")).order_by()
        drawn = Q(number__in=matches.values("counts_from")) | Q(number__in=spans.values("counts_from"))
        others = (*OF_RELEASED_STAGES, *OF_NEXT_ROUND, Kind.MATCHES_DRAWN, Kind.REVIEW_APPLIED, *BY_ROUNDS)
        about = ~Q(kind__in=others) & Q(match=None)
        about |= Q(match__in=matches.values("pk"))
        about |= Q(kind=Kind.MATCHES_DRAWN) & drawn
        about |= Q(kind=Kind.REVIEW_APPLIED, review__in=matches.filter(review__isnull=False).values("review"))
        for pk, row in self.by_rounds.items():
            public = Q(round=None) | Q(round__lte=row.released)
            about |= Q(stage=pk, kind__in=OF_NEXT_ROUND, round__lte=row.released + 1)
            about |= public & Q(stage=pk, kind__in=set(BY_ROUNDS) - set(OF_RELEASED_STAGES))
            if pk not in self.stages.unreleased:
                about |= Q(stage=pk, kind__in=OF_RELEASED_STAGES)
        return Q(stage=None) | ~Q(stage__in=self.by_rounds) | about

    def after(self, number: int, most: int) -> list[LedgerEntry]:
        """The next entries after this number, at most so many."""
        found = list(self.known.filter(number__gt=number).select_related("by")[:most])
        coming = self._coming_freeze
        if coming is not None and len(found) < most and number < coming.number:
            found.append(coming)
        return found

    def newest(self, most: int) -> list[LedgerEntry]:
        """The newest entries, at most so many, in order."""
        found = list(self.known.order_by("-number").select_related("by")[:most])[::-1]
        coming = self._coming_freeze
        return [*found, coming][-most:] if coming is not None else found

    @cached_property
    def _coming_freeze(self) -> LedgerEntry | None:
        """The entry of a planned freeze that has begun. The first writer writes it, and nobody may learn when."""
        began = self.contest.frozen_from
        if self.sees_all or self.n is None or began is None or self.contest.frozen_number is not None:
            return None
        return LedgerEntry(
            contest=self.contest, number=self.contest.last_number + 1, kind=Kind.FREEZE_SET,
            audience=Audience.EVERYONE, at=began,
        )  # fmt: skip

    # Where ----------------------------------------------------------------------------------------------------------

    def place_after(self, own: str, number: int) -> str:
        """Where to go on after the entry with this id and number."""
        if self.sees_all:
            return str(number)
        return BETWEEN.join((own, self.resume, self.hiding)) if self.hiding else own

    def number_at(self, place: str) -> int:
        """The number after which to read on from a place in the feed; "" is its beginning. Raises UnknownPlace."""
        if place in ("", "0"):
            return 0
        if self.sees_all and (number := number_in(place)) is not None:
            return number
        own, *more = place.split(BETWEEN)
        if len(more) not in (0, 2):
            raise UnknownPlace
        if more and more[1] != self.hiding:
            own = more[0]
        if own == "":
            return 0
        number = self._number_of(own)
        if number is not None:
            return number
        if not self.hiding:
            raise UnknownPlace
        return self._number_of(self.resume) or 0 if self.resume else 0  # it was known once, and is hidden again

    def drawn_in(self, entry: LedgerEntry) -> list[int]:
        """The matches of a draw that the reader may know of."""
        drawn: list[int] = entry.data.get("matches", [])
        if self.sees_all or entry.stage_id not in self.by_rounds:
            return drawn
        known = set(self.open_matches.filter(pk__in=drawn).values_list("pk", flat=True)) if drawn else set()
        return [pk for pk in drawn if pk in known]

    @cached_property
    def hiding(self) -> str:
        """A word for what is hidden from the reader now. Blank: nothing."""
        seen = self.stages
        if self.sees_all or (self.n is None and not seen.unreleased and not seen.concealed):
            return ""
        frozen = self.contest.frozen_from.isoformat() if self.n is not None and self.contest.frozen_from else ""
        rounds = sorted((pk, seen.rows[pk].released) for pk in seen.unreleased)
        return hashlib.sha256(repr((frozen, rounds, sorted(seen.concealed))).encode()).hexdigest()[:8]

    @property
    def resume(self) -> str:
        """The id of the last entry before anything that is hidden now. Blank: there is none."""
        last = self._last_before_hidden
        return id_of(last, self.drawn_in(last)) if last else ""

    @property
    def resume_number(self) -> int:
        """Its number; 0 if there is none."""
        return self._last_before_hidden.number if self._last_before_hidden else 0

    @property
    def last_number(self) -> int:
        """The number of the last entry that the reader may know; 0 if there is none."""
        if self._coming_freeze is not None:
            return self._coming_freeze.number
        return self.known.order_by("-number").values_list("number", flat=True).first() or 0

    @cached_property
    def _last_before_hidden(self) -> LedgerEntry | None:
        bounds = []
        if self.n is not None:
            bounds.append(self.n + 1 if self.contest.frozen_number is None else self.n)
        seen = self.stages
        if seen.unreleased or seen.concealed:
            began = Q(kind=Kind.STAGE_STARTED, stage__in=seen.unreleased)
            told = Q(kind=Kind.STAGE_PUBLISHED, stage__in=seen.concealed)
            bounds.append(self.contest.ledger.filter(began | told).aggregate(first=Min("number"))["first"] or 1)
        return self.known.filter(number__lt=min(bounds)).order_by("-number").first() if bounds else None

    def _number_of(self, own: str) -> int | None:
        """The number of the known entry with this id."""
        kind, _, rest = own.partition(".")
        if kind not in Kind.values:
            raise UnknownPlace
        subject, _, moment = rest.partition(".")
        pk = number_in(subject)
        found = self.known.filter(kind=kind)
        if kind == Kind.MATCH_RESULT:
            found = found.filter(match=pk or 0)
        elif kind == Kind.MATCHES_DRAWN:
            found = found.filter(number__in=_draws_of(pk or 0))
        else:
            micros = number_in(moment)
            if micros is None or micros > 10**17:
                raise UnknownPlace
            coming, at = self._coming_freeze, EPOCH + timedelta(microseconds=micros)
            if coming is not None and own == id_of(coming, []):
                return coming.number
            found = found.filter(at=at, **{subject_of(kind): pk} if subject_of(kind) else {})
        return found.order_by("-number").values_list("number", flat=True).first()


def id_of(entry: LedgerEntry, drawn: list[int]) -> str:
    """A name for an entry that tells no more than the entry itself. `drawn`: the matches it draws, as far as known."""
    if entry.kind == Kind.MATCH_RESULT:
        return f"{entry.kind}.{entry.match_id}"
    if entry.kind == Kind.MATCHES_DRAWN:
        return f"{entry.kind}.{max(drawn, default=0)}"
    subject: Any = getattr(entry, f"{subject_of(entry.kind)}_id") if subject_of(entry.kind) else ""
    return f"{entry.kind}.{subject}.{(entry.at - EPOCH) // timedelta(microseconds=1)}"


def subject_of(kind: str) -> str:
    """What entries of this kind are about: the name of a column, blank for the whole contest."""
    if kind.startswith("match_"):
        return "match"
    if kind.startswith("team_"):
        return "team"
    return "" if kind.startswith("freeze_") else "stage"


def _draws_of(match: int) -> list[int]:
    """The numbers from which a match counted, of which the first is that of its draw."""
    spans = EarlierSpan.objects.filter(match=match).values_list("counts_from", flat=True)
    return [*spans, *Match.objects.filter(pk=match, counts_from__isnull=False).values_list("counts_from", flat=True)]
