"""Who may see what of a contest's results. Pages, downloads and counts all ask here, and nowhere else.

Those with a role see everything, and can look as the public does (`?as=public`). Kept from everybody else, members of
teams included, are

* what has become known since a **freeze** (Contest.frozen_from): the public sees the contest as of that moment. Matches
  made or played since are hidden, and those that became void since count as if they had not (`Sight.as_then`);
* in a stage that is **released by rounds**, the results of rounds that are not released; who meets in the next one is
  shown;
* who takes part in a stage, and all of it, where that **follows** from such results;
* matches of **reviews** that are not applied, and **drafts** of stages;
* of a judged problem the **hidden games**, until the contest ends.

`Sight.matches` are the matches of which everything may be shown. What else the public gets to see, tables, rankings
and standings, is computed from these alone, as if there were no others: so nothing has to be censored, and nobody can
tell by who meets whom. That holds for a team's own matches too: their debug output says who won.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db.models import Max, Min, Q
from django.http import Http404, HttpRequest
from django.utils import timezone

from contest.models import Contest, Phase
from contest.permissions import Access, access
from contest.replay import Pieces
from games import record as records
from games.record import Record
from tournaments.formats.rating_systems import Skill
from tournaments.models import Match, MatchSeat, Review, Stage, Table
from tournaments.models.matches import MatchQuerySet
from tournaments.results import ratings
from tournaments.results.cache import Memory

State = Stage.State
ENDINGS = ("finish stage", "reopen stage", "pause stage")
"""Verbs of the trail that tell whether a stage was over."""

CHAINS: Memory[tuple[dict[int, Skill], dict[int, ratings.Chair]]] = Memory(4)
"""Ratings as they were before results became void: the same for everybody, as long as a freeze lasts."""


@dataclass(frozen=True, slots=True)
class Withheld:
    """What is not public of a stage: the results from this round on, or even who plays."""

    round: int | None = None
    entrants: bool = False


@dataclass(frozen=True)
class Sight:
    """One reader's view of one contest; asked anew for every request."""

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
    def frozen_from(self) -> datetime | None:
        """The freeze that is in force for this reader."""
        return self.contest.frozen_from if self.contest.is_frozen() and not self.sees_all else None

    # Stages -----------------------------------------------------------------------------------------------------------

    @cached_property
    def stages(self) -> list[Stage]:
        """Those that the reader may know of, as far as he may: not to be saved."""
        return [stage if self.sees_all else self._as_known(stage) for stage in self._rows.values()]

    def stage(self, pk: int) -> Stage:
        """Raises Http404 for one that the reader may not know of."""
        for stage in self.stages:
            if stage.pk == pk:
                return stage
        raise Http404("no such stage")

    @cached_property
    def _rows(self) -> dict[int, Stage]:
        found = self.contest.stages.select_related("source").order_by("pk")
        if not self.sees_all:
            found = found.exclude(state=State.DRAFT)
        stages = {stage.pk: stage for stage in found}
        for stage in stages.values():
            stage.contest = self.contest
        return stages

    def withholds(self, stage: Stage) -> bool:
        """Are there results of this stage, or may there be some now, that this reader must not see?"""
        if self.sees_all:
            return False
        row = self._rows[stage.pk]
        return self.conceals(row) or self._is_unreleased(row) or not self._was_over(row)

    @property
    def misses_any(self) -> bool:
        """Are there results of the contest that this reader must not see, or may there be some now?"""
        return not self.sees_all and any(self.withholds(row) for row in self._rows.values())

    def conceals(self, stage: Stage) -> bool:
        """Does who takes part here, or in which order, follow from results that this reader must not see?"""
        row = self._rows.get(stage.pk)
        if self.sees_all or row is None or not (row.is_led or row.seeding == Stage.Seeding.STANDINGS):
            return False
        if row.is_led:
            source = self._rows.get(row.source_id or 0)
            if source and (self._is_unreleased(source) or self.conceals(source)):
                return True
            drawn_from_known = source is None or (self._was_over(source) and source.pk not in self._torn)
        else:
            earlier = (each for each in self._rows.values() if each.pk != row.pk and _began_before(each, row))
            if any(self._is_unreleased(each) for each in earlier):
                return True
            drawn_from_known = False
        return not (self.frozen_from is None or drawn_from_known or _began_at(row, self.frozen_from))

    def _is_unreleased(self, row: Stage) -> bool:
        return row.release == Stage.Release.ROUNDS and row.released < self._last_rounds.get(row.pk, 0)

    @cached_property
    def _last_rounds(self) -> dict[int, int]:
        """Of the stages that are released by rounds: how many rounds they have by now."""
        by_rounds = [pk for pk, row in self._rows.items() if row.release == Stage.Release.ROUNDS]
        tables = Table.objects.filter(stage__in=by_rounds).order_by() if by_rounds else Table.objects.none()
        return dict(tables.values_list("stage").annotate(last=Max("round")))

    def _was_over(self, row: Stage) -> bool:
        """Was it finished when the freeze began, and is it still? Without a freeze nothing is unknown."""
        if self.frozen_from is None:
            return True
        return self._finished_then(row) is not None

    def _finished_then(self, row: Stage) -> datetime | None:
        """When it was finished, if it was when the freeze began: it may be played again since."""
        if self.frozen_from is None:
            return row.finished_at if row.state == State.DONE else None
        if row.pk in self._torn:
            return self._endings.get(row.pk)
        over = row.state == State.DONE and row.finished_at is not None and row.finished_at < self.frozen_from
        return row.finished_at if over else None

    @cached_property
    def _endings(self) -> dict[int, datetime]:
        """By stage with results that became void since the freeze: when it had been finished, as the trail says."""
        told = self.contest.acts.filter(verb__in=ENDINGS, at__lt=self.frozen_from).order_by("at", "pk")
        last = {act.data.get("stage"): act for act in told}
        return {
            pk: datetime.fromisoformat(act.data["finished_at"]) if "finished_at" in act.data else act.at
            for pk, act in last.items()
            if pk in self._torn and act.verb == ENDINGS[0]
        }

    def _as_known(self, row: Stage) -> Stage:
        """In the state in which the reader knows it."""
        concealed = self.conceals(row)
        if row.has_started and (concealed or not _began_at(row, self.frozen_from)):
            row.state, row.started_at, row.finished_at, row.left_out = State.PUBLISHED, None, None, []
        elif row.state == State.DONE and (self._is_unreleased(row) or not self._was_over(row)):
            row.awaits_release = self._is_unreleased(row) and self._was_over(row)
            row.state, row.finished_at = State.RUNNING, None
        elif self.frozen_from is not None and (ended := self._finished_then(row)) is not None:
            row.state, row.finished_at = State.DONE, ended
        if concealed:
            row.order, row.left_out = [], []
        return row

    # Matches ----------------------------------------------------------------------------------------------------------

    def matches(self) -> MatchQuerySet:
        """Those of the contest of which this reader may see everything, and so how many there are."""
        found = Match.objects.filter(contest=self.contest)
        if self.sees_all:
            return found
        return found.filter(self._open, stage__in=self._rows, pending=False)

    def valid(self) -> MatchQuerySet:
        """Those of them that count for this reader, or will."""
        return self.matches().filter(~Q(state=Match.State.VOID) | self._revoked, pending=False)

    def done(self) -> MatchQuerySet:
        """Those of them that were played and count for this reader."""
        return self.in_state(Match.State.DONE).filter(pending=False)

    def in_state(self, state: str) -> MatchQuerySet:
        found = self.matches()
        if state == Match.State.DONE:
            return found.filter(Q(state=state) | self._revoked)
        return found.filter(state=state).exclude(self._revoked)

    def as_then(self, found: Iterable[Match]) -> list[Match]:
        """The same, not to be saved, with those that became void since the freeze as they were before. Ratings are
        written into chairs that are loaded."""
        matches = list(found)
        for match in matches if self._torn else ():
            if self._is_revoked(match):
                match.state, match.voided_at = Match.State.DONE, None
                match.reason = self._reasons.get(match.pk, "")
            if "seats" in getattr(match, "_prefetched_objects_cache", {}):
                self.rate_as_then(match.seats.all())
        return matches

    def rate_as_then(self, seats: Iterable[MatchSeat]) -> None:
        """Write the ratings into these chairs that they had before results became void since the freeze."""
        for seat in seats:
            if (link := self.links.get(seat.pk)) is not None:
                for name in ratings.LINK:
                    setattr(seat, name, getattr(link, name))

    def _is_revoked(self, match: Match) -> bool:
        since = self.frozen_from
        return bool(since and match.voided_at and match.finished_at and match.finished_at < since <= match.voided_at)

    @cached_property
    def _revoked(self) -> Q:
        """What has become void since the freeze, and was known then."""
        if self.frozen_from is None:
            return Q(pk__in=[])
        return Q(voided_at__gte=self.frozen_from, finished_at__lt=self.frozen_from)

    @cached_property
    def _reasons(self) -> dict[int, str]:
        """Why the players of those had met."""
        acts = self.contest.acts.filter(verb="void match", at__gte=self.frozen_from).order_by("at", "pk")
        return {act.data["match"]: act.data.get("why", "") for act in acts}

    def sees(self, match: Match) -> bool:
        return self.sees_all or self.matches().filter(pk=match.pk).exists()

    def knows(self, match: Match) -> bool:
        """May the reader know that this match is, or will be, played, and by whom, though not what comes of it?"""
        row = self._rows.get(match.stage_id)
        if self.sees_all or row is None or match.pending or self.conceals(row):
            return self.sees_all
        if match.voided_at is not None and (self.frozen_from is None or match.voided_at < self.frozen_from):
            return False
        if self.frozen_from is not None and (match.created_at >= self.frozen_from or match.review_id in self._late):
            return False
        if row.release == Stage.Release.LIVE or match.table.round <= row.released:
            return True
        return match.table.round == row.released + 1 and match.number == 1  # what more it takes is a result

    @cached_property
    def _open(self) -> Q:
        """What is withheld by the freeze, by rounds, and because the stage itself is."""
        found = ~Q(stage__in=[pk for pk, row in self._rows.items() if self.conceals(row)])
        for pk, row in self._rows.items():
            if row.release == Stage.Release.ROUNDS:
                found &= ~Q(stage=pk, table__round__gt=row.released)
        if since := self.frozen_from:
            found &= Q(voided_at__lt=since) | Q(finished_at__lt=since)
            found &= Q(review=None) | ~Q(review__in=self._late)
        return found

    @cached_property
    def _late(self) -> set[int]:
        """Reviews that were applied since the freeze."""
        if self.frozen_from is None:
            return set()
        late = Review.objects.filter(contest=self.contest, state=Review.State.APPLIED, decided_at__gte=self.frozen_from)
        return set(late.values_list("pk", flat=True))

    @cached_property
    def _torn(self) -> dict[int, datetime]:
        """By stage: the first of the results that were known and have become void since the freeze."""
        if self.frozen_from is None:
            return {}
        void = self.contest.matches.filter(self._revoked, pending=False).exclude(review__in=self._late)
        return dict(void.order_by().values_list("stage").annotate(first=Min("finished_at")))

    def is_torn(self, stage: Stage) -> bool:
        """Have results of this stage become void since the freeze, which count for this reader?"""
        return stage.pk in self._torn

    # What follows from them -------------------------------------------------------------------------------------------

    def withheld(self, stage: Stage) -> Withheld | None:
        """What is kept from this reader beyond a freeze; None: nothing."""
        row = self._rows[stage.pk]
        if self.conceals(row):
            return Withheld(entrants=True)
        return Withheld(row.released + 1) if not self.sees_all and self._is_unreleased(row) else None

    def standing(self, stage: Stage) -> MatchQuerySet:
        """The matches of a stage that count, or did when the freeze began, whether the reader may see them or not."""
        if self.frozen_from is None:
            return Match.objects.filter(stage=stage.pk).valid()
        since = self.frozen_from
        there = Q(voided_at=None) & ~Q(state=Match.State.VOID) | Q(voided_at__gte=since)
        matches = Match.objects.filter(there, stage=stage.pk, pending=False, created_at__lt=since)
        return matches.exclude(review__in=self._late)

    @cached_property
    def links(self) -> Mapping[int, ratings.Chair]:
        """By chair: the ratings of then, where results have become void since the freeze; else they are as written."""
        return self._chain[1]

    @property
    def skills_then(self) -> dict[int, Skill] | None:
        """Everybody's rating then. None: no result has become void that goes into them."""
        return self._chain[0]

    @cached_property
    def _chain(self) -> tuple[dict[int, Skill] | None, Mapping[int, ratings.Chair]]:
        first, until = min(self._torn.values(), default=None), self.rated_until
        if first is None or until is None or first >= until:
            return None, {}
        key = (self.contest.pk, self.contest.created_at, self.frozen_from, first, until)
        played = Q(state=Match.State.DONE) | self._revoked
        counted = Match.objects.filter(played, contest=self.contest, pending=False).exclude(review__in=self._late)
        return CHAINS.get(key, lambda: ratings.before_voiding(self.contest, counted, first, until))

    @cached_property
    def rated_until(self) -> datetime | None:
        """Ratings hang together: what was rated from then on tells of results that this reader must not see. None:
        there are no such results."""
        if self.sees_all:
            return None
        hidden = Q(stage__in=[pk for pk, row in self._rows.items() if self.conceals(row)])
        for pk, row in self._rows.items():
            if self._is_unreleased(row):
                hidden |= Q(stage=pk, table__round__gt=row.released)
        # The void ones too: that one of them has become void must not tell either.
        first = self.contest.matches.filter(hidden, pending=False).aggregate(first=Min("finished_at"))["first"]
        return min((bound for bound in (first, self.frozen_from) if bound is not None), default=None)

    # Judged problems --------------------------------------------------------------------------------------------------

    def hides_games_of(self, match: Match) -> bool:
        """Has the match games that this reader must not know of?

        Lists and tables show what stands in its rows, and there only the verdict is written (play.write_verdict). All
        that a page may open besides, the record and the bot's log, has to be cut (`open_part`, `open_pieces`).
        """
        return match.stage.played_in.runs and not self.sees_all and self.contest.phase(timezone.now()) != Phase.ENDED

    def shows_seed(self, match: Match) -> bool:
        """Before the match is over, the seed would tell those who play through their connections what will be dealt."""
        over = match.state in (Match.State.DONE, Match.State.VOID)
        return self.sees_all or (over and not self.hides_games_of(match))


def _began_at(stage: Stage, moment: datetime | None) -> bool:
    """Had it started by then? None: now."""
    if moment is None:
        return stage.has_started
    return stage.started_at is not None and stage.started_at < moment


def _began_before(stage: Stage, other: Stage) -> bool:
    return stage.started_at is not None and (other.started_at is None or stage.started_at < other.started_at)


def sight(request: HttpRequest, contest: Contest) -> Sight:
    """What who asks may see. Made once for a request."""
    known: dict[int, Sight] = request.__dict__.setdefault("_sights", {})
    if contest.pk not in known:
        known[contest.pk] = Sight(access(request, contest))
    return known[contest.pk]


def public(contest: Contest) -> Sight:
    """What everybody sees."""
    return Sight(Access(contest))


def open_part(match: Match, record: Record) -> Record:
    """The record as if only the games that everybody knows had been played, without a word on how it all ended."""
    known = len(match.contest.game.sample)
    events = [event for game in records.games(record)[:known] for event in game]
    nothing = {"scores": [0] * len(record["seats"]), "places": [1] * len(record["seats"]), "disqualified": []}
    return {**record, "seed": 0, "events": events, "result": nothing}


def open_pieces(record: Record, pieces: Pieces) -> Pieces:
    """What a bot wrote to standard error during the games of such a part."""
    return [(place, text) for place, text in pieces if place < len(record["events"])]
