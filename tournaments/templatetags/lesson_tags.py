"""The first game that teaches, for pages that offer it."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings
from django.utils import timezone

from contest.models import Contest
from games.coach import Lesson
from games.engine import Game
from tournaments.casual import lessons

register = template.Library()


@register.simple_tag(takes_context=True)
def lesson_of(context: dict[str, Any], game: Game) -> Lesson | None:
    """The lesson of a game for this reader; None where there is none, or guests may not play."""
    user = context.get("user")
    allowed = settings.CASUAL_GUESTS or (user is not None and user.is_authenticated)
    return lessons.of(game) if allowed else None


@register.simple_tag
def contest_to_enter(game: Game) -> Contest | None:
    """The public contest of this game that takes entries now and closes last, for those who have learned it."""
    now = timezone.now()
    open_now = Contest.objects.filter(game_slug=game.slug, visibility=Contest.Visibility.PUBLIC, entry_deadline__gt=now)
    return next((each for each in open_now.order_by("-entry_deadline") if each.entry_open(now)), None)
