"""How much a team may practise: games per hour, orders at once, and how many games may wait in a contest."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Sum

from contest.models import Team
from contest.refusal import Refused
from games.phrases import counted
from tournaments.models import PracticeGame, PracticeOrder

MOST_GAMES = 200  # of an order
MOST_ORDERS = 3  # of a team at once, trials included
MOST_WAITING = 5_000  # games of a contest
HOUR = timedelta(hours=1)
State = PracticeOrder.State


def hold(team: Team) -> Team:
    """Lock the team's row until the transaction ends, so that two orders at once do not slip past a limit."""
    return Team.objects.select_for_update(of=("self",), no_key=True).select_related("contest").get(pk=team.pk)


def spent(team: Team, now: datetime) -> int:
    """How many games of the team's quota for an hour are used up: those of orders from the last hour.

    An order in progress counts with all that it may still play: a trial makes its games as it goes on.
    """
    recent = PracticeOrder.objects.filter(team=team, made_at__gt=now - HOUR)
    promised = recent.open().aggregate(sum=Sum("wanted", default=0))["sum"]
    played = PracticeGame.objects.spent().filter(team=team, order__in=recent).exclude(order__state=State.OPEN)
    return int(promised) + played.count()


def left(team: Team, now: datetime) -> int:
    """How many games it may order now."""
    return max(0, team.contest.practice_per_hour - spent(team, now))


def check(team: Team, games: int, now: datetime) -> None:
    """Check whether the team may order so many games now. `team`: held. Raises Refused."""
    running = PracticeOrder.objects.open().filter(team=team).count()
    if running >= MOST_ORDERS:
        raise Refused(
            f"Your team already has {running} orders in progress, which is the limit. Wait until one is finished, or "
            "cancel one."
        )
    room = left(team, now)
    if games > room:
        limit = team.contest.practice_per_hour
        again = "try again later" if room == 0 else f"order at most {counted(room, 'game')} now"
        raise Refused(f"Teams can practise up to {counted(limit, 'game')} an hour in this contest. Please {again}.")
    waiting = PracticeGame.objects.open().filter(order__contest=team.contest_id).count()
    if waiting + games > MOST_WAITING:
        raise Refused(
            f"{counted(waiting, 'practice game')} are waiting in this contest, and {MOST_WAITING} is the limit. "
            "Please try again later."
        )
