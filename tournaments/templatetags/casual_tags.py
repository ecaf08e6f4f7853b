"""Whether pages offer to play."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings

from tournaments.casual.rules import terms

register = template.Library()
register.filter(terms)


@register.simple_tag(takes_context=True)
def may_play(context: dict[str, Any]) -> bool:
    """Whether whoever reads this page may play casual games."""
    request = context.get("request")
    if not settings.CASUAL_GAMES or request is None:
        return False
    return bool(settings.CASUAL_GUESTS or request.user.is_authenticated)
