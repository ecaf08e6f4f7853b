"""Which bots answer at moments that could tell a partner something."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from contest.replay.thinking import grids

Thinks = Callable[[random.Random, float], float]
"""How long a bot thinks, in milliseconds, if it is asked at that moment of the clock."""


def budget(*times: float) -> Thinks:
    """Uses up fixed times, except where there is one legal move."""
    return lambda chance, _: chance.choice((*times, *times, 0)) + chance.uniform(0.02, 0.5)


def deepens(chance: random.Random, _: float) -> float:
    spent, enough = chance.uniform(0.5, 2), chance.uniform(20, 100)
    while spent < enough:
        spent *= chance.uniform(2, 4)
    return spent


def slot(width: float, slots: int = 8) -> Thinks:
    """Waits for the slot of the clock that means what it has to say."""

    def thinks(chance: random.Random, now: float) -> float:
        due = now // (width * slots) * width * slots + (chance.randrange(slots) + 0.5) * width
        return due - now + (width * slots if due < now else 0) + abs(chance.gauss(0, 0.3))

    return thinks


HONEST: dict[str, Thinks] = {
    "fast": lambda chance, _: chance.uniform(0.03, 0.3),
    "short and long": lambda chance, _: chance.expovariate(1 / 30),
    "very different": lambda chance, _: 20 * chance.lognormvariate(0, 1.5),
    "evenly spread": lambda chance, _: chance.uniform(5, 200),
    "whole milliseconds": lambda chance, _: chance.randrange(1, 100) + chance.uniform(0, 0.1),
    "a budget": budget(100),
    "several budgets": budget(50, 100, 200),
    "deeper and deeper": deepens,
}
GRIDDED: dict[str, Thinks] = {
    "slots of the clock": slot(10),
    "wide slots": slot(25),
    "steps of its own": lambda chance, _: 10 * chance.randrange(1, 9) + abs(chance.gauss(0, 0.3)),
}


def played(bots: list[Thinks], answers: int, seed: str) -> Any:
    """The record of a match in which each answers so often, one after the other."""
    chance = random.Random(seed)
    clock = chance.uniform(0, 1000)
    events: list[dict[str, object]] = [{"event": "game", "seating": [*range(len(bots))]}]
    for turn in range(answers * len(bots)):
        seat = turn % len(bots)
        took = bots[seat](chance, clock)
        clock += took + chance.uniform(0.05, 0.15)
        events.append({"event": "play", "seat": seat, "ms": round(took, 3)})
    return {"seats": [{}] * len(bots), "events": [*events, {"event": "result"}]}


@pytest.mark.parametrize("name", HONEST)
def test_no_honest_bot_is_on_a_grid_whoever_plays(name: str) -> None:
    for other, thinks in HONEST.items():
        for answers in (45, 200):
            assert grids(played([HONEST[name], thinks, thinks], answers, f"{name} {other}")) == {}


@pytest.mark.parametrize("name", GRIDDED)
@pytest.mark.parametrize("others", HONEST)
def test_who_waits_for_a_slot_is_found_whoever_thinks_in_between(name: str, others: str) -> None:
    table = [GRIDDED[name], HONEST[others], HONEST[others]]
    assert [*grids(played(table, 60, f"{name} {others}"))] == [0]
    width = 25 if name == "wide slots" else 10
    assert grids(played(table, 200, f"{name} {others}")) == {0: pytest.approx(width, rel=0.05)}
    assert grids(played([GRIDDED[name], HONEST[others]], 20, name)) == {}, "too few answers"
