"""Playing a match, from the queue to its one result.

    queued → running → done
       ↑________|              the machinery failed or the worker was lost: counted, never a bot's fault.
                               The third time, and each time after that, the organisers are asked first

The claim is a conditional UPDATE that writes the worker, the attempt and a lease. A thread renews the lease during the
match. One transaction writes the result, the record, the bots' logs, the tallies and the ratings (writing.py). It looks
for the attempt first, and its UPDATE names it, so a worker that is late changes nothing.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime, timedelta
from functools import partial
from time import monotonic

from billiard.process import current_process
from django.conf import settings
from django.db import transaction
from django.db.models import Prefetch, prefetch_related_objects

from contest.ledger import hold
from contest.models import Contest
from games import referee
from games.engine import Event
from games.players import PROTOCOLS, HousePlayer, Seated
from games.programs import pinned
from submissions import build, clock
from submissions.lease import Lease, LeaseLost, Outcome, Retries, requeue_lost, worker_name, working_on
from submissions.sandbox import Limits
from tournaments.kinds import following
from tournaments.models import Match, MatchSeat, Stage
from tournaments.models.matches import MatchQuerySet
from tournaments.playing import batches, broadcast, turns, writing
from tournaments.playing.batches import Batch
from tournaments.seating import player_numbers, short

logger = logging.getLogger(__name__)

State = Match.State
LEASE = timedelta(seconds=settings.MATCH_LEASE)
RETRIES = Retries(timedelta(seconds=10), timedelta(minutes=15), factor=90)
MOST_FAILURES = 3
"""With so many, a match is not played again until an organiser says so: nothing is replayed without end. The pause
before the last try outlasts an outage of ten minutes."""


# The worker's steps ---------------------------------------------------------------------------------------------------


def play_next(worker: str = "") -> Match | None:
    """Play the next match that is due, or several short ones. Returns the last; None if there is none."""
    claimed = claim_next(worker or worker_name())
    if len(claimed) == 1:
        _play(claimed[0])
    elif claimed:
        Batch(claimed, _outcome, _write, lambda rest: give_back(rest[0].worker, [match.pk for match in rest])).run()
    return claimed[-1] if claimed else None


def play_match(match_id: int, worker: str = "") -> Match | None:
    """Play a queued match. None if it cannot be claimed, so calling this twice or at any time is safe."""
    claimed = claim(match_id, worker or worker_name())
    if claimed is not None:
        _play(claimed)
    return claimed


def _play(claimed: Match) -> None:
    with safely(claimed) as outcome:
        finish(claimed, _refereed(claimed))
    if outcome.done and not claimed.pending:
        following.follow_results([claimed])


def _outcome(claimed: Match) -> referee.Match | None:
    """The match, played. None if that failed, and it was requeued."""
    with safely(claimed):
        return _refereed(claimed)
    return None


def _refereed(claimed: Match) -> referee.Match:
    """The match, played with its lease renewed."""
    with broadcast.of(claimed) as told, ExitStack() as stack:
        lease = stack.enter_context(Lease(Match.objects.held_by(claimed), length=LEASE, every=LEASE / 4))
        began = monotonic()
        played = referee_match(claimed, lease, told.tell)
        short.learn(claimed.stage_id, monotonic() - began)
        return played


def _write(results: Sequence[writing.Result]) -> None:
    """Write results of a contest together or, if that fails, one by one, so that none costs the others theirs."""
    try:
        done = writing.write(results)
    except Exception:
        logger.exception("%d results cannot be written at once", len(results))
        done = []
        for it in results:
            with safely(it.claimed) as outcome:
                if not writing.write([it]):
                    raise LeaseLost from None
            if outcome.done:
                done.append(it.claimed)
    if counted := [match for match in done if not match.pending]:
        following.follow_results(counted)


def safely(claimed: Match) -> AbstractContextManager[Outcome]:
    """A context for work on a claimed match: if anything fails, the match is requeued."""
    return working_on(claimed, partial(put_back, claimed))


def claim(match_id: int, worker: str, now: datetime | None = None) -> Match | None:
    """Claim a queued match. None if it is not claimable (any more)."""
    return next(iter(claim_all([match_id], worker, now)), None)


def claim_next(worker: str, now: datetime | None = None) -> list[Match]:
    """Claim the next match that is due for workers, or several short ones of one contest. Empty if there is none.

    The contest is chosen first, and its matches once it is held, so claims do not get in each other's way.
    """
    now = now or clock.now()
    for turn in turns.turns(now):
        with transaction.atomic():
            contest = hold(turn.contest)
            chosen = batches.chosen(turns.due(turn, now, batches.AHEAD))
            if not chosen:
                continue
            claimed = turns.take([it.pk for it in chosen], worker, now, now + LEASE)
            contest.touch(hidden=contest.is_frozen(now) or all(it.hidden for it in chosen))
        _load(contest, claimed)
        return claimed
    return []


def _load(contest: Contest, claimed: Sequence[Match]) -> None:
    """Give claimed matches of a stage everything that playing and writing them needs."""
    stage = Stage.objects.get(pk=claimed[0].stage_id)
    numbers = player_numbers.team_numbers(contest)
    for match in claimed:
        match.stage, match.team_numbers = stage, numbers
        match.contest = stage.contest = contest
    if stage.release == Stage.Release.ROUNDS:
        prefetch_related_objects(claimed, "table")
    _load_seats(claimed)


@transaction.atomic
def claim_all(match_ids: Collection[int], worker: str, now: datetime | None = None) -> list[Match]:
    """Claim those of many queued matches that are claimable, at once, for a server that plays a hundred of them."""
    now = now or clock.now()
    due = Match.objects.claimable(now).filter(pk__in=match_ids).order_by()
    contests = [hold(pk) for pk in sorted(set(due.values_list("contest", flat=True)))]
    # A claimer also holds the contest, so from here on nobody else takes one of these.
    free = sorted(due.filter(contest__in=contests).values_list("pk", flat=True))
    claimed = turns.take(free, worker, now, now + LEASE) if free else []
    prefetch_related_objects(claimed, "stage", "table")
    for contest in contests:
        own = [match for match in claimed if match.contest_id == contest.pk]
        for match in own:
            match.contest = match.stage.contest = contest
        contest.touch(hidden=all(match.is_withheld(contest) for match in own))
    return claimed


def referee_match(claimed: Match, lease: Lease, on_event: Callable[[Event], None] | None = None) -> referee.Match:
    """Play the match with the real bots. Raises MachineryError, or LeaseLost once the claim is known to be lost."""

    def check(_: int = 0) -> None:
        lease.check()

    try:
        # The processes of a jail stay on the core of its creator. Without `pinned`, every wake-up would cross cores.
        with pinned(my_core()), ExitStack() as stack:
            ready = prepared(claimed, partial(seated, match=claimed, stack=stack))
            check()
            played = ready(on_progress=check, on_event=on_event)
    except Exception:
        check()  # whatever a killed bot has led to
        raise
    check()
    return played


def prepared(claimed: Match, seat_player: Callable[[MatchSeat, int], Seated]) -> Callable[..., referee.Match]:
    """The match with all players seated, to be called with `on_progress` and `on_event`. It makes no further queries.

    `seat_player` creates the player of a seat, given the number by which bots know it.
    """
    contest = claimed.contest
    seats = seats_of(claimed)
    teams = claimed.team_numbers or player_numbers.team_numbers(contest)
    numbers = player_numbers.numbers(claimed.stage, seats, teams)
    return partial(
        referee.play,
        contest.game,
        [seat_player(seat, numbers[seat.index]) for seat in seats],
        seed=claimed.seed,
        options=claimed.options,
        preset=contest.preset,
        games=claimed.stage.options.get("games"),
        openings=claimed.openings or None,
        entrants=len(teams) + contest.game.seats[1] - 1,
        match=told_number(claimed),
    )


TRIES_APART = 1_000_003


def told_number(claimed: Match) -> int:
    """The number by which bots know the match. Each attempt has its own, since bots must never see a game twice."""
    return claimed.pk + TRIES_APART * (claimed.attempt - 1)


def seats_of(match: Match) -> list[MatchSeat]:
    """Its seats with what their players need. They are loaded once."""
    _load_seats([match])
    return list(match.seats.all())


PLAYED_WITH = (
    *(field.name for field in MatchSeat._meta.concrete_fields),
    *("team__name", "team__contest", "submission__team", "submission__language", "submission__filename"),
    *("submission__arguments", "submission__artifact__key", "submission__artifact__created_at"),
)


def _load_seats(matches: Sequence[Match]) -> None:
    seats = MatchSeat.objects.select_related("team", "submission__artifact").only(*PLAYED_WITH)
    prefetch_related_objects(matches, Prefetch("seats", seats))
    for match in matches:
        match.players = list(match.seats.all())
        for seat in match.players:
            if seat.team is not None:
                seat.team.contest = match.contest
                if seat.submission is not None:
                    seat.submission.team = seat.team


def seated(seat: MatchSeat, number: int = 0, *, match: Match, stack: ExitStack) -> Seated:
    """A player of the match: a team's pinned version in its own jail, until the stack ends, or a house player.

    `number` identifies it to the bots."""
    game = match.contest.game
    if seat.submission is None:
        return Seated(seat.name, f"house:{seat.house}", HousePlayer(game.house_player(seat.house)), number)
    limits = Limits(memory_bytes=match.limits["memory_mb"] * build.MEGABYTE)
    program = stack.enter_context(build.open_bot(seat.submission, limits))
    participant = PROTOCOLS[game.protocol](program, startup=match.limits["startup_seconds"])
    return Seated(seat.name, seat.submission.filename, participant, number)


def my_core() -> int:
    """A core for this process: each worker of a pool gets its own, if there are enough."""
    cores = sorted(os.sched_getaffinity(0))
    number = getattr(current_process(), "index", None)  # within the pool
    return cores[(os.getpid() if number is None else number) % len(cores)]


# The result -----------------------------------------------------------------------------------------------------------


def finish(claimed: Match, played: referee.Match) -> None:
    """Write the complete outcome of a match, once. Raises LeaseLost without writing anything."""
    if not writing.write([writing.Result(claimed, played)]):
        raise LeaseLost


# Requeuing ------------------------------------------------------------------------------------------------------------


def put_back(claimed: Match, error: str, now: datetime | None = None) -> bool:
    """Requeue after a failure of the machinery, with a pause that grows. False: it is not ours."""
    now = now or clock.now()
    return _requeue(claimed, error, due_at=RETRIES.after_failure(claimed.failures, now))


@transaction.atomic
def give_back(worker: str, matches: Collection[int]) -> int:
    """Requeue the matches of a worker that must stop: due at once, no failure. Returns how many it still held."""
    held = Match.objects.filter(pk__in=matches, worker=worker, state=State.RUNNING)
    for contest_id in sorted(set(held.values_list("contest", flat=True))):
        contest = hold(contest_id)
        contest.touch(hidden=contest.is_frozen())
    return held.give_back(due_at=clock.now(), worker="")


def requeue_abandoned(now: datetime) -> int:
    """Requeue matches of workers that have not renewed their lease. Returns how many."""
    return requeue_from_lost_workers(Match.objects.abandoned(now), now, expired_at=now)


def requeue_from_lost_workers(matches: MatchQuerySet, now: datetime, expired_at: datetime | None = None) -> int:
    """Requeue these matches of a lost worker. With `expired_at`, only those whose lease ended before it."""
    requeue = partial(_requeue, expired_at=expired_at)
    return requeue_lost(matches.select_related("contest"), RETRIES, now, requeue)


def _requeue(match: Match, error: str, due_at: datetime, expired_at: datetime | None = None) -> bool:
    held = Match.objects.held_by(match)
    if expired_at is not None:
        held = held.filter(lease_until__lt=expired_at)
    with transaction.atomic():
        contest = hold(match.contest_id)
        done = held.put_back(error, due_at if match.failures + 1 < MOST_FAILURES else None)
        if done:
            match.stage.refresh_from_db(fields=["release", "released"])  # its round may have been released since
            contest.touch(hidden=match.is_withheld(contest))
    return bool(done)
