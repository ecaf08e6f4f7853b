"""Reviews: a set of matches is played again beside the original ones, and then applied or dropped as a whole.

Until a review is applied it does not count: its matches are `pending`, hidden from plans, ratings and the public
(models.matches). Applying it replaces the originals in one transaction: they become void, ratings are computed again,
and the plan decides what follows, as after any change of results. If an original became void in the meantime, it keeps
its own successor, and its match in the review is ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db import transaction
from django.db.models import Count, Prefetch, Q, QuerySet
from django.utils import timezone

from contest import ledger, workers
from contest.ledger import Fact, hold
from contest.models import Act, Kind, User
from contest.refusal import Refused, reason_given
from games.phrases import counted
from submissions.models import LONG_OF_SUBMISSION
from tournaments import kinds
from tournaments.kinds import following, schedule
from tournaments.models import Match, MatchSeat, Review, Stage
from tournaments.models.stages import hold_stage
from tournaments.results import tallies
from tournaments.seating import deals, draw, queue

MOST = 2000  # matches in a review
State = Review.State
WHY = "Enter a reason. When you apply the review, everybody can read it on the pages of these matches."


@dataclass(frozen=True)
class Pair:
    """A match and its replay. Seats are loaded, in the same order in both."""

    old: Match
    new: Match

    @property
    def stands(self) -> bool:
        """Whether the new result would replace the old one. Not if the old match has become void."""
        return self.old.state == Match.State.DONE and self.new.state != Match.State.VOID

    @cached_property
    def seats(self) -> list[tuple[MatchSeat, MatchSeat]]:
        return list(zip(self.old.seats.all(), self.new.seats.all(), strict=True))

    @property
    def is_played(self) -> bool:
        return self.new.state == Match.State.DONE

    @property
    def other_deals(self) -> bool:
        return self.old.seed != self.new.seed

    @property
    def is_changed(self) -> bool:
        """Whether the order of the players changed."""
        return self.is_played and any((a.place, a.verdict) != (b.place, b.verdict) for a, b in self.seats)


# Reading --------------------------------------------------------------------------------------------------------------


def of_stage(stage: Stage) -> QuerySet[Review]:
    """All reviews of a stage, latest first, with `planned` and `played`."""
    return stage.reviews.select_related("made_by", "decided_by").annotate(**_counts()).order_by("-pk")


def undecided(reviews: QuerySet[Review]) -> QuerySet[Review]:
    """Open reviews, oldest first, with `planned` and `played`."""
    return reviews.filter(state=State.OPEN).annotate(**_counts()).select_related("stage").order_by("pk")


def _counts() -> dict[str, Count]:
    played = Q(matches__state=Match.State.DONE)
    return {"planned": Count("matches"), "played": Count("matches", filter=played)}


def pairs_of(review: Review) -> list[Pair]:
    """The pairs in the order of tables. A match deleted with its table is left out."""
    seats = MatchSeat.objects.select_related("team", "submission").defer(*LONG_OF_SUBMISSION)
    found = review.matches.select_related("table", "replay_of__table")
    found = found.prefetch_related(Prefetch("seats", seats), Prefetch("replay_of__seats", seats))
    in_order = found.order_by("table__round", "table__number", "number", "pk")
    return [Pair(match.replay_of, match) for match in in_order if match.replay_of is not None]


def choosable(stage: Stage) -> QuerySet[Match]:
    """Matches that can be played again: they count and are in no open review."""
    taken = Match.objects.filter(review__state=State.OPEN, pending=True, stage=stage, replay_of__isnull=False)
    return stage.matches.done().exclude(pk__in=taken.values("replay_of"))


def why_not_applied(review: Review, pairs: Sequence[Pair]) -> str:
    """Why a review cannot be applied, as a sentence. Empty: it can. `pairs`: of this review."""
    if review.state != State.OPEN:
        return f"This review is already {review.get_state_display().lower()}."
    waiting = sum(pair.new.state in (Match.State.QUEUED, Match.State.RUNNING) for pair in pairs)
    if waiting:
        return f"{waiting} of {counted(len(pairs), 'match')} are not played yet. Apply the review after that."
    if not any(pair.stands for pair in pairs):
        return "All matches that this review would replace have become void. You can only drop it."
    return ""


# Actions --------------------------------------------------------------------------------------------------------------


@transaction.atomic
def start(
    stage: Stage, by: User, reason: str, chosen: Iterable[int], *, other_deals: bool = False, newest: bool = False
) -> Review:
    """Replay these matches (ids) under the contest's present rules. Raises Refused.

    `other_deals`: use new deals. Shared deals change only if all matches on them are chosen.
    `newest`: use active versions instead of the original ones. On the same deals versions must not change.
    """
    reason = reason_given(reason, WHY)
    _, stage = hold_stage(stage)
    originals = _originals(stage, list(chosen))
    seeds = _seeds(originals) if other_deals else {}
    teams = {seat.team_id for match in originals for seat in match.seats.all() if seat.team_id is not None}
    active = kinds.of(stage).versions_now(teams) if newest else {}
    deals.check_again([match for match in originals if match.pk not in seeds], active)
    review = Review.objects.create(contest=stage.contest, stage=stage, reason=reason, made_by=by)
    options, limits = stage.contest.full_options(), draw.limits_of(stage.contest)
    made, seats = [], []
    for original in originals:
        match = Match(
            contest=stage.contest,
            stage=stage,
            table=original.table,
            kind=original.kind,
            number=original.number,
            review=review,
            pending=True,
            replay_of=original,
            why=original.why,
            seed=seeds.get(original.pk, original.seed),
            options=options,
            limits=limits,
            openings=original.openings,
            priority=original.priority,
        )
        same = [_same_seat(seat, match, active) for seat in original.seats.all()]
        match.live = any(seat.is_live for seat in same)
        made.append(match)
        seats += same
    Match.objects.bulk_create(made, batch_size=500)
    for seat in seats:
        seat.match_id = seat.match.pk
    MatchSeat.objects.bulk_create(seats, batch_size=1000)
    said = [f"{counted(len(made), 'match')} of {stage}, {_terms(other_deals=other_deals, newest=newest)}"]
    Act.record(stage.contest, by, "start review", review, reason, review=review.pk, stage=stage.pk, said=said)
    stage.contest.touch(hidden=True)
    transaction.on_commit(lambda: workers.wake(queue.PLAY, times=len(made)))
    return review


@transaction.atomic
def apply(review: Review, by: User) -> None:
    """Replace the old results by all results of the review. Raises Refused while one is missing."""
    held = hold(review.contest_id)
    review = _open(review)
    pairs = pairs_of(review)
    if refusal := why_not_applied(review, pairs):
        raise Refused(refusal)
    kept = [pair for pair in pairs if pair.stands]
    fallen = [pair.new.pk for pair in pairs if not pair.stands]
    Match.objects.filter(pk__in=fallen).update(state=Match.State.VOID, lease_until=None)
    replaced = [(pair.old.pk, pair.new.pk) for pair in kept]
    fact = Fact(
        Kind.REVIEW_APPLIED,
        review.stage_id,
        review=review.pk,
        by=by,
        reason=review.reason,
        data={"replaced": replaced},
        withheld=_is_withheld(review),
    )
    number = ledger.write(held, fact)
    old = [(pair.old, f"Played again as {pair.new}: {review.reason}") for pair in kept]
    schedule.void(held, old, by, number)
    Match.objects.filter(pk__in=[new for _, new in replaced]).update(pending=False, counts_from=number)
    tallies.count_again([pair.new for pair in kept])
    said = [f"{counted(len(kept), 'match')} of {review.stage} replaced"]
    _decide(review, State.APPLIED, by, "apply review", said)
    following.reconcile(review.stage)


@transaction.atomic
def drop(review: Review, by: User) -> None:
    """Leave everything as it is. Matches of the review stay visible to people with a role, as void."""
    review = _open(review)
    review.matches.filter(pending=True).update(state=Match.State.VOID, lease_until=None)
    _decide(review, State.DROPPED, by, "drop review", [f"The results of {review.stage} stay as they were"])


def _decide(review: Review, state: str, by: User, verb: str, said: list[str]) -> None:
    review.state, review.decided_by, review.decided_at = state, by, timezone.now()
    review.save(update_fields=["state", "decided_by", "decided_at"])
    Act.record(review.contest, by, verb, review, review.reason, review=review.pk, stage=review.stage_id, said=said)
    review.contest.touch(hidden=state == State.DROPPED or _is_withheld(review))


def _is_withheld(review: Review) -> bool:
    """Whether all of it is hidden from people without a role."""
    stage = review.stage
    by_rounds = stage.release == Stage.Release.ROUNDS
    shown = by_rounds and review.matches.filter(table__round__lte=stage.released).exists()
    return review.contest.is_frozen() or (by_rounds and not shown)


def _open(review: Review) -> Review:
    """Lock the row and return it fresh. The contest is locked first, as everywhere."""
    hold(review.contest_id)
    review = Review.objects.select_for_update().get(pk=review.pk)
    if review.state != State.OPEN:
        raise Refused(f"This review is already {review.get_state_display().lower()}.")
    return review


def _originals(stage: Stage, chosen: Sequence[int]) -> list[Match]:
    if len(chosen) > MOST:
        raise Refused(f"A review can have at most {MOST:,} matches. You chose {len(chosen):,}.")
    reviewed = Match.objects.filter(review__state=State.OPEN, pending=True, replay_of__in=chosen)
    if (taken := reviewed.select_related("replay_of", "review").first()) is not None:
        raise Refused(f"{taken.replay_of} is already in {taken.review}. Apply or drop that review first.")
    found = stage.matches.done().filter(pk__in=chosen).defer(None)
    originals = list(found.select_related("table").prefetch_related("seats").order_by("pk"))
    if not originals:
        raise Refused("Choose at least one match with a result that counts.")
    return originals


def _seeds(originals: Sequence[Match]) -> dict[int, int]:
    """New random seeds. Matches on shared deals share the new seed too; unless all of them are chosen, they keep the
    old one. One that is still to be played cannot be chosen, so it keeps the others on its deals."""
    shared = {(match.table_id, match.seed) for match in originals if any("deal" in it for it in match.openings)}
    siblings: dict[tuple[int, int], int] = {}
    counted = Match.objects.valid().filter(table__in=[table for table, _ in shared]).values_list("table", "seed")
    for key in counted:
        siblings[key] = siblings.get(key, 0) + 1
    here: dict[tuple[int, int], int] = {}
    for match in originals:
        here[match.table_id, match.seed] = here.get((match.table_id, match.seed), 0) + 1
    drawn = {match.seed: draw.any_seed() for match in originals}
    return {
        match.pk: drawn[match.seed]
        for match in originals
        if (key := (match.table_id, match.seed)) not in shared or here[key] == siblings[key]
    }


def _same_seat(seat: MatchSeat, match: Match, active: dict[int, int]) -> MatchSeat:
    version = active.get(seat.team_id, seat.submission_id) if seat.team_id is not None else None
    return MatchSeat(match=match, index=seat.index, team_id=seat.team_id, submission_id=version, house=seat.house)


def _terms(*, other_deals: bool, newest: bool) -> str:
    which = "other" if other_deals else "the same"
    return f"on {which} deals, with {'everybody’s active version' if newest else 'the original versions'}"
