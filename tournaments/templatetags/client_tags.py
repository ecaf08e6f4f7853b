"""What a page may show of a team's own program."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.template import Context

from contest.models import Contest, Team
from tournaments.pages import programs
from tournaments.seating.player_numbers import team_numbers

register = template.Library()


@register.simple_tag(takes_context=True)
def program_of(context: Context, team: Team) -> programs.Program | None:
    """`{% program_of team as it %}`: nothing where teams do not connect."""
    return programs.program_of(context["request"], context["contest"], team)


@register.simple_tag
def wire_numbers(contest: Contest, teams: Iterable[Team]) -> list[tuple[int, Team]]:
    """The numbers by which programs know these teams, in their order."""
    numbers = team_numbers(contest)
    return sorted(((numbers[team.pk], team) for team in teams), key=lambda pair: pair[0])
