"""For pages about people and teams across contests."""

from __future__ import annotations

from django import template

from tournaments.view_models.careers import Career
from tournaments.view_models.trophies import place_of

register = template.Library()


@register.filter
def place(career: Career) -> str:
    return place_of(career)
