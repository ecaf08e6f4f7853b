"""Scores as every page writes them, and whether they tell who won."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def score(points: float | None) -> str:
    """`334`, `1946`, `12.5`: as many decimals as a score needs, and never more than one."""
    return "" if points is None else f"{round(points, 1) + 0.0:.12g}"  # + 0.0: no minus before a nought


@register.filter
def is_upset(outcome: Mapping[str, Any], low_wins: bool) -> bool:
    """Whether `scores` do not tell who is the `winner`: it was decided otherwise, or they are level."""
    scores, winner = outcome["scores"], outcome.get("winner")
    best = (min if low_wins else max)(scores)
    return winner is not None and [index for index, each in enumerate(scores) if each == best] != [winner]
