"""The progress of a stage from its matches: the latest give the duration, the workers how many run in parallel."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from contest.server import workers
from contest.server.workers import Confinement
from tournaments.models import Match, Stage
from tournaments.view_models.progress import SAMPLE, progress_of

NOON = datetime(2026, 6, 6, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
State = Match.State


@pytest.fixture
def two_at_a_time(broker: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(workers, "FRESH", 600.0)
    workers.confines(Confinement("full", "everything", True, ()))
    workers.works_with(2)
    workers.sign_of_life("all@here", ("matches",))
    yield
    workers.confines(None)
    workers.works_with(1)


def stage(state: str = Stage.State.RUNNING, **options: object) -> Stage:
    return Stage(state=state, options=options)


def played(took: timedelta, count: int = 1, games: int = 1, begun: datetime = NOON) -> list[Match]:
    return [Match(state=State.DONE, started_at=begun, finished_at=begun + took, games=games) for _ in range(count)]


@pytest.mark.usefixtures("two_at_a_time")
class TestWithWorkers:
    def test_what_is_left_is_played_two_at_a_time(self) -> None:
        found = progress_of(stage(games=1), played(2 * MINUTE, 3), wanted=10)
        assert (found.done, found.matches, found.workers) == (3, 10, 2)
        assert found.left == 4 * 2 * MINUTE, "seven matches are four turns"
        assert found.about == "about 8 minutes"
        assert not found.is_over

    def test_connected_programs_play_besides_the_workers(self) -> None:
        running = [Match(state=State.RUNNING) for _ in range(5)]
        found = progress_of(stage(games=1), [*played(MINUTE), *running], wanted=11)
        assert (found.running, found.workers, found.left) == (5, 5, 2 * MINUTE)

    def test_the_latest_tell_what_one_takes(self) -> None:
        slow = played(timedelta(hours=1), 5)
        quick = played(MINUTE, SAMPLE, begun=NOON + timedelta(hours=2))
        assert progress_of(stage(games=1), [*quick, *slow], wanted=SAMPLE + 7).left == MINUTE

    def test_games_are_counted_on_where_the_rules_decide_how_many(self) -> None:
        found = progress_of(stage(games=None), [*played(MINUTE, games=21), *played(MINUTE, games=31)], wanted=6)
        assert (found.games_done, found.games) == (52, 6 * 26)
        assert progress_of(stage(games=4), [], wanted=6).games == 24

    def test_nothing_is_said_before_a_result_nor_while_the_stage_rests(self) -> None:
        assert progress_of(stage(games=1), [Match(state=State.QUEUED)], wanted=3).left is None
        paused = progress_of(stage(Stage.State.PAUSED, games=1), played(MINUTE), wanted=3)
        assert (paused.left, paused.about) == (None, "")

    def test_less_than_a_minute(self) -> None:
        assert progress_of(stage(games=1), played(MINUTE / 9), wanted=2).about == "less than a minute"

    def test_more_matches_than_are_wanted_by_now(self) -> None:
        found = progress_of(stage(games=1), played(MINUTE, 3), wanted=2)
        assert (found.matches, found.is_over, found.left) == (3, True, timedelta())


def test_when_nobody_plays_nobody_knows(broker: Path) -> None:
    found = progress_of(stage(games=1), played(MINUTE), wanted=3)
    assert (found.workers, found.left) == (0, None)
