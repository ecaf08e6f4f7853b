"""What somebody can do next in a contest: the checklist on its page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from contest.models import Contest, Team

DONE, NEXT, OPEN = "done", "next", ""


@dataclass(frozen=True)
class Steps:
    """The state of every step (done, next, or open), and the rows that the words about them need.

    Versions of bots and stages are rows of apps above this one; here they are only what hangs on a team and a contest.
    """

    enter: str
    rules: str
    kit: str
    upload: str
    watch: str
    active: Any = None  # the version that plays
    latest: Any = None  # the newest version
    stages: Any = ()  # what can be watched


def steps(contest: Contest, team: Team | None) -> Steps:
    """Two or three queries."""
    stages = list(contest.stages.exclude(state="draft"))
    versions = list(team.submissions.defer("source", "build_log").order_by("-number")) if team else []
    latest = versions[0] if versions else None
    active = next((version for version in versions if version.is_active), None)
    waits_for_upload = contest.uploads_open() and (latest is None or (active is None and latest.state == "rejected"))
    prepared = DONE if versions else OPEN
    return Steps(
        enter=DONE if team else NEXT,
        rules=prepared,
        kit=prepared,
        upload=DONE if active else NEXT if team and waits_for_upload else OPEN,
        watch=NEXT if team and not waits_for_upload else OPEN,
        active=active,
        latest=latest,
        stages=stages,
    )
