"""The button with which somebody follows something."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context
from django.urls import reverse

from contest.models import Contest, Team, User
from tournaments.models import Follow

register = template.Library()


@register.inclusion_tag("tournaments/_follow.html", takes_context=True)
def follow_button(context: Context, thing: Contest | Team) -> dict[str, Any]:
    """With the addresses of its feed and its calendar. One query for people with an account."""
    request, field = context["request"], type(thing).__name__.lower()
    if isinstance(thing, Contest):
        args: list[object] = [thing.slug]
    else:
        args = [thing.contest.slug, thing.pk]
    user = context.get("user")
    is_member = isinstance(user, User)
    named: dict[str, Any] = {field: thing.pk}
    return {
        "field": field,
        "pk": thing.pk,
        "feed": reverse(f"{field}-feed", args=args),
        "calendar": reverse(f"{field}-calendar", args=args),
        "path": request.path,
        "is_member": is_member,
        "follows": isinstance(user, User) and Follow.objects.filter(user=user, **named).exists(),
        "csrf_token": context.get("csrf_token"),
        "request": request,
    }
