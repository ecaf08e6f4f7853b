"""Whole addresses, for what other sites read."""

from __future__ import annotations

from django import template
from django.template import Context

register = template.Library()


@register.simple_tag(takes_context=True)
def absolute(context: Context, address: str) -> str:
    """An address of this portal with its host."""
    return str(context["request"].build_absolute_uri(address))


@register.simple_tag(takes_context=True)
def here(context: Context) -> str:
    """The address of this page, without a query."""
    return str(context["request"].build_absolute_uri(context["request"].path))
