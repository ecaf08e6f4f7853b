"""Webhooks of the desk that have stopped, or are about to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from contest.formatting import duration
from tournaments.attention.look import Concern, Level, Look, counted
from tournaments.models import Webhook
from tournaments.webhooks.stopping import WHY

WHILE = timedelta(hours=1)  # before that, the next tries may help


def webhooks(look: Look) -> Iterator[Concern]:
    """One query. A webhook that somebody switched off is no concern."""
    found = list(look.contest.webhooks.filter(team=None).exclude(switched_off_why=Webhook.Off.PERSON))
    stopped = [it for it in found if not it.is_on]
    failing = [it for it in found if it.is_on and it.failing_since and look.now - it.failing_since > WHILE]
    if stopped:
        why = WHY[Webhook.Off(stopped[0].switched_off_why)] if len(stopped) == 1 else "The portal switched them off."
        text = f"{counted(stopped, 'webhook has', 'webhooks have')} stopped. {why}"
        yield Concern(Level.LOOK, text, look.url("desk-webhooks"), "Webhooks", _linked(look, stopped))
    if failing:
        longest = max(look.now - it.failing_since for it in failing if it.failing_since)
        text = f"{counted(failing, 'webhook fails', 'webhooks fail')}, the longest for {duration(longest)}."
        yield Concern(Level.KNOW, text, look.url("desk-webhooks"), "Webhooks", _linked(look, failing))


def _linked(look: Look, found: Sequence[Webhook]) -> tuple[tuple[str, str], ...]:
    return tuple((it.host, look.url("desk-webhook", it.pk)) for it in found)
