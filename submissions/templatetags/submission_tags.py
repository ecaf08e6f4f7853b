"""Template tags about bots: badges of a version's state, faults in words, the checklist."""

from __future__ import annotations

from dataclasses import dataclass

from django import template
from django.utils.html import format_html

from contest.models import Contest, Team
from contest.replay import FAULTS
from games.engine import FaultKind
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


DONE, NEXT, OPEN = "done", "next", ""


@dataclass(frozen=True)
class Steps:
    """The state of each step (done, next or open), and the versions that their texts mention."""

    upload: str
    watch: str
    active: Submission | None = None  # the version that plays
    latest: Submission | None = None  # the newest version
    missed: bool = False  # uploads have closed, and the team has nothing to play with


@register.simple_tag(name="bot_steps")
def steps(contest: Contest, team: Team | None) -> Steps:
    """The bot's part of the checklist on a contest's page. One query, none for readers without a team."""
    versions = list(team.submissions.without_source()) if team else []
    latest = versions[0] if versions else None
    active = next((version for version in versions if version.is_active), None)
    failed = active is None and latest is not None and latest.state == Submission.State.REJECTED
    moving = active is None and latest is not None and latest.in_progress
    uploads = (team or contest).uploads_open()
    waits_for_upload = uploads and (latest is None or failed)
    missed = team is not None and not (active or moving or contest.live or uploads)
    takes_part = team is not None and team.is_competing
    return Steps(
        upload=DONE if active else NEXT if takes_part and (waits_for_upload or moving) else OPEN,
        watch=NEXT if takes_part and not (waits_for_upload or moving or missed) else OPEN,
        active=active,
        latest=latest,
        missed=missed,
    )
