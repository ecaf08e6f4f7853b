"""What pages offer: to play, to learn a game, to follow something, and what a preset starts with."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.urls import reverse
from django.utils import timezone

from contest.models import Contest, Team, User
from games.coach import Lesson
from games.engine import Game
from games.options import Preset
from tournaments.casual import tables
from tournaments.casual.rules import terms
from tournaments.models import Follow
from tournaments.organising.presets import STAGES, Draft

register = template.Library()
register.filter(terms)


@register.simple_tag(takes_context=True)
def may_play(context: dict[str, Any]) -> bool:
    """Whether whoever reads this page may play casual games."""
    request = context.get("request")
    if not settings.CASUAL_GAMES or request is None:
        return False
    return bool(settings.CASUAL_GUESTS or request.user.is_authenticated)


@register.simple_tag(takes_context=True)
def lesson_of(context: dict[str, Any], game: Game) -> Lesson | None:
    """The lesson of a game for this reader; None where there is none, or guests may not play."""
    user = context.get("user")
    allowed = settings.CASUAL_GUESTS or (user is not None and user.is_authenticated)
    return tables.lesson_of(game) if allowed else None


@register.simple_tag
def contest_to_enter(game: Game) -> Contest | None:
    """The public contest of this game that takes entries now and closes last, for those who have learned it."""
    now = timezone.now()
    open_now = Contest.objects.filter(game_slug=game.slug, visibility=Contest.Visibility.PUBLIC, entry_deadline__gt=now)
    return next((each for each in open_now.order_by("-entry_deadline") if each.entry_open(now)), None)


@register.simple_tag
def preset_stages(preset: Preset) -> tuple[Draft, ...]:
    """`{% preset_stages preset as drafts %}`: the stages that a contest from this preset starts with."""
    return STAGES.get(preset.name, ())


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
