"""A worker plays the next practice game. Like a match, it is claimed with a lease and its outcome is written once."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime, timedelta
from enum import Enum
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from games import record as records
from games import referee
from games.players import PROTOCOLS, HousePlayer, Seated
from games.programs import pinned
from submissions import build, clock
from submissions.able import left_to_others
from submissions.lease import Lease, LeaseLost, Retries, requeue_lost, worker_name, working_on
from submissions.sandbox import Limits
from tournaments.kinds import scores
from tournaments.models import MatchSeat, PracticeGame, PracticeOrder, PracticePlayer, PracticeRecord
from tournaments.playing.play import my_core
from tournaments.playing.watch import Watch, Yielded
from tournaments.practice import from_here, orders, queue, rights, trials
from tournaments.practice.queue import GameState
from tournaments.seating import queue as matches_queue

Kind = PracticeOrder.Kind

AFTER: dict[str, Callable[[PracticeOrder], None]] = {
    Kind.PRACTICE: queue.settle,
    Kind.TRIAL: trials.count_pairs,
    Kind.FROM_HERE: queue.settle,
}
"""By kind: called with the order held, in the transaction that has just written what became of a game. It may add
games (`queue.add_games`), and ends the order when it is over (`queue.end`)."""


def after(order: PracticeOrder) -> None:
    if order.is_open:
        AFTER[order.kind](order)


logger = logging.getLogger(__name__)

RETRIES = Retries(timedelta(seconds=5), timedelta(minutes=1))
MOST_FAILURES = 4  # of the portal, after which a game is given up
RIVAL = "bot"  # in place of the file name of another team's bot, which is none of this team's business
ORDERS_TRIED = 20  # before a worker looks at matches again


class Turn(Enum):
    NOTHING = "nothing to play"
    PLAYED = "played"
    YIELDED = "gave way"  # to a match or a rehearsal


def play_next(worker: str = "") -> Turn:
    """Play the next game of the team whose turn it is."""
    claimed = claim_next(worker or worker_name(), clock.now())
    return Turn.NOTHING if claimed is None else play_game(claimed)


def claim_next(worker: str, now: datetime) -> PracticeGame | None:
    due = PracticeOrder.objects.due(now).taking_turns().select_related("contest", "team__contest")
    others = left_to_others(matches_queue.QUEUE).languages
    for order in due.prefetch_related(orders.with_players())[:ORDERS_TRIED]:
        if others & {player.submission.language for player in order.players.all() if player.submission}:
            continue
        if orders.is_ready(order, now) and (claimed := queue.claim(order, worker, now)) is not None:
            return claimed
    return None


def play_game(claimed: PracticeGame) -> Turn:
    """Play a game that was claimed."""
    held = PracticeGame.objects.held_by(claimed)
    with (
        working_on(claimed, partial(put_back, claimed)),
        Lease(held, length=queue.LEASE, every=queue.LEASE / 4) as lease,
        Watch(claimed) as watch,
    ):
        try:
            played = referee_game(claimed, watch, lease)
        except Yielded:
            queue.give_back(claimed)
            return Turn.YIELDED
        if isinstance(played, referee.Match):
            finish(claimed, played)
        elif played.match is None:
            from_here.finish(claimed, played.answer)
        else:
            finish(claimed, played.match, answer=played.answer)
    return Turn.PLAYED


def referee_game(claimed: PracticeGame, watch: Watch, lease: Lease) -> referee.Match | from_here.Played:
    """Play the game with the real bots. Raises Yielded, LeaseLost or MachineryError."""

    def check(decisions: int = 0) -> None:
        watch.check()
        lease.check()

    try:
        with pinned(my_core()), ExitStack() as stack:
            seats = []
            for player in lineup_of(claimed):
                check()
                seats.append(seated(player, claimed.order, stack, watch))
            played = prepared(claimed, seats)(on_progress=check)
    except Exception:
        watch.check()  # whatever a killed bot has led to
        raise
    check()
    return played


def lineup_of(game: PracticeGame) -> list[PracticePlayer]:
    """Its players in the order of the record's seats."""
    players = {player.number: player for player in game.order.players.all()}
    return [players[number] for number in game.lineup]


def prepared(game: PracticeGame, seats: list[Seated]) -> Callable[..., referee.Match | from_here.Played]:
    """The game with these players, to be called with `on_progress`."""
    contest = game.order.contest
    if game.order.kind == PracticeOrder.Kind.FROM_HERE:
        return from_here.prepared(game, seats)
    return partial(
        referee.play,
        contest.game,
        seats,
        seed=game.seed,
        options=game.order.options,
        preset=contest.preset,
        games=1,
        openings=[game.opening] if game.opening else None,
        packs=[] if game.packs is None else [game.packs],
    )


def seated(player: PracticePlayer, order: PracticeOrder, stack: ExitStack, watch: Watch) -> Seated:
    """A player at the table: a pinned version in its own jail, until the stack ends, or a house player."""
    game = order.contest.game
    if player.submission is None:
        return Seated(player.name, f"house:{player.house}", HousePlayer(game.house_player(player.house)))
    limits = Limits(memory_bytes=order.limits["memory_mb"] * build.MEGABYTE)
    jail = stack.enter_context(build.open_bot(player.submission, limits))
    watch.guard(jail)
    participant = PROTOCOLS[game.protocol](jail, startup=order.limits["startup_seconds"])
    return Seated(player.name, player.submission.filename if player.is_own else RIVAL, participant)


# What came of it ------------------------------------------------------------------------------------------------------


@transaction.atomic
def finish(
    claimed: PracticeGame, played: referee.Match, now: datetime | None = None, answer: dict[str, Any] | None = None
) -> None:
    """Write the outcome of a game, once, and the `answer` of one that began at a position. Raises LeaseLost without
    writing anything."""
    order = queue.hold(claimed.order_id)
    values = {"state": GameState.DONE, "finished_at": now or timezone.now(), "lease_until": None, "last_error": ""}
    values |= outcome(claimed, played)
    if not PracticeGame.objects.held_by(claimed).update(**values):
        raise LeaseLost
    for name, value in values.items():
        setattr(claimed, name, value)
    own = {
        index: [(piece.index, piece.text) for piece in played.debug[index]]
        for index, player in enumerate(lineup_of(claimed))
        if player.is_own and played.debug[index]
    }
    PracticeRecord.of(claimed, records.dumps(played.record), own).save()
    if answer is not None:
        from_here.keep(order, answer)
    after(order)


def outcome(game: PracticeGame, played: referee.Match) -> dict[str, object]:
    """The columns of the game about what came of it."""
    rules, players = game.order.contest.game, lineup_of(game)
    seats = [MatchSeat(index=index, team=player.team, house=player.house) for index, player in enumerate(players)]
    scores.fill(rules, seats, played)
    for seat, player in zip(seats, players, strict=True):
        seat.own_name = "" if seat.own_name == player.name else seat.own_name
    own = seats[game.index]
    firsts = sum(seat.place == 1 for seat in seats)
    if len(seats) > 1:
        won = 1 / firsts if own.place == 1 else 0.0
    else:
        won = float(not rules.failed(played.record["result"], played.record["events"]))
    return {
        "points": own.counted,
        "place": own.place,
        "won": won,
        "faults": own.faults,
        "results": [{name: getattr(seat, name) for name in scores.WRITTEN} for seat in seats],
    }


# Requeuing ------------------------------------------------------------------------------------------------------------


def put_back(claimed: PracticeGame, error: str, due_at: datetime | None = None) -> bool:
    """Return a game to the queue after a failure of the portal, or give it up after several. False: it is not ours."""
    due_at = due_at or RETRIES.after_failure(claimed.failures, clock.now())
    held = PracticeGame.objects.held_by(claimed)
    if claimed.failures + 1 < MOST_FAILURES:
        return bool(held.put_back(error, due_at))
    with transaction.atomic():
        order = queue.hold(claimed.order_id)
        if not held.put_back(error, due_at):
            return False
        given_up = PracticeGame.objects.filter(pk=claimed.pk)
        given_up.update(state=GameState.FAILED, finished_at=timezone.now())
        after(order)
    return True


def requeue_abandoned(now: datetime) -> int:
    """Requeue games of workers that have not renewed their lease. Returns how many."""

    def requeue(game: PracticeGame, error: str, due_at: datetime) -> bool:
        still = PracticeGame.objects.abandoned(now).filter(pk=game.pk, attempt=game.attempt).exists()
        return still and put_back(game, error, due_at)

    return requeue_lost(PracticeGame.objects.abandoned(now), RETRIES, now, requeue)


RECORDS_KEPT = timedelta(days=14)
ORDERS_KEPT = timedelta(days=90)
PRUNED_AT_ONCE = 500  # records in one tick, and a tenth as many orders


def revive(now: datetime) -> None:
    requeue_abandoned(now)
    end_stopped(now)
    queue.wake(now)


def end_stopped(now: datetime) -> int:
    """End orders that may not go on: the contest has ended, practice was closed, an opponent has declined … Returns how
    many. The worker that plays a game of one drops it."""
    found = PracticeOrder.objects.open().select_related("contest", "team__contest")
    found = found.prefetch_related(orders.with_players())
    stopped = [(order, why) for order in found if (why := rights.why_over(order, now))]
    for order, why in stopped:
        orders.stop(order, why)
    return len(stopped)


def prune(now: datetime) -> int:
    """Delete old records, and older orders with all their games; some at a time. Returns how many rows."""
    ended = PracticeOrder.objects.filter(ended_at__lt=now - ORDERS_KEPT).order_by("pk").values_list("pk", flat=True)
    gone = PracticeOrder.objects.filter(pk__in=list(ended[: PRUNED_AT_ONCE // 10])).delete()[0]
    stale = PracticeRecord.objects.filter(made_at__lt=now - RECORDS_KEPT).order_by("pk").values_list("pk", flat=True)
    return gone + PracticeRecord.objects.filter(pk__in=list(stale[:PRUNED_AT_ONCE])).delete()[0]
