"""Whether a team may practise now, against whom, and how much.

That never depends on results, so a freeze has nothing to hide.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Sum

from contest.models import Contest, Phase, Team
from contest.models.contests import TeamQuerySet
from contest.refusal import Refused
from games.phrases import counted
from submissions.models import Submission
from tournaments.models import PracticeGame, PracticeOrder, PracticePlayer

Practice = Contest.Practice


def why_not(team: Team, now: datetime) -> str:
    """Why this team cannot practise now. Blank if it can. Practice goes on after the upload deadline, until the
    contest ends."""
    contest = team.contest
    phase = contest.phase(now)
    if phase == Phase.ANNOUNCED:
        return "Practice begins when the contest opens."
    if phase == Phase.ENDED:
        return "Practice has ended with the contest."
    if contest.practice == Practice.CLOSED:
        return "The organisers have closed practice in this contest."
    if not team.is_competing:
        return f"Your team is not taking part ({team.get_state_display().lower()}), so it cannot practise."
    return ""


def opponents(team: Team) -> TeamQuerySet:
    """The other teams that this one may practise against, by name: they take part, accept it and have a bot."""
    found = Team.objects.filter(contest=team.contest_id).competing().filter(accepts_practice=True)
    if team.contest.practice != Practice.OPEN:
        return found.none()
    active = Submission.objects.active().ready().filter(team__contest=team.contest_id)
    return found.exclude(pk=team.pk).filter(pk__in=active.values("team"))


def versions(team: Team) -> list[int]:
    """The numbers of the versions that it may practise with or against, the newest first."""
    return list(team.submissions.ready().order_by("-number").values_list("number", flat=True))


def why_over(order: PracticeOrder, now: datetime) -> str:
    """Why an order may not go on, because something has changed since. Blank if it may."""
    if why := why_not(order.team, now):
        return why
    for player in order.players.all():
        if player.team is not None and not player.is_own and (why := why_not_against(player, order)):
            return why
    return ""


def why_not_against(player: PracticePlayer, order: PracticeOrder) -> str:
    team = player.team
    assert team is not None  # a house player never declines
    if order.contest.practice != Practice.OPEN:
        return "The organisers no longer allow practice against other teams."
    if not team.accepts_practice:
        return f"{team.name} no longer accepts practice."
    return "" if team.is_competing else f"{team.name} is no longer taking part."


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
