"""The helper of all fuzzers: the same attempts every time, or new ones for as long as somebody wants."""

from __future__ import annotations

import json
from random import Random

import pytest

from tests.fuzzing import any_value, fuzz, mutated, mutated_value


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


def test_it_looks_for_new_ones_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = numbers(1)
    monkeypatch.setenv("FUZZ_ATTEMPTS", "3")
    assert len(numbers(1)) == 3
    assert usual[0] not in numbers(1)


def test_a_failure_names_its_seed_which_repeats_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []

    def attempt(random: Random) -> None:
        seen.append(random.random())
        assert len(seen) < 4

    with pytest.raises(AssertionError) as failure:
        fuzz(attempt, attempts=10)
    monkeypatch.setenv("FUZZ_SEED", failure.value.__notes__[0].partition("FUZZ_SEED=")[2])
    assert numbers(10) == [seen[3]]


def test_mutations_differ_and_change_nothing_in_place() -> None:
    value = {"type": "move", "cards": [1, 2, {"suit": "d"}]}
    before = json.dumps(value)
    values = {json.dumps(mutated_value(Random(seed), value)) for seed in range(100)}
    assert len(values) > 50
    assert json.dumps(value) == before
    assert len({mutated(Random(seed), b"some bytes") for seed in range(100)}) > 50
    assert len({json.dumps(any_value(Random(seed))) for seed in range(100)}) > 30
