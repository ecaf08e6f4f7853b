"""A process for every question, by real clocks."""

from __future__ import annotations

import time

import pytest

from tests.games import test_questions as questions


@pytest.mark.parametrize(
    ("habit", "fault"),
    [("answer_sleep", []), ("unended_sleep", [("timeout", "did not end its line in time")])],
)
def test_the_clock_runs_out_for_a_process_and_not_for_its_answer(
    habit: str, fault: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole lines are an answer, however long the process runs afterwards."""
    monkeypatch.setattr(questions, "SHORT", 2.0)
    started = time.monotonic()
    played = questions.match(habit, "1", hurried=questions.LAST)
    assert [(kind, detail) for kind, detail, *_ in questions.faults(played)] == fault
    assert time.monotonic() - started >= 2
