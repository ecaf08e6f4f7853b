"""The bot's part of the checklist on a contest's page: how far a team has come."""

from __future__ import annotations

from dataclasses import dataclass

from contest.models import Contest, Team
from submissions.models import Submission

DONE, NEXT, OPEN = "done", "next", ""


@dataclass(frozen=True)
class Steps:
    """The state of each step (done, next or open), and the versions that their texts mention."""

    rules: str
    kit: str
    upload: str
    watch: str
    active: Submission | None = None  # the version that plays
    latest: Submission | None = None  # the newest version
    missed: bool = False  # uploads have closed, and the team has nothing to play with


def steps(contest: Contest, team: Team | None) -> Steps:
    """One query, none for readers without a team."""
    versions = list(team.submissions.without_source()) if team else []
    latest = versions[0] if versions else None
    active = next((version for version in versions if version.is_active), None)
    failed = active is None and latest is not None and latest.state == Submission.State.REJECTED
    moving = active is None and latest is not None and latest.in_progress
    waits_for_upload = contest.uploads_open() and (latest is None or failed)
    missed = team is not None and not (active or moving or contest.live or contest.uploads_open())
    takes_part = team is not None and team.is_competing
    prepared = DONE if versions else OPEN
    return Steps(
        rules=prepared,
        kit=prepared,
        upload=DONE if active else NEXT if takes_part and (waits_for_upload or moving) else OPEN,
        watch=NEXT if takes_part and not (waits_for_upload or moving or missed) else OPEN,
        active=active,
        latest=latest,
        missed=missed,
    )
