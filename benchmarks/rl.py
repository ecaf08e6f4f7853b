"""Steps per second in the environments for learning (docs/rl.md), on one core.

    python -m benchmarks.rl [--game SLUG...] [--rounds 7] [--steps 20000] [--pettingzoo]

Each step does what a learner does: ask for the observation, the mask and the reward, choose at random among what the
mask allows, act. Whole games are played, and beginning them counts. Processor time is counted, and rates are medians
over the rounds. The ratio is to the bare rules (benchmarks.engine) in the same round: random decisions, without anybody
who observes them. Exit status 1 when a game is below the target of 20,000 steps per second.

With `--pettingzoo` it also runs PettingZoo's own benchmark, five seconds for each game. That one reads the wall clock,
so it is given the clock of our processor time instead.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
from pettingzoo.test import performance_benchmark

import kibitz_rl
from benchmarks.engine import openings, ours
from games import GAMES
from games.programs import pinned

TARGET = 20_000


def play(env: kibitz_rl.CardGame, steps: int) -> int:
    """Play whole games until at least that many steps were made. Returns how many."""
    made = 0
    while made < steps:
        env.reset()
        for _ in env.agent_iter():
            seen, _, terminated, _, _ = env.last()
            if terminated:
                break
            env.step(random.choice(np.flatnonzero(seen["action_mask"]).tolist()))
            made += 1
    return made


def rate(work: Callable[[], int]) -> float:
    """Return how much is done in a second of processor time."""
    started = time.process_time()
    done = work()
    return done / (time.process_time() - started)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--game", nargs="*", default=list(GAMES), choices=list(GAMES), metavar="SLUG")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=20_000, help="steps in each game and round")
    parser.add_argument("--pettingzoo", action="store_true", help="run PettingZoo's own benchmark as well")
    arguments = parser.parse_args()

    rates: dict[str, list[float]] = {slug: [] for slug in arguments.game}
    ratios: dict[str, list[float]] = {slug: [] for slug in arguments.game}
    environments = {slug: kibitz_rl.env(slug) for slug in arguments.game}
    with pinned():
        for env in environments.values():
            env.reset(seed=1)
            play(env, 2000)  # tables are made, code is warm
        for _ in range(arguments.rounds):
            for slug, env in environments.items():
                game = GAMES[slug]
                mine = rate(lambda env=env: play(env, arguments.steps))  # type: ignore[misc]
                bare = rate(lambda game=game: ours(game, openings, arguments.steps).decisions)  # type: ignore[misc]
                rates[slug].append(mine)
                ratios[slug].append(mine / bare)
        print(f"{'environment':24}{'steps/s':>10}  {'rounds':20}{'ratio to the bare rules':>24}   target")
        for slug, found in rates.items():
            spread = f"{min(found):,.0f} to {max(found):,.0f}"
            print(f"{slug:24}{statistics.median(found):10,.0f}  {spread:20}{statistics.median(ratios[slug]):24.2f}"
                  f"   at least {TARGET:,}")  # fmt: skip
        if arguments.pettingzoo:
            performance_benchmark.__globals__["time"] = SimpleNamespace(time=time.process_time)
            for slug, env in environments.items():
                print(f"\n{slug}")
                performance_benchmark(env)
    return int(any(statistics.median(found) < TARGET for found in rates.values()))


if __name__ == "__main__":
    sys.exit(main())
