"""What teams ask for and do: order practice, cancel it; and what becomes of an order before a worker takes a game."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Prefetch
from django.utils import timezone

from contest import workers
from contest.models import Act, Team, User
from contest.refusal import Refused
from contest.words import number_in
from games.engine import Game
from games.phrases import counted, listed
from submissions.models import LONG_OF_SUBMISSION, Submission
from tournaments.models import Match, PracticeGame, PracticeOrder, PracticePlayer
from tournaments.practice import deals, queue, rights
from tournaments.practice.queue import Wanted, WantedGame
from tournaments.seating.draw import limits_of

REBUILD = "submissions.tasks.rebuild"
BUILD_PAUSE = timedelta(seconds=10)  # until it is looked whether a program has been built again
MOST_BUILDS = 30  # looks

State = PracticeOrder.State

PLAYERS = PracticePlayer.objects.select_related("team", "submission__team__contest", "submission__artifact").defer(
    *LONG_OF_SUBMISSION, "submission__artifact__data", "submission__artifact__log"
)
"""The players of orders with all that a game needs, without large columns."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a team asks for. `version`: its number; None for the newest one, also when a newer one becomes ready.

    `opponents` are keys: `house:NAME`, `version:NUMBER`, `team:ID`. With fewer than the game has seats they repeat, and
    without any the strongest house player plays. For the deals of a match (`again`) they are in the order of its seats,
    the team's own one (`seat`) left out.
    """

    version: int | None = None
    opponents: tuple[str, ...] = ()
    seat: int | None = None
    seed: int | None = None
    games: int = 10
    again: Match | None = None
    dealt: list[WantedGame] = field(default_factory=list)  # with `again`: its games (deals.of_record)


# Ordering -------------------------------------------------------------------------------------------------------------


@transaction.atomic
def place(team: Team, by: User | None, wish: Wish, now: datetime | None = None) -> PracticeOrder:
    """Order practice. Raises Refused."""
    return _place(rights.hold(team), by, wish, now or timezone.now())


def _place(team: Team, by: User | None, wish: Wish, now: datetime) -> PracticeOrder:
    """`team`: held."""
    if why := rights.why_not(team, now):
        raise Refused(why)
    contest = team.contest
    version = version_of(team, wish.version)
    least = len(wish.dealt[0].lineup) if wish.dealt else 0
    opponents = [opponent(team, key) for key in seats_filled(contest.game, wish.opponents, least)]
    players = [Wanted(version), *opponents]
    if wish.dealt:
        games = deals.for_team(wish.dealt[: rights.MOST_GAMES], wish.seat or 0)
    else:
        games = deals.dealt(contest.game, len(players), wish.games, seat=wish.seat, seed=wish.seed)
    rights.check(team, len(games), now)
    order = PracticeOrder(
        contest=contest,
        team=team,
        made_by=by,
        made_at=now,
        newest=wish.version is None,
        seat=wish.seat,
        seed=games[0].seed if wish.dealt else wish.seed,
        wanted=len(games),
        again=wish.again,
        options=wish.again.options if wish.again else contest.full_options(),
        limits=limits_of(contest),
        due_at=now,
    )
    queue.open_order(order, players, games)
    queue.wake_on_commit()
    return order


def newest_version(team: Team) -> Submission | None:
    """The newest version that is ready."""
    return team.submissions.ready().without_source().order_by("-number").first()


def version_of(team: Team, number: int | None) -> Submission:
    """The version that a team wants to practise with; None for the newest one. Raises Refused."""
    ready = team.submissions.ready().without_source()
    found = newest_version(team) if number is None else ready.filter(number=number).first()
    if found is None and number is None:
        raise Refused("Your team has no version that is ready. Upload a bot first.")
    if found is None:
        raise Refused(f"Your team has no version {number} that is ready.")
    return found


def seats_filled(game: Game, opponents: tuple[str, ...], least: int = 0) -> list[str]:
    """The opponents for all other seats: those that were named, repeated as needed, for `least` players or as many as
    the game needs. Raises Refused."""
    fewest, most = game.seats
    if len(opponents) > most - 1:
        raise Refused(f"{game.title} has room for {counted(most - 1, 'opponent')}, not {len(opponents)}.")
    named = opponents or (f"house:{game.house[-1].name}",) if fewest > 1 else ()
    count = max(fewest - 1, least - 1, len(opponents))
    return [named[index % len(named)] for index in range(count)]


def opponent(team: Team, key: str) -> Wanted:
    """The player that the key names: a version that the team may practise against now, or a house player. Raises
    Refused."""
    kind, _, name = key.partition(":")
    number = number_in(name)
    if kind == "house":
        known = [house.name for house in team.contest.game.house]
        if name not in known:
            raise Refused(f"There is no house player “{name[:40]}”. Choose {listed(known, 'or')}.")
        return Wanted(house=name)
    if kind == "version" and number is not None:
        return Wanted(version_of(team, number))
    if kind == "team" and number is not None and rights.opponents(team).filter(pk=number).exists():
        return Wanted(Submission.objects.active().without_source().get(team=number))
    if kind == "team":
        raise Refused(
            "Your team cannot practise against that team: it does not take part, has no uploaded bot, or does not "
            "accept practice, or the organisers do not allow it."
        )
    raise Refused(f"“{key[:40]}” is not an opponent. Write house:NAME, version:NUMBER or team:ID.")


@transaction.atomic
def cancel(order: PracticeOrder, by: User) -> None:
    """Stop an order, the game in progress too. What was played stays. Raises Refused."""
    held = queue.hold(order)
    own = by.memberships.filter(team=held.team_id).exists()
    if not queue.end(held, State.CANCELLED, "" if own else "The organisers cancelled it."):
        raise Refused("This order is already over.")
    if not own:
        Act.record(held.contest, by, "cancel practice", held, team=held.team_id)


@transaction.atomic
def set_acceptance(team: Team, by: User, accepts: bool) -> None:
    """Let other teams practise against this one, or not any more: orders against it end."""
    team = rights.hold(team)
    if team.accepts_practice == accepts:
        return
    Team.objects.filter(pk=team.pk).update(accepts_practice=accepts)
    verb = "accept practice" if accepts else "decline practice"
    Act.record(team.contest, by, verb, team.name, team=team.pk)


def games_against(team: Team) -> int:
    """How many games other teams have played against this one."""
    played = PracticeGame.objects.done().filter(order__players__team=team).exclude(team=team)
    return played.distinct().count()


# Before a worker takes a game -----------------------------------------------------------------------------------------


def with_players() -> Prefetch:
    return Prefetch("players", PLAYERS)


def is_ready(order: PracticeOrder, now: datetime) -> bool:
    """Whether a game of this order can be played now. If not, it is ended, replaced, or waits for a program that is
    being built again. `order`: with its contest, team and players."""
    if why := rights.why_over(order, now):
        stop(order, why)
        return False
    if order.newest and (newer := _newer(order)) is not None:
        supersede(order, newer, now)
        return False
    return _has_programs(order, now)


@transaction.atomic
def stop(order: PracticeOrder, why: str, state: str = State.CANCELLED) -> None:
    queue.end(queue.hold(order), state, why)


def _newer(order: PracticeOrder) -> Submission | None:
    """A version that became ready since."""
    own = order.players.all()[0].submission
    newest = newest_version(order.team)
    return newest if own and newest and newest.number > own.number else None


@transaction.atomic
def supersede(order: PracticeOrder, newer: Submission, now: datetime) -> None:
    """End an order for the newest version, and order the same for the version that is newer."""
    team = rights.hold(order.team)
    held = queue.hold(order)
    players = list(held.players.all())
    games = list(held.games.all())
    if not queue.end(held, State.CANCELLED, f"Version {newer.number} is ready and plays instead.", now):
        return
    keep = held.seed is not None
    wish = Wish(
        opponents=tuple(player.key for player in players[1:]),
        seat=held.seat,
        seed=held.seed,
        games=held.wanted,
        again=held.again,
        dealt=[WantedGame(range(len(it.lineup)), it.seed, it.opening, it.packs) for it in games] if keep else [],
    )
    try:
        with transaction.atomic():
            successor = _place(team, held.made_by, wish, now)
    except Refused as refusal:
        why = f"Version {newer.number} is ready, but the same games could not be ordered for it: {refusal}"
        PracticeOrder.objects.filter(pk=held.pk).update(why=why[:300])
    else:
        PracticeOrder.objects.filter(pk=held.pk).update(replaced_by=successor)


def _has_programs(order: PracticeOrder, now: datetime) -> bool:
    """Whether every program is built. Those that are not are built again by a worker for builds, because a worker that
    practises must be able to stop at any moment."""
    versions = [player.submission for player in order.players.all() if player.submission is not None]
    missing = [version for version in versions if version.artifact is None]
    if not missing:
        return True
    if order.builds >= MOST_BUILDS:
        stop(order, f"{missing[0]} could not be built again.", State.FAILED)
        return False
    PracticeOrder.objects.filter(pk=order.pk).update(due_at=now + BUILD_PAUSE, builds=F("builds") + 1)
    for version in missing:
        workers.wake(REBUILD, version.pk)
    return False
