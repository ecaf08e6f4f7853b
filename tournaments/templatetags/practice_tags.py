"""Figures of practice as pages write them."""

from __future__ import annotations

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from contest.models import Team
from tournaments.models.matches import house_player
from tournaments.practice import rights
from tournaments.practice.figures import Line

register = template.Library()

NOTHING = mark_safe('<span class="muted">–</span>')


@register.simple_tag
def practice_offer(team: Team | None) -> list[tuple[str, str]]:
    """Opponents for a team that may practise now, as (key, name): a weak and a strong house player, and two teams."""
    if team is None or rights.why_not(team, timezone.now()):
        return []
    house = team.contest.game.house
    known = {f"house:{it.name}": house_player(it.name) for it in (house[0], house[-1])}
    return [*known.items(), *((f"team:{it.pk}", it.name) for it in rights.opponents(team)[:2])]


@register.filter
def win_interval(line: Line) -> SafeString:
    """`23–61 %`; a dash with few games."""
    if line.low is None or line.high is None:
        return NOTHING
    return format_html("{}–{} %", f"{100 * line.low:.0f}", f"{100 * line.high:.0f}")


@register.simple_tag
def mean_points(line: Line, difference: object = False) -> SafeString:
    """`12.3 ± 2.1`, or as a difference `+1.4 ± 2.1`."""
    if line.points is None:
        return NOTHING
    mean = round(line.points, 1) + 0.0  # no minus sign before a zero
    text = f"{mean:+,.1f}" if difference else f"{mean:,.1f}"
    if line.margin is None:
        return format_html("{}", text)
    return format_html('{} <span class="muted">± {}</span>', text, f"{line.margin:,.1f}")
