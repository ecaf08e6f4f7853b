"""Template tags about bots: badges of a version's state, faults in words, the checklist."""

from __future__ import annotations

from django import template
from django.utils.html import format_html

from contest.models import Contest, Team
from contest.replay import FAULTS
from games.engine import FaultKind
from submissions import checklist
from submissions.languages import LANGUAGES
from submissions.models import Submission

register = template.Library()

STATES = {
    Submission.State.QUEUED: "badge-muted",
    Submission.State.BUILDING: "badge-info",
    Submission.State.CHECKING: "badge-info",
    Submission.State.READY: "badge-ok",
    Submission.State.REJECTED: "badge-bad",
    Submission.State.SUPERSEDED: "badge-muted",
    Submission.State.CANCELLED: "badge-warn",
}


@register.filter
def state_badge(version: Submission) -> str:
    """The version's state, whether it is active, and the warnings of its check."""
    badge = format_html(
        '<span class="badge {}">{}</span>', STATES[Submission.State(version.state)], version.get_state_display()
    )
    if version.is_active:
        badge = format_html('{} <span class="badge badge-ok">Active</span>', badge)
    if warnings := version.warnings():
        badge = format_html('{}<br><span class="badge badge-warn">Passed with warnings: {}</span>', badge, warnings)
    return badge


@register.filter
def language_name(slug: str) -> str:
    return LANGUAGES[slug].name if slug in LANGUAGES else slug


@register.filter
def fault_title(kind: str) -> str:
    """A fault in two or three words: "Too slow"."""
    return FAULTS[FaultKind(kind)][0]


@register.simple_tag
def bot_steps(contest: Contest, team: Team | None) -> checklist.Steps:
    """The bot's part of the checklist on a contest's page."""
    return checklist.steps(contest, team)
