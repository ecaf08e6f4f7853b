"""A player that was trained in the environments of docs/rl.md is accepted like any other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from submissions.models import Submission
from submissions.process import process
from tests.rl.learning import learned

pytestmark = pytest.mark.long("more")


def test_a_learned_player_passes_the_check(upload: Callable[..., Submission]) -> None:
    version = upload(learned()[1].encode(), "learned.py")
    process(version.pk)
    version.refresh_from_db()
    assert (version.state, version.verdict) == ("ready", ""), version.build_log
    assert version.is_active
    assert [game.passed for game in version.check_games.all()] == [True] * 4
