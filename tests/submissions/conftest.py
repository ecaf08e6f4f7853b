"""A contest in any language with short games, a team in it, and uploads made by the real intake."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from submissions import intake
from submissions.intake import Upload
from submissions.models import Submission
from tests.cast import Cast, make_cast
from tests.submissions.bots import GOOD_PYTHON

SHORT = {"target": 30, "time_limit": 1}


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast(preset="open", options=SHORT, languages=["c", "cpp", "pascal", "python"])


@pytest.fixture
def upload(cast: Cast) -> Callable[..., Submission]:
    """`upload(source, name, team=…, user=…)` stores a version as the page does: by default a good one, of Aces by
    Alice."""

    def upload(source: bytes = GOOD_PYTHON, name: str = "bot.py", **options: Any) -> Submission:
        team = options.pop("team", cast.aces)
        user = options.pop("user", cast.alice)
        return intake.receive(team, user, [Upload(name, source)], **options).submission

    return upload
