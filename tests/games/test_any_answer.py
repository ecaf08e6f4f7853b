"""A few attempts of each fuzzer of games. The part `fuzz` makes thousands."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from games import GAMES
from tests import fuzzing
from tests.games import test_fuzz

pytestmark = pytest.mark.promise


@pytest.fixture(autouse=True)
def few_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    def few(attempt: Callable[[Random], object], *, attempts: int) -> None:
        fuzzing.fuzz(attempt, attempts=min(attempts // 4, 10))

    monkeypatch.setattr(test_fuzz, "fuzz", few)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_whatever_a_bot_says(game) -> None:
    test_fuzz.test_no_bot_spoils_a_match_by_what_it_says(game)
    test_fuzz.test_no_answer_confuses_its_reader(game)
    test_fuzz.test_no_record_confuses_the_reader(game)


def test_whatever_a_client_sends() -> None:
    test_fuzz.test_no_bytes_confuse_the_frames()
    test_fuzz.test_nobody_shuts_the_door_by_what_it_says()
