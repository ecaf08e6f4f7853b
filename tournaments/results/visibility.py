"""Who may see what of a contest's results. Pages, downloads and counts all ask here, and nowhere else.

Those with a role see everything, and can look as the public does (`?as=public`). Everybody else, members of teams
included, is not shown

* what the ledger says after a **freeze** began: the public knows the contest as of that entry (`Sight.n`). Departures
  of teams and announcements of stages are no secret (`Audience.EVERYONE`);
* the results of rounds that are not **released**; who meets in the next one is shown;
* who takes part in a stage, and all of it, where that **follows** from such results;
* matches of **reviews** that are not applied, **drafts** of stages, and, until the contest ends, the **hidden games**
  of a judged problem (kinds.secrecy).

`Sight.matches` are the matches of which everything may be shown. Whatever else the public sees, tables, rankings and
standings, is computed from these alone, as if there were no others: nothing has to be censored, and who meets whom
tells nothing either. That holds for a team's own matches too: their debug output says who won.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Min, Q
from django.http import Http404, HttpRequest

from contest.models import Contest
from contest.permissions import Access, access
from tournaments.models import Match, MatchSeat, Stage
from tournaments.models.matches import MatchQuerySet
from tournaments.results import ratings
from tournaments.results.past_ratings import NO_OTHERS, RatingsThen, ratings_then
from tournaments.results.stages_seen import StagesSeen


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
    def _seen(self) -> StagesSeen:
        return StagesSeen(self.contest, self.n, self.sees_all)

    @property
    def stages(self) -> list[Stage]:
        """Those that the reader may know of, as the reader knows them: not to be saved."""
        return self._seen.shown

    @property
    def concealed(self) -> frozenset[int]:
        """Stages in which who takes part, or in which order, follows from results that this reader must not see."""
        return self._seen.concealed

    def stage(self, pk: int) -> Stage:
        """Raises Http404 for one that the reader may not know of."""
        for stage in self.stages:
            if stage.pk == pk:
                return stage
        raise Http404("no such stage")

    def withholds(self, stage: Stage) -> bool:
        """May there be results of this stage that this reader must not see?"""
        return stage.pk in self.concealed or stage.pk in self._seen.unreleased or stage.pk not in self._seen.settled

    @property
    def misses_any(self) -> bool:
        """The same of any stage."""
        return self.n is not None or bool(self.concealed or self._seen.unreleased)

    def withheld(self, stage: Stage) -> Withheld | None:
        """What is kept from this reader beyond a freeze; None: nothing."""
        if stage.pk in self.concealed:
            return Withheld(entrants=True)
        return Withheld(stage.released + 1) if stage.pk in self._seen.unreleased else None

    # Matches ----------------------------------------------------------------------------------------------------------

    def matches(self) -> MatchQuerySet:
        """Those of the contest of which this reader may see everything, and so how many there are."""
        found = Match.objects.filter(contest=self.contest)
        if self.sees_all:
            return found
        found = found.filter(self._seen.open).as_of(self.n)
        return found if self.n is None else found.filter(Q(resulted__lte=self.n) | Q(counts_until__lte=self.n))

    def valid(self) -> MatchQuerySet:
        """Those of them that count for this reader, or will."""
        return self.matches().as_of(self.n).not_void_by(self.n)

    def done(self) -> MatchQuerySet:
        """Those of them that were played and count for this reader."""
        return self.valid().with_result(self.n) if self.n is not None else self.matches().done()

    def in_state(self, state: str) -> MatchQuerySet:
        if self.sees_all:
            return self.matches().filter(state=state)
        if state == Match.State.DONE:
            return self.done()
        if state == Match.State.VOID:
            return self.matches().as_of(self.n).void_by(self.n)
        return self.matches().filter(state=state) if self.n is None else self.matches().none()

    def known(self, stage: Stage) -> MatchQuerySet:
        """The matches of a stage that count for this reader, also those of which only the players may be known: drawn
        before a freeze, or the next round of what is released by rounds."""
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
        row = self._seen.rows.get(match.stage_id)
        return row is not None and row.pk not in self.concealed and self.known(row).filter(pk=match.pk).exists()

    # Ratings ----------------------------------------------------------------------------------------------------------

    @cached_property
    def rated_until(self) -> int | None:
        """Ratings hang together: what was rated from this number on tells of results that this reader must not see.
        None: there are no such results."""
        if self.sees_all:
            return None
        # The void ones too: that one of them has become void must not tell either.
        hidden = self.contest.matches.filter(~self._seen.open, resulted__isnull=False, counts_from__isnull=False)
        first = hidden.aggregate(first=Min("resulted"))["first"] if self.concealed or self._seen.unreleased else None
        return min((bound for bound in (first, None if self.n is None else self.n + 1) if bound), default=None)

    @cached_property
    def then(self) -> RatingsThen:
        """The ratings that this reader may know, where they are not those that are written."""
        return NO_OTHERS if self.n is None else ratings_then(self.contest, self.n, self.rated_until or self.n + 1)

    def as_known(self, matches: Iterable[Match]) -> list[Match]:
        """The same, not to be saved, with the status and, in loaded seats, the ratings that this reader may know."""
        found = list(matches)
        for match in found if self.n is not None else ():
            match.seen_at = self.n
            if self.then.links and "seats" in getattr(match, "_prefetched_objects_cache", {}):
                self.rate(match.seats.all())
        return found

    def rate(self, seats: Iterable[MatchSeat]) -> None:
        """Write the ratings that this reader may know into these seats."""
        for seat in seats:
            if (link := self.then.links.get(seat.pk)) is not None:
                for name in ratings.LINK:
                    setattr(seat, name, getattr(link, name))


def sight(request: HttpRequest, contest: Contest) -> Sight:
    """What who asks may see. Made once for a request."""
    known: dict[int, Sight] = request.__dict__.setdefault("_sights", {})
    if contest.pk not in known:
        known[contest.pk] = Sight(access(request, contest))
    return known[contest.pk]


def public(contest: Contest) -> Sight:
    return Sight(Access(contest))
