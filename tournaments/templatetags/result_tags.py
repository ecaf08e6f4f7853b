"""What templates say about ratings, averages and practice. Every column has one number of decimals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from contest.formatting import nth
from contest.models import Team
from games.engine import Game
from tournaments.models.matches import house_player
from tournaments.practice import rights
from tournaments.practice.figures import Line
from tournaments.results.standings import Totals
from tournaments.view_models.ratings import RatingWords

register = template.Library()

NOTHING = mark_safe('<span class="muted">–</span>')
MARGIN = ' <span class="muted">± {}</span>'
UNINFORMATIVE = 0.5
"""The margin from which a share of games won could be almost anything."""


@register.filter
def rating(row: object, said: RatingWords) -> SafeString:
    """The rating of a row of standings with its margin; a question mark if it is provisional."""
    mu, margin = getattr(row, "mu", None), getattr(row, "margin", None)
    if mu is None:
        return mark_safe('<span class="muted">unrated</span>')
    text = _with_margin(_decimal(mu, said.digits), None if margin is None else _decimal(margin, said.digits))
    if not getattr(row, "is_provisional", False):
        return text
    return text + mark_safe(' <abbr class="muted" title="provisional: few matches so far">?</abbr>')


@register.filter
def average(record: Totals, game: Game) -> SafeString:
    """The average of a team with its margin, where there are enough matches for one."""
    if record.average is None:
        return NOTHING
    margin, text = _shown_margin(record, game), _percent if game.counts_games else _decimal
    return _with_margin(text(record.average), None if margin is None else text(margin))


def _shown_margin(record: Totals, game: Game) -> float | None:
    margin = record.margin
    return None if game.counts_games and margin is not None and margin >= UNINFORMATIVE else margin


@register.filter
def by_place(totals: Totals) -> str:
    """How often a team came first, second and so on. Who comes second of four has not lost."""
    return ", ".join(f"{count} × {nth(place)}" for place, count in enumerate(totals.places, 1) if count)


@register.filter
def have_margins(rows: Iterable[Any], game: Game) -> bool:
    """Whether a table of averages shows any ±, so that it needs an explanation."""
    records = [getattr(row, "row", row).record for row in rows]  # on a ladder they are rungs
    return any(record.average is not None and _shown_margin(record, game) is not None for record in records)


@register.filter
def have_intervals(rows: Iterable[Any]) -> bool:
    """The same for a table of ratings."""
    rated = [getattr(row, "row", row) for row in rows]
    return any(row.mu is not None and row.margin is not None for row in rated)


def _with_margin(text: str, margin: str | None) -> SafeString:
    return format_html("{}", text) if margin is None else format_html("{}" + MARGIN, text, margin)


@register.filter("decimals")
def _decimal(value: float, digits: int = 1) -> str:
    """`1,716` or `25.0`."""
    return f"{round(value, digits) + 0.0:,.{digits}f}"  # + 0.0: no minus sign before a zero


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


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
