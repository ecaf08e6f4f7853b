"""Placements on the queue of practice: a new version plays the ladder of house players until its place is known.

The tick begins one for the newest version of a team. Their games come after all that anybody has ordered, a team has
one at a time, and a newer version takes over. Duels count in the order of their numbers, batch by batch, so the result
does not depend on which worker is first.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from typing import TypedDict

from django.db import transaction
from django.db.models import Count, Exists, OuterRef

import games
from contest.models import Contest, Team
from contest.models.contests import ContestQuerySet, TeamQuerySet
from games import duels, ladder
from games.costly import costliest
from games.ladder import Rung
from games.pairs import seed_of
from games.phrases import counted
from submissions.models import Submission
from tournaments.models import Placement, PracticeGame, PracticeOrder, PracticeRecord
from tournaments.practice import queue, quotas, rights
from tournaments.practice.queue import Wanted, WantedGame
from tournaments.seating.draw import any_seed, limits_of

MOST_DUELS = 40  # two games each
MOST_LOST = 5  # duels on which the portal failed, after which the placement is given up
MOST_AN_HOUR = 3  # placements of a team
FRESH = timedelta(hours=24)  # versions that became ready before that are not placed any more
AT_ONCE = 20  # begun in one tick
HANDS = 5

State, GameState = PracticeOrder.State, PracticeGame.State
KIND = PracticeOrder.Kind.PLACEMENT


class Hand(TypedDict):
    """A hand that cost the version points, by what the rung took with the same cards."""

    game: int  # the number of the practice game in which the version held it
    mirror: int  # and of that in which the rung did
    rung: str
    deal: int  # the game of the match, from 1
    hand: int
    index: int  # of its first event
    seat: int
    mine: float
    theirs: float
    loss: float


@cache
def laddered() -> tuple[str, ...]:
    """The games whose house players have ratings."""
    return tuple(slug for slug, game in games.GAMES.items() if len(ladder.rungs(game)) > 1)


# Begin ----------------------------------------------------------------------------------------------------------------


def begin(now: datetime) -> int:
    """Begin placements of versions that have become ready. Returns how many. Those that `place` would refuse are not
    even looked at: they stay for a day, and AT_ONCE of them would keep all others waiting."""
    newer = Submission.objects.ready().filter(team=OuterRef("team"), number__gt=OuterRef("number"))
    found = (
        Submission.objects.ready()
        .without_source()
        .filter(
            finished_at__gt=now - FRESH,
            placement__isnull=True,
            team__contest__places_versions=True,
            team__contest__game_slug__in=laddered(),
            team__in=rights.teams_that_may(now),
        )
    )
    found = found.exclude(Exists(newer)).exclude(team__in=_had_their_share(now))
    found = found.exclude(team__contest__in=_with_many_waiting())
    oldest = found.select_related("team__contest").order_by("finished_at")[:AT_ONCE]
    return sum(place(version, now) for version in oldest)


def _had_their_share(now: datetime) -> TeamQuerySet:
    """Teams that have had all placements of an hour."""
    recent = PracticeOrder.objects.filter(kind=KIND, made_at__gt=now - quotas.HOUR).order_by().values("team")
    full = recent.annotate(count=Count("pk")).filter(count__gte=MOST_AN_HOUR)
    return Team.objects.filter(pk__in=full.values("team"))


def _with_many_waiting() -> ContestQuerySet:
    """Contests in which so many games of practice wait that none are added."""
    waiting = PracticeGame.objects.open().order_by().values("order__contest")
    full = waiting.annotate(count=Count("pk")).filter(count__gte=quotas.MOST_WAITING)
    return Contest.objects.filter(pk__in=full.values("order__contest"))


@transaction.atomic
def place(version: Submission, now: datetime) -> bool:
    """Begin the placement of a version. False if that cannot be done now."""
    team = quotas.hold(version.team)
    before = PracticeOrder.objects.filter(team=team, kind=KIND)
    waiting = PracticeGame.objects.open().filter(order__contest=team.contest_id).count()
    if (
        rights.why_not(team, now)
        or Placement.objects.filter(submission=version).exists()
        or before.filter(made_at__gt=now - quotas.HOUR).count() >= MOST_AN_HOUR
        or waiting >= quotas.MOST_WAITING
    ):
        return False
    for pk in before.open().values_list("pk", flat=True):
        queue.end(queue.hold(pk), State.CANCELLED, f"Version {version.number} is ready and is placed instead.", now)
    contest = team.contest
    order = PracticeOrder(
        contest=contest,
        team=team,
        kind=KIND,
        made_at=now,
        seed=any_seed(),
        wanted=2 * MOST_DUELS,
        options={**contest.full_options(), **contest.game.duel_options},
        limits=limits_of(contest),
        due_at=now,
    )
    rungs = ladder.rungs(contest.game)
    queue.open_order(order, [Wanted(version), *(Wanted(house=rung.name) for rung in rungs)], [])
    placement = Placement.objects.create(order=order, submission=version)
    queue.add_games(order, _batch(placement, rungs))
    queue.wake_on_commit()
    return True


def _batch(placement: Placement, rungs: tuple[Rung, ...]) -> list[WantedGame]:
    """The games of the next duels. Player 0 is the version, player n the rung of that number."""
    game, done = placement.order.contest.game, len(placement.duels) + placement.lost
    names = [rung.name for rung in rungs]
    found = []
    met = [(name, won) for name, won in placement.duels]
    for number, name in enumerate(ladder.batch(rungs, met)[: MOST_DUELS - done], done + 1):
        rung = names.index(name) + 1
        for seating in duels.mirrored(game, number):
            lineup = [rung if who else 0 for who in seating]
            own = 0 if 0 in lineup else rung
            found.append(WantedGame(lineup, seed_of(placement.order.seed or 0, number), own=own))
    return found


# After every game -----------------------------------------------------------------------------------------------------


def count_duels(order: PracticeOrder) -> None:
    """What follows after a game of a placement, with the order held: it is over, or goes on with the next batch."""
    placement = Placement.objects.get(pk=order.pk)
    placement.order = order
    rungs = ladder.rungs(order.contest.game)
    if _count(placement):
        if placement.duels:
            found = ladder.estimate(rungs, [(name, won) for name, won in placement.duels])
            placement.rating, placement.error = found.rating, found.error
        placement.save()
    done = len(placement.duels) + placement.lost
    if placement.lost >= MOST_LOST:
        queue.end(order, State.FAILED, f"The portal failed on {counted(placement.lost, 'deal')}.")
    elif done >= MOST_DUELS or is_decided(placement):
        queue.end(order, State.DONE)
    elif not order.games.open().exists():
        queue.add_games(order, _batch(placement, rungs))


def is_decided(placement: Placement) -> bool:
    """Whether its place is known well enough."""
    if placement.rating is None or placement.error is None:
        return False
    return ladder.is_decided(ladder.Estimate(placement.rating, placement.error), len(placement.duels))


def _count(placement: Placement) -> int:
    """Count the duels whose games are both over, up to the first that is not. Returns how many."""
    done = len(placement.duels) + placement.lost
    ended = placement.order.games.filter(number__gt=2 * done, state__in=(GameState.DONE, GameState.FAILED))
    over = {game.number: game for game in ended}
    count = 0
    while 2 * (done + count) + 1 in over and 2 * (done + count) + 2 in over:
        count += 1
        _count_duel(placement, over[2 * (done + count) - 1], over[2 * (done + count)])
    return count


def _count_duel(placement: Placement, one: PracticeGame, other: PracticeGame) -> None:
    game = placement.order.contest.game
    kept = {it.game_id: it.loaded() for it in PracticeRecord.objects.filter(game__in=(one, other))}
    if len(kept) < 2:  # the portal failed on one
        placement.lost += 1
        return
    pair = (one, other)
    records = [kept[each.pk] for each in pair]
    seatings = [[int(number != 0) for number in each.lineup] for each in pair]
    rung = placement.order.players.get(number=max(*one.lineup, *other.lineup)).house
    placement.duels.append([rung, duels.won(game, seatings, records)])
    ours = [[not who for who in seating] for seating in seatings]
    if found := costliest(game, records, ours):
        here, hand = found
        kept_hand: Hand = {
            "game": pair[here].number,
            "mirror": pair[1 - here].number,
            "rung": rung,
            "deal": hand.game,
            "hand": hand.hand,
            "index": hand.index,
            "seat": hand.seat,
            "mine": hand.mine,
            "theirs": hand.theirs,
            "loss": hand.loss,
        }
        placement.hands = sorted([*placement.hands, kept_hand], key=lambda each: -each["loss"])[:HANDS]
