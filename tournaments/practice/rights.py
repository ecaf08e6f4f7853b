"""Whether a team may practise now, and against whom. It never depends on results, so a freeze has nothing to hide."""

from __future__ import annotations

from datetime import datetime

from contest.models import Contest, Phase, Team
from contest.models.contests import TeamQuerySet
from submissions.models import Submission
from tournaments.models import PracticeOrder, PracticePlayer

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
    return found.exclude(pk=team.pk).filter(pk__in=active.values("team")).order_by("name", "pk")


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
