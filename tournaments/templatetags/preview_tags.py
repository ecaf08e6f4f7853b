"""Whole addresses, for what other sites read."""

from __future__ import annotations

from django import template
from django.template import Context

from contest.words import number_in

register = template.Library()


@register.simple_tag(takes_context=True)
def absolute(context: Context, address: str) -> str:
    """An address of this portal with its host."""
    return str(context["request"].build_absolute_uri(address))


@register.simple_tag(takes_context=True)
def here(context: Context) -> str:
    """The address of this page, with nothing of its query but the position that it names."""
    request = context["request"]
    ply = number_in(request.GET.get("ply", ""))
    return str(request.build_absolute_uri(request.path)) + ("" if ply is None else f"?ply={ply}")
