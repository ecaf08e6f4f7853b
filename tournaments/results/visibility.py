"""Who may see which results of a contest. Pages, downloads and counts all ask here, and nowhere else.

People with a role see everything, and can preview the public view (`?as=public`). For everybody else, including team
members, the following is hidden:

* what the ledger says of results after a **freeze** began (`Sight.n`), but not what is for `Audience.EVERYONE`:
  departures of teams and announcements of stages;
* the results of rounds that are not **released**; who meets in the next round is shown;
* the entrants of a stage, and the whole stage, if they **follow** from such results;
* who meets in a round that organisers **hold**, until they start it or show its pairings;
* matches of open **reviews**, **drafts** of stages, **hidden games** of a contest that has not ended, and hands in a
  **set** of matches on the same deals while one of them is still to be played (both: kinds.secrecy).

`Sight.matches` may be shown in full. Tables, rankings and standings for the public are computed from these alone, as
if there were no others. So nothing must be censored, and pairings reveal nothing either. A team's own matches are no
exception, because their debug output says who won.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db.models import Min, Q
from django.http import Http404, HttpRequest

from contest.models import Contest
from contest.permissions import Access, access
from tournaments.models import Match, MatchSeat, Stage
from tournaments.models.matches import MatchQuerySet, counting
from tournaments.results import ratings, stages_seen
from tournaments.results.entries_seen import EntriesSeen
from tournaments.results.ratings import NO_OTHERS, RatingsThen, ratings_then
from tournaments.results.stages_seen import StagesSeen, Withheld


@dataclass(frozen=True)
class Sight:
    """One reader's view of one contest, created for each request."""

    access: Access
    views: dict[Hashable, Any] = field(default_factory=dict, init=False, compare=False)
    """What has been computed for this reader (`kinds.planned.stage_view`)."""

    @property
    def contest(self) -> Contest:
        return self.access.contest

    @property
    def sees_all(self) -> bool:
        return self.access.sees_results

    @property
    def revision(self) -> str:
        """Changes whenever something that this reader may see has changed."""
        return self.access.revision

    @cached_property
    def n(self) -> int | None:
        """The last ledger entry whose results this reader may know. None: all."""
        if self.sees_all or not self.access.is_frozen:
            return None
        number = self.contest.frozen_number
        return self.contest.last_number if number is None else number  # None: nothing was written since the freeze

    # Stages -----------------------------------------------------------------------------------------------------------

    @cached_property
    def _seen(self) -> StagesSeen:
        return StagesSeen(self.contest, self.n, self.sees_all)

    @property
    def stages(self) -> list[Stage]:
        """The stages that the reader may know of, as far as they may know them. They must not be saved."""
        return self._seen.shown

    @property
    def concealed(self) -> frozenset[int]:
        """Ids of stages whose entrants or their order follow from results hidden from this reader."""
        return self._seen.concealed

    def stage(self, pk: int) -> Stage:
        """A stage that the reader may know of. Raises Http404 for others."""
        for stage in self.stages:
            if stage.pk == pk:
                return stage
        raise Http404("no such stage")

    def withholds(self, stage: Stage) -> bool:
        """Whether some results of this stage may be hidden from this reader."""
        return not self.sees_all and (self.withheld(stage) is not None or stage.pk not in self._seen.settled)

    @property
    def misses_any(self) -> bool:
        """Whether that applies to any stage."""
        return self.n is not None or bool(self.concealed or self._seen.unreleased)

    def pairings_hidden_from(self, stage: Stage) -> int | None:
        """The first round of which this reader may not know who meets, because organisers hold it. None: none."""
        return self._seen.pairings_hidden_from(stage)

    def withheld(self, stage: Stage) -> Withheld | None:
        """What is hidden from this reader apart from a freeze. None: nothing."""
        return self._seen.withheld(stage)

    # Matches ----------------------------------------------------------------------------------------------------------

    def matches(self, stage: Stage | None = None) -> MatchQuerySet:
        """The matches of the contest, or of one of its stages, that this reader may see in full, and so may count."""
        # Asked for both, SQLite would look at all matches of the contest.
        return self._everywhere.all() if stage is None else self._open(Match.objects.filter(stage=stage.pk))

    @cached_property
    def _everywhere(self) -> MatchQuerySet:
        return self._open(Match.objects.filter(contest=self.contest))

    def _open(self, found: MatchQuerySet) -> MatchQuerySet:
        if self.sees_all:
            return found
        found = found.filter(self._seen.open).as_of(self.n)
        return found if self.n is None else found.filter(Q(resulted__lte=self.n) | Q(counts_until__lte=self.n))

    def valid(self, stage: Stage | None = None) -> MatchQuerySet:
        """Those that count or will count for this reader."""
        found = self.matches(stage)
        return (found.as_of(None) if self.sees_all else found).not_void_by(self.n)

    def done(self, stage: Stage | None = None) -> MatchQuerySet:
        """Those that were played and count for this reader."""
        return self.valid(stage).with_result(self.n) if self.n is not None else self.matches(stage).done()

    def in_state(self, state: str, among: MatchQuerySet | None = None) -> MatchQuerySet:
        """Those in this state, as far as the reader knows. `among`: some of `matches()`."""
        found = self.matches() if among is None else among
        if self.sees_all:
            return found.filter(state=state)
        if state == Match.State.DONE:
            return found.done() if self.n is None else found.not_void_by(self.n).with_result(self.n)
        if state == Match.State.VOID:
            return found.void_by(self.n)
        return found.filter(state=state) if self.n is None else found.none()

    def known(self, stage: Stage) -> MatchQuerySet:
        """The matches of a stage that count for this reader. Includes matches whose players alone may be known: drawn
        before a freeze, or the next round of a stage released by rounds."""
        drawn = Match.objects.filter(stage=stage.pk).as_of(self.n)
        by_rounds = stage.release == Stage.Release.ROUNDS and not self.sees_all
        return drawn.filter(stages_seen.known(stage, self.n) if by_rounds else counting(self.n))

    def sees(self, match: Match) -> bool:
        return self.sees_all or self.matches().filter(pk=match.pk).exists()

    def shares(self, match: Match) -> bool:
        """Whether everybody sees a match that this reader sees: those without a role see what the public does."""
        return not self.sees_all or public(self.contest).sees(match)

    def knows(self, match: Match) -> bool:
        """Whether the reader may know that this match is or will be played, and by whom, but not its result."""
        if self.sees_all:
            return True
        row = self._seen.rows.get(match.stage_id)
        return row is not None and row.pk not in self.concealed and self.known(row).filter(pk=match.pk).exists()

    @cached_property
    def _unfinished_sets(self) -> frozenset[tuple[int, int]]:
        """The sets of matches on the same deals, each by table and seed, of which one is still to be played or in
        progress, as far as the reader knows. So a freeze tells nothing, and neither does a review that is not applied.
        """
        here = Match.objects.filter(stage__in=list(self._seen.rows)).as_of(self.n).not_void_by(self.n)
        to_play = here.exclude(**{"resulted__isnull": False} if self.n is None else {"resulted__lte": self.n})
        on_shared = to_play.filter(openings__0__deal__isnull=False)  # comes last, because it reads JSON
        return frozenset(on_shared.order_by().values_list("table", "seed").distinct())

    def is_in_unfinished_set(self, match: Match) -> bool:
        """Whether others still play the deals of this match, as far as the reader knows, and they must not see all.

        Its openings tell that it is of a set, not the stage's options, which may have changed since."""
        known = "openings" not in match.get_deferred_fields()  # reading them for each of a list would cost a query
        if self.sees_all or (known and not any("deal" in opening for opening in match.openings)):
            return False
        return (match.table_id, match.seed) in self._unfinished_sets

    # The ledger -------------------------------------------------------------------------------------------------------

    @cached_property
    def entries(self) -> EntriesSeen:
        return EntriesSeen(self.contest, self.n, self._seen, self.access.team)

    # Ratings ----------------------------------------------------------------------------------------------------------

    @cached_property
    def rated_until(self) -> int | None:
        """The ledger number from which ratings are hidden, since later ratings build on a hidden result. None: no
        results are hidden."""
        if self.sees_all:
            return None
        first = None
        if self.concealed or self._seen.unreleased:
            # Void matches count too: that one has become void must stay hidden as well.
            hidden = self.contest.matches.filter(~self._seen.open, resulted__isnull=False, counts_from__isnull=False)
            first = hidden.aggregate(first=Min("resulted"))["first"]
        return min((bound for bound in (first, None if self.n is None else self.n + 1) if bound), default=None)

    @cached_property
    def then(self) -> RatingsThen:
        """The ratings that this reader may know, if they differ from the stored ones."""
        return NO_OTHERS if self.n is None else ratings_then(self.contest, self.n, self.rated_until or self.n + 1)

    def as_known(self, matches: Iterable[Match]) -> list[Match]:
        """The matches with the status, and in loaded seats the ratings, that this reader may know. Not to be saved."""
        found = list(matches)
        for match in found if self.n is not None else ():
            match.seen_at = self.n
            if self.then.links and "seats" in getattr(match, "_prefetched_objects_cache", {}):
                self.rate(match.seats.all())
        return found

    def rate(self, seats: Iterable[MatchSeat]) -> None:
        """Set the ratings that this reader may know in these seats."""
        for seat in seats:
            if (link := self.then.links.get(seat.pk)) is not None:
                for name in ratings.LINK:
                    setattr(seat, name, getattr(link, name))


def sight(request: HttpRequest, contest: Contest) -> Sight:
    """The view of the user who makes the request. Computed once for each request."""
    known: dict[int, Sight] = request.__dict__.setdefault("_sights", {})
    if contest.pk not in known:
        known[contest.pk] = Sight(access(request, contest))
    return known[contest.pk]


def public(contest: Contest) -> Sight:
    return Sight(Access(contest))


def everything(contest: Contest) -> Sight:
    """The view of people with a role."""
    return Sight(Access(contest, is_superuser=True))
