"""Scores and points as all pages write them."""

from __future__ import annotations

from django import template
from django.utils.text import capfirst

from contest.replay.parts import is_upset
from games.engine import Game

register = template.Library()
register.filter(is_upset)


@register.filter
def score(points: float | None) -> str:
    """`334`, `1,946`, `12.5`: one decimal if the score needs it."""
    return "" if points is None else f"{round(points, 1) + 0.0:,.12g}"  # + 0.0 turns -0 into 0


@register.filter
def counted(points: float | None, game: Game) -> str:
    """What counts at a table: `334`, or with one decimal where processor time costs points."""
    return f"{points:,.1f}" if points is not None and game.exact_cpu else score(points)


@register.filter
def halves(points: float | None) -> str:
    """Tournament points: `2`, `½`, `3½`; other fractions with up to two decimals."""
    if points is None:
        return ""
    sign, whole = "-" if points < 0 else "", int(abs(points))
    part = abs(points) - whole
    if part == 0.5:
        return f"{sign}{whole or ''}½"
    return f"{points:.2f}".rstrip("0").rstrip(".").replace("-0", "0") if part else f"{sign}{whole}"


@register.filter
def whole_percent(share: float | None) -> str:
    """`0.536` as `54 %`."""
    return "" if share is None else f"{100 * share:.0f} %"


@register.filter
def played_name(game: Game) -> str:
    """The label of the number of games beside the scores."""
    return "Games played" if game.counts_games else "Games"


@register.filter
def counted_name(game: Game) -> str:
    """The label of the scores of one or many matches."""
    return "Games won" if game.counts_games else capfirst(game.counts)


@register.filter
def average_name(game: Game) -> str:
    """The label of the average of a game's scores."""
    return "Share won" if game.counts_games else f"{capfirst(game.counts)} per game"
