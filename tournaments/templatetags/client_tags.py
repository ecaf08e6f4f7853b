"""What templates say about a team's own program."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from contest.models import Contest, Team
from tournaments.models import MatchSeat
from tournaments.pages import programs
from tournaments.seating.player_numbers import team_numbers

register = template.Library()


@register.simple_tag
def opponent_links(seats: Iterable[MatchSeat], contest: Contest) -> SafeString:
    """The players in these seats, teams with links to their pages, separated by commas."""
    return format_html_join(", ", "{}", ((_player(seat, contest),) for seat in seats))


def _player(seat: MatchSeat, contest: Contest) -> SafeString:
    if seat.team_id is None:
        return format_html("<i>{}</i>", seat.name)
    return format_html('<a href="{}">{}</a>', reverse("team", args=[contest.slug, seat.team_id]), seat.name)


@register.simple_tag(takes_context=True)
def program_of(context: Context, team: Team) -> programs.Program | None:
    """`{% program_of team as it %}`: None in contests without connections."""
    return programs.program_of(context["request"], context["contest"], team)


@register.simple_tag
def wire_numbers(contest: Contest, teams: Iterable[Team]) -> list[tuple[int, Team]]:
    """These teams with their numbers in the protocol, by number."""
    numbers = team_numbers(contest)
    return sorted(((numbers[team.pk], team) for team in teams), key=lambda pair: pair[0])
