"""What a page may show of a team's own program."""

from __future__ import annotations

from django import template
from django.template import Context

from contest.models import Team
from tournaments.pages import clients

register = template.Library()


@register.simple_tag(takes_context=True)
def program_of(context: Context, team: Team) -> clients.Program | None:
    """`{% program_of team as it %}`: nothing where teams do not connect."""
    return clients.program_of(context["request"], context["contest"], team)
