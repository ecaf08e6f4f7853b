"""Filters for thinking times and points, and the style sheet of a game's table."""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from contest.cards import is_card_of
from contest.formatting import milliseconds, percent, short_ms, signed
from games.engine import Game

register = template.Library()
for each in (is_card_of, milliseconds, percent, short_ms, signed):
    register.filter(each)


@register.simple_tag
def game_styles(game: Game) -> SafeString:
    """The game's own style sheet for its table, if it has one."""
    path = f"games/{game.slug}/table.css"
    return format_html('<link rel="stylesheet" href="{}">', static(path)) if _exists(path) else mark_safe("")


@lru_cache(maxsize=64)
def _exists(path: str) -> bool:
    return finders.find(path) is not None
