"""Uploaded TCP clients, from the upload to the verdict of their check."""

from __future__ import annotations

from pathlib import Path

import pytest

from submissions import intake
from submissions.models import Submission
from submissions.process import process
from tests.cast import Cast, make_cast

pytestmark = pytest.mark.sandbox
PLAIN = (Path(__file__).parents[1] / "cells" / "barracuda" / "plain.py").read_bytes()
"""It has the contest's server written into it, and ignores its arguments."""


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast(game="barracuda", preset="open", options={"target": 2}, languages=["python"])


def checked(cast: Cast, source: bytes) -> Submission:
    version = intake.receive(cast.aces, cast.alice, [intake.Upload("mine.py", source)]).submission
    process(version.pk)
    return Submission.objects.get(pk=version.pk)


def test_a_program_plays_as_its_author_wrote_it(cast: Cast) -> None:
    version = checked(cast, PLAIN)
    assert (version.state, version.verdict, version.check_warning) == ("ready", "", "")
    assert version.run_command.endswith("bot.py 127.0.0.1 9999")
