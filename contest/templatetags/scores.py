"""Scores as every page writes them, and whether they tell who won."""

from __future__ import annotations

from django import template

from contest.replay.parts import is_upset

register = template.Library()
register.filter(is_upset)


@register.filter
def score(points: float | None) -> str:
    """`334`, `1946`, `12.5`: as many decimals as a score needs, and never more than one."""
    return "" if points is None else f"{round(points, 1) + 0.0:.12g}"  # + 0.0: no minus before a nought
