"""The helper of all fuzzers: the same attempts every time, or new ones for as long as somebody wants."""

from __future__ import annotations

from random import Random

import pytest

from tests.fuzzing import fuzz


@pytest.fixture(autouse=True)
def _as_in_the_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FUZZ_ATTEMPTS", raising=False)
    monkeypatch.delenv("FUZZ_SEED", raising=False)


def numbers(attempts: int) -> list[float]:
    seen: list[float] = []
    fuzz(lambda random: seen.append(random.random()), attempts=attempts)
    return seen


def test_the_suite_makes_the_same_attempts_every_time() -> None:
    assert numbers(5) == numbers(5)
    assert len(set(numbers(5))) == 5


def test_a_failure_names_its_seed_which_repeats_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []

    def attempt(random: Random) -> None:
        seen.append(random.random())
        assert len(seen) < 4

    with pytest.raises(AssertionError) as failure:
        fuzz(attempt, attempts=10)
    monkeypatch.setenv("FUZZ_SEED", failure.value.__notes__[0].partition("FUZZ_SEED=")[2])
    assert numbers(10) == [seen[3]]
