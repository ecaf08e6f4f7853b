"""Trials on the queue of practice: order one, and count its pairs until the test has decided (docs/trials.md).

The decision falls in the transaction that stores the deciding game. Pairs count in the order of their numbers, however
many workers play them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from contest.models import Team, User
from contest.refusal import Refused
from games.engine import Game, OptionError
from games.pairs import Measure, fork, reach_of, seats_of, seed_of, worth
from games.phrases import counted
from games.trial import Design, Step, steps
from tournaments.models import PracticeGame, PracticeOrder, PracticeRecord, Trial, TrialPair
from tournaments.practice import orders, queue, rights
from tournaments.practice.queue import Wanted, WantedGame
from tournaments.seating.draw import any_seed, limits_of

MOST_PAIRS = 500
USUAL_PAIRS = 100
AHEAD = 8  # pairs in the queue beyond those that count: enough for every worker, and few are wasted
MOST_LOST = 5  # pairs on which the portal failed, after which the trial is given up

GameState = PracticeGame.State


@dataclass(frozen=True, slots=True)
class Question:
    """What a team asks. Versions by their numbers, opponents by their keys as in an order of practice."""

    new: int
    old: int
    low: float
    high: float
    cap: int = USUAL_PAIRS
    measure: Measure = Measure.POINTS
    opponents: tuple[str, ...] = ()
    seed: int | None = None


@transaction.atomic
def place(team: Team, by: User | None, question: Question, now: datetime | None = None) -> Trial:
    """Order a trial. Raises Refused."""
    now = now or timezone.now()
    team = rights.hold(team)
    if why := rights.why_not(team, now):
        raise Refused(why)
    contest = team.contest
    design = design_of(contest.game, question)
    versions = [orders.version_of(team, number) for number in (question.new, question.old)]
    if versions[0] == versions[1]:
        raise Refused("Choose two different versions.")
    opponents = [orders.opponent(team, key) for key in orders.seats_filled(contest.game, question.opponents)]
    rights.check(team, 2 * design.cap, now)
    order = PracticeOrder(
        contest=contest,
        team=team,
        kind=PracticeOrder.Kind.TRIAL,
        made_by=by,
        made_at=now,
        seed=any_seed() if question.seed is None else question.seed,
        wanted=2 * design.cap,
        options=contest.full_options(),
        limits=limits_of(contest),
        due_at=now,
    )
    players = [*(Wanted(version) for version in versions), *opponents]
    queue.open_order(order, players, wanted_games(order, len(opponents), 1, min(AHEAD, design.cap)))
    trial = Trial.objects.create(
        order=order, measure=question.measure.value, low=design.low, high=design.high, cap=design.cap
    )
    queue.wake_on_commit()
    return trial


def design_of(game: Game, question: Question) -> Design:
    """The test. Raises Refused."""
    if question.cap > MOST_PAIRS:
        raise Refused(f"A trial has at most {MOST_PAIRS} pairs here.")
    try:
        return Design(question.low, question.high, question.cap, reach_of(game, question.measure, 1))
    except OptionError as error:
        text = str(error)
        raise Refused(f"{text[0].upper()}{text[1:]}.") from None


def wanted_games(order: PracticeOrder, opponents: int, first: int, last: int) -> list[WantedGame]:
    """Both games of the pairs of these numbers. Players 0 and 1 are the versions, those from 2 on the opponents."""
    found = []
    for number in range(first, last + 1):
        seats = seats_of(number, opponents + 1)
        for version in (0, 1):
            lineup = [version if each == 0 else each + 1 for each in seats]
            found.append(WantedGame(lineup, seed_of(order.seed or 0, number), own=version))
    return found


# After every game -----------------------------------------------------------------------------------------------------


def count_pairs(order: PracticeOrder) -> None:
    """What follows after a game of a trial, with the order held: pairs are stored, and the trial ends or goes on."""
    trial = Trial.objects.get(pk=order.pk)
    trial.order = order
    if not _store(trial):
        return
    rows = list(_in_order(trial.pairs.all()))
    step = step_of(trial, rows)
    if step is not None:
        trial.counted, trial.difference, trial.ratio, trial.margin = step.pairs, step.mean, step.ratio, step.margin
        trial.decision = step.decision.value if step.decision else ""
        trial.save()
    lost = sum(row.difference is None for row in rows)
    if trial.decision:
        queue.end(order, PracticeOrder.State.DONE)
    elif lost >= MOST_LOST:
        queue.end(order, PracticeOrder.State.FAILED, f"The portal failed on {counted(lost, 'pair')}.")
    else:
        _go_on(trial, len(rows), lost)


def _store(trial: Trial) -> bool:
    """Store the pairs whose games are both over. Returns whether there were any."""
    stored = set(trial.pairs.values_list("number", flat=True))
    complete = next(number for number in range(len(stored) + 1) if number + 1 not in stored)
    ended = trial.order.games.filter(number__gt=2 * complete, state__in=(GameState.DONE, GameState.FAILED))
    games = {game.number: game for game in ended}
    numbers = (number for number in range(complete + 1, max(games, default=0) // 2 + 1) if number not in stored)
    found = [
        _pair(trial, games[2 * number - 1], games[2 * number])
        for number in numbers
        if 2 * number - 1 in games and 2 * number in games
    ]
    TrialPair.objects.bulk_create(found)
    return bool(found)


def _pair(trial: Trial, new: PracticeGame, old: PracticeGame) -> TrialPair:
    pair = TrialPair(trial=trial, number=old.number // 2)
    game, measure = trial.order.contest.game, Measure(trial.measure)
    records = {it.game_id: it.loaded() for it in PracticeRecord.objects.filter(game__in=(new, old))}
    if len(records) < 2:  # the portal failed on one
        return pair
    ours, theirs = records[new.pk], records[old.pk]
    pair.new, pair.old = worth(game, ours, new.index, measure, 1), worth(game, theirs, old.index, measure, 1)
    if where := fork(game, ours, theirs):
        player = None if where.player is None else new.lineup[where.player]
        pair.fork = {"index": where.index, "player": player, "new": where.new, "old": where.old}
    return pair


def _in_order(pairs: Iterable[TrialPair]) -> Iterable[TrialPair]:
    """The pairs from the first one on, up to the first that is missing."""
    for number, pair in enumerate(pairs, 1):
        if pair.number != number:
            return
        yield pair


def counting(trial: Trial, pairs: Iterable[TrialPair]) -> list[tuple[TrialPair, float]]:
    """The pairs that count, with their differences, in their order. `pairs`: all that are stored, by number."""
    found = [(pair, pair.difference) for pair in _in_order(pairs)]
    known = [(pair, difference) for pair, difference in found if difference is not None]
    return known[: trial.counted] if trial.decision else known


def step_of(trial: Trial, pairs: Iterable[TrialPair]) -> Step | None:
    """What is known after these pairs; None if none counts."""
    found = list(steps(trial.design, [difference for _, difference in counting(trial, pairs)]))
    return found[-1] if found else None


def _go_on(trial: Trial, complete: int, lost: int) -> None:
    """Keep the queue filled."""
    order = trial.order
    there = (order.games.order_by("-number").values_list("number", flat=True).first() or 0) // 2
    last = min(complete + AHEAD, trial.cap + lost)
    if last > there:
        queue.add_games(order, wanted_games(order, order.players.count() - 2, there + 1, last))
