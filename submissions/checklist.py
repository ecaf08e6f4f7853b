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


def steps(contest: Contest, team: Team | None) -> Steps:
    """One query, none for readers without a team."""
    versions = list(team.submissions.without_source()) if team else []
    latest = versions[0] if versions else None
    active = next((version for version in versions if version.is_active), None)
    failed = active is None and latest is not None and latest.state == Submission.State.REJECTED
    waits_for_upload = contest.uploads_open() and (latest is None or failed)
    prepared = DONE if versions else OPEN
    return Steps(
        rules=prepared,
        kit=prepared,
        upload=DONE if active else NEXT if team and waits_for_upload else OPEN,
        watch=NEXT if team and not waits_for_upload else OPEN,
        active=active,
        latest=latest,
    )
