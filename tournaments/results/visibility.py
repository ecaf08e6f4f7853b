"""Who may see what of a contest's results. Pages, downloads and counts all ask here, and nowhere else.

Those with a role see everything, and can look as the public does (`?as=public`). Everybody else, members of teams
included, is not shown

* what the ledger says after a **freeze** began: the public knows the contest as of that entry (`Sight.n`). Departures
  of teams and announcements of stages are no secret (`Audience.EVERYONE`);
* the results of rounds that are not released, in a stage that is **released by rounds**; who meets in the next one is
  shown;
* who takes part in a stage, and all of it, where that **follows** from such results;
* matches of **reviews** that are not applied, and **drafts** of stages;
* the **hidden games** of a judged problem, until the contest ends.

`Sight.matches` are the matches of which everything may be shown. Whatever else the public sees, tables, rankings and
standings, is computed from these alone, as if there were no others: nothing has to be censored, and who meets whom
tells nothing either. That holds for a team's own matches too: their debug output says who won.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Max, Min, Q
from django.http import Http404, HttpRequest
from django.utils import timezone

from contest.models import Audience, Contest, LedgerEntry, Phase
from contest.permissions import Access, access
from tournaments.formats.rating_systems import Skill
from tournaments.models import Match, MatchSeat, Stage
from tournaments.models.matches import MatchQuerySet
from tournaments.results import ratings
from tournaments.results.cache import Memory
from tournaments.results.history import STAGE_KINDS, as_told

CHAINS: Memory[tuple[dict[int, Skill], dict[int, ratings.Chair]]] = Memory(4)
"""Ratings as they were before results changed in a freeze: the same for everybody, as long as it lasts."""


@dataclass(frozen=True, slots=True)
class Withheld:
    """What is not public of a stage: the results from this round on, or even who plays."""

    round: int | None = None
    entrants: bool = False


@dataclass(frozen=True)
class Sight:
    """One reader's view of one contest; made anew for every request."""

    access: Access

    @property
    def contest(self) -> Contest:
        return self.access.contest

    @property
    def sees_all(self) -> bool:
        return self.access.sees_results

    @property
    def revision(self) -> str:
        """Another one whenever something has changed that this reader may see."""
        return self.access.revision

    @cached_property
    def n(self) -> int | None:
        """The last entry of the ledger whose results this reader may know. None: all of them."""
        if self.sees_all or not self.contest.is_frozen():
            return None
        number = self.contest.frozen_number
        return self.contest.last_number if number is None else number  # nothing was written since the freeze began

    # Stages -----------------------------------------------------------------------------------------------------------

    @cached_property
    def _rows(self) -> dict[int, Stage]:
        """By id: every stage that the reader may know of, as the ledger tells it to him."""
        rows = list(self.contest.stages.order_by("pk"))
        if self.n is not None:
            told: dict[int | None, list[LedgerEntry]] = {}
            heard = Q(audience=Audience.EVERYONE) | Q(audience=Audience.RESULTS, number__lte=self.n)
            for entry in self.contest.ledger.filter(heard, kind__in=STAGE_KINDS).order_by("number"):
                told.setdefault(entry.stage_id, []).append(entry)
            rows = [as_told(row, told.get(row.pk, ())) for row in rows]
        if not self.sees_all:
            rows = [row for row in rows if row.state != Stage.State.DRAFT]
        found = {row.pk: row for row in rows}
        for row in rows:
            row.contest = self.contest
            if row.source_id in found:
                row.source = found[row.source_id]
        return found

    @cached_property
    def stages(self) -> list[Stage]:
        """Those that the reader may know of, as far as he may: not to be saved."""
        return [self._shown(copy(row)) for row in self._rows.values()]

    def stage(self, pk: int) -> Stage:
        """Raises Http404 for one that the reader may not know of."""
        for stage in self.stages:
            if stage.pk == pk:
                return stage
        raise Http404("no such stage")

    def _shown(self, row: Stage) -> Stage:
        if row.pk in self.concealed:
            row.state, row.started_at, row.finished_at = Stage.State.PUBLISHED, None, None
            row.order, row.left_out = [], []
        elif row.pk in self.unreleased and row.state == Stage.State.DONE:
            row.state, row.finished_at, row.awaits_release = Stage.State.RUNNING, None, True
        return row

    @cached_property
    def unreleased(self) -> frozenset[int]:
        """Stages of which there are rounds that the organisers have not released."""
        if self.sees_all:
            return frozenset()
        by_rounds = {pk: row for pk, row in self._rows.items() if row.release == Stage.Release.ROUNDS}
        if not by_rounds:
            return frozenset()
        drawn = Match.objects.filter(stage__in=by_rounds).as_of(self.n).order_by()
        last = dict(drawn.values_list("stage").annotate(last=Max("table__round")))
        return frozenset(pk for pk, row in by_rounds.items() if row.released < last.get(pk, 0))

    @cached_property
    def concealed(self) -> frozenset[int]:
        """Stages in which who takes part, or in which order, follows from results that this reader must not see."""
        return frozenset(() if self.sees_all else (pk for pk, row in self._rows.items() if self._follows_hidden(row)))

    def _follows_hidden(self, row: Stage) -> bool:
        if row.is_led:
            source = row.source
            if source is not None and (source.pk in self.unreleased or self._follows_hidden(source)):
                return True
        elif row.seeding != Stage.Seeding.STANDINGS:
            return False
        elif any(other.pk in self.unreleased for other in self._rows.values() if other.began_before(row)):
            return True
        return self.n is not None and not row.order

    def withholds(self, stage: Stage) -> bool:
        """May there be results of this stage that this reader must not see?"""
        return stage.pk in self.concealed or stage.pk in self.unreleased or stage.pk not in self._settled

    @cached_property
    def _settled(self) -> Collection[int]:
        """Stages that were over when the freeze began, and in which nothing has happened since."""
        if self.n is None:
            return self._rows.keys()
        since = self.contest.ledger.filter(number__gt=self.n, audience=Audience.RESULTS, stage__isnull=False)
        over = {pk for pk, row in self._rows.items() if row.state == Stage.State.DONE}
        return over.difference(since.order_by().values_list("stage", flat=True).distinct())

    @property
    def misses_any(self) -> bool:
        """May there be results of the contest that this reader must not see?"""
        return self.n is not None or bool(self.concealed or self.unreleased)

    def withheld(self, stage: Stage) -> Withheld | None:
        """What is kept from this reader beyond a freeze; None: nothing."""
        if stage.pk in self.concealed:
            return Withheld(entrants=True)
        return Withheld(stage.released + 1) if stage.pk in self.unreleased else None

    # Matches ----------------------------------------------------------------------------------------------------------

    def matches(self) -> MatchQuerySet:
        """Those of the contest of which this reader may see everything, and so how many there are."""
        found = Match.objects.filter(contest=self.contest)
        if self.sees_all:
            return found
        found = found.filter(self._open).as_of(self.n)
        return found if self.n is None else found.filter(Q(resulted__lte=self.n) | Q(counts_until__lte=self.n))

    def valid(self) -> MatchQuerySet:
        """Those of them that count for this reader, or will."""
        return self.matches().as_of(self.n).not_void_by(self.n)

    def done(self) -> MatchQuerySet:
        """Those of them that were played and count for this reader."""
        return self.valid().with_result(self.n) if self.n is not None else self.matches().done()

    def void(self) -> MatchQuerySet:
        """Those of them that counted once, for this reader, and do no longer."""
        return self.matches().as_of(self.n).void_by(self.n)

    def in_state(self, state: str) -> MatchQuerySet:
        if self.sees_all:
            return self.matches().filter(state=state)
        if state == Match.State.DONE:
            return self.done()
        if state == Match.State.VOID:
            return self.matches().void_by(self.n)
        return self.matches().filter(state=state) if self.n is None else self.matches().none()

    def known(self, stage: Stage) -> MatchQuerySet:
        """The matches of a stage that count for this reader, also those of which he may know only that they are played,
        and by whom: those drawn before a freeze, and the next round of what is released by rounds."""
        known = Match.objects.filter(stage=stage.pk).as_of(self.n).not_void_by(self.n)
        if stage.release == Stage.Release.ROUNDS and not self.sees_all:
            # What more the next round takes, a play-off for instance, is a result.
            following = Q(table__round=stage.released + 1, number=1)
            known = known.filter(Q(table__round__lte=stage.released) | following)
        return known

    def sees(self, match: Match) -> bool:
        return self.sees_all or self.matches().filter(pk=match.pk).exists()

    def knows(self, match: Match) -> bool:
        """May the reader know that this match is, or will be, played, and by whom, though not what comes of it?"""
        if self.sees_all:
            return True
        row = self._rows.get(match.stage_id)
        shown = row is not None and match.stage_id not in self.concealed
        return bool(row and shown and self.known(row).filter(pk=match.pk).exists())

    @cached_property
    def _open(self) -> Q:
        """Of stages that are shown, without the rounds that are not released."""
        found = Q(stage__in=self._rows.keys() - self.concealed)
        for pk in self.unreleased:
            found &= ~Q(stage=pk, table__round__gt=self._rows[pk].released)
        return found

    # Ratings ----------------------------------------------------------------------------------------------------------

    @cached_property
    def rated_until(self) -> int | None:
        """Ratings hang together: what was rated from this number on tells of results that this reader must not see.
        None: there are no such results."""
        if self.sees_all:
            return None
        # The void ones too: that one of them has become void must not tell either.
        hidden = self.contest.matches.filter(~self._open, resulted__isnull=False, counts_from__isnull=False)
        first = hidden.aggregate(first=Min("resulted"))["first"] if self.concealed or self.unreleased else None
        return min((bound for bound in (first, None if self.n is None else self.n + 1) if bound), default=None)

    @property
    def skills_then(self) -> dict[int, Skill] | None:
        """Everybody's rating then. None: no result has changed since that goes into them."""
        return self._chain[0]

    @property
    def links(self) -> Mapping[int, ratings.Chair]:
        """By seat: the ratings of then, where results have changed since; all others are as written."""
        return self._chain[1]

    @cached_property
    def _chain(self) -> tuple[dict[int, Skill] | None, Mapping[int, ratings.Chair]]:
        n, until = self.n, self.rated_until
        if n is None or until is None:
            return None, {}
        changed = Q(counts_until__gt=n) | Q(counts_from__gt=n)
        first = self.contest.matches.filter(changed, resulted__lte=n).aggregate(first=Min("resulted"))["first"]
        if first is None or first >= until:
            return None, {}
        counted = Match.objects.filter(contest=self.contest).as_of(n).not_void_by(n).with_result(n)
        key = (self.contest.pk, self.contest.created_at, n, first, until)
        return CHAINS.get(key, lambda: ratings.before_voiding(self.contest, counted, first, until))

    def as_known(self, matches: Iterable[Match]) -> list[Match]:
        """The same, not to be saved, with the status and, in loaded seats, the ratings that this reader may know."""
        found = list(matches)
        for match in found if self.n is not None else ():
            match.seen_at = self.n
            if self.links and "seats" in getattr(match, "_prefetched_objects_cache", {}):
                self.rate(match.seats.all())
        return found

    def rate(self, seats: Iterable[MatchSeat]) -> None:
        """Write the ratings that this reader may know into these seats."""
        for seat in seats:
            if (link := self.links.get(seat.pk)) is not None:
                for name in ratings.LINK:
                    setattr(seat, name, getattr(link, name))

    # One match --------------------------------------------------------------------------------------------------------

    def hides_games_of(self, match: Match) -> bool:
        """Has the match games that this reader must not know of?

        Lists and tables show what stands in its rows, and there only the verdict is written (play.write_verdict). All
        that a page may open besides, the record and the bot's log, has to be cut (`open_part`, `open_pieces`).
        """
        return match.stage.played_in.runs and not self.sees_all and self.contest.phase(timezone.now()) != Phase.ENDED

    def shows_seed(self, match: Match) -> bool:
        """Before the match is over, the seed would tell those who play through their connections what will be dealt."""
        over = match.status in (Match.State.DONE, Match.State.VOID)
        return self.sees_all or (over and not self.hides_games_of(match))


def sight(request: HttpRequest, contest: Contest) -> Sight:
    """What who asks may see. Made once for a request."""
    known: dict[int, Sight] = request.__dict__.setdefault("_sights", {})
    if contest.pk not in known:
        known[contest.pk] = Sight(access(request, contest))
    return known[contest.pk]


def public(contest: Contest) -> Sight:
    """What everybody sees."""
    return Sight(Access(contest))
