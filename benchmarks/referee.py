"""What the referee costs in a game of Tricky Eights to 300 points.

    python -m benchmarks.referee [--rounds 31]

Everything is pinned to one core. Each round plays one game between four C bots that answer at once, from the first deal
to the result. It then makes as many bare round trips over pipes between two C processes as the game had decisions. The
ratio is the median over the rounds of the ratio within one round. Starting and ending processes counts on neither side;
what it takes of the referee is printed apart. Exit status 1 when the ratio is above the target.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from games import get
from games.engine import Action, Game, Options, Seat, Setting
from games.participants import Decided
from games.players import ProcessPlayer, Seated
from games.programs import LocalProgram, Program, pinned
from games.referee import play

TARGET = 2.5
HERE = Path(__file__).parent
GAME = get("tricky_eights")


@dataclass(frozen=True)
class Round:
    decisions: int
    game: float  # seconds from the first deal to the result
    around: float  # seconds for starting and ending four processes
    base: float  # seconds for as many bare round trips


class Timed(ProcessPlayer):
    """Notes how long starting and ending its process took the referee, in seconds. The first decision, for which a
    bot must be up, is part of starting it."""

    around = 0.0

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        started = time.perf_counter()
        super().begin(game, seat, options, random, setting)
        self.around += time.perf_counter() - started
        self.decide = self._decide_first  # type: ignore[method-assign]

    def _decide_first(self, legal: Callable[[], Sequence[Action]], place: int) -> Decided:
        del self.decide
        started = time.perf_counter()
        try:
            return self.decide(legal, place)
        finally:
            self.around += time.perf_counter() - started

    def finish(self) -> None:
        started = time.perf_counter()
        super().finish()
        self.around += time.perf_counter() - started

    def close(self, place: int, grace: float = 1.0) -> None:
        started = time.perf_counter()
        super().close(place, grace)
        self.around += time.perf_counter() - started


def build(folder: Path, name: str) -> Path:
    """Build a C program of this folder, linked statically."""
    program = folder / name
    flags = ["-std=gnu17", "-O2", "-Wall", "-Wextra", "-Werror", "-static"]
    subprocess.run(["gcc", *flags, "-o", program, HERE / f"{name}.c"], check=True)
    return program


def one_round(bots: Sequence[Program], pingpong: Path, seed: int) -> Round:
    players = [Timed(bot) for bot in bots]
    seats = [Seated(f"bot {number}", "quickbot", player) for number, player in enumerate(players)]
    started = time.perf_counter()
    record = play(GAME, seats, seed=seed, options=GAME.options(), preset="utah-1998").record
    whole = time.perf_counter() - started
    assert not record["result"]["disqualified"], "the bot of this benchmark is wrong"
    around = sum(player.around for player in players)
    decisions = sum("card" in event for event in record["events"]) - len(bots)  # the first of each is not counted
    base = int(subprocess.check_output([pingpong, "ping", str(decisions)])) / 1e9
    return Round(decisions, whole - around, around, base)


def report(rounds: Sequence[Round]) -> float:
    ratios = sorted(one.game / one.base for one in rounds)
    ratio = statistics.median(ratios)
    decisions = sum(one.decisions for one in rounds)
    base, game = (
        1e6 * statistics.median(sides)
        for sides in zip(*((one.base / one.decisions, one.game / one.decisions) for one in rounds), strict=True)
    )
    around = 1e3 * statistics.median(one.around for one in rounds)
    print(f"bare C round trip              {base:6.2f} µs")
    print(f"referee and four C bots        {game:6.2f} µs a decision")
    print(f"starting and ending four bots  {around:6.2f} ms a game of {decisions / len(rounds):,.0f} decisions")
    print(f"ratio {ratio:.2f} (rounds {ratios[0]:.2f} to {ratios[-1]:.2f}), target at most {TARGET}")
    return ratio


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=31)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, pinned():
        pingpong = build(Path(folder), "pingpong")
        bots = [LocalProgram([str(build(Path(folder), "quickbot"))])] * 4
        one_round(bots, pingpong, 0)  # tables are made, code is warm
        rounds = [one_round(bots, pingpong, seed) for seed in range(1, arguments.rounds + 1)]
    return int(report(rounds) > TARGET)


if __name__ == "__main__":
    sys.exit(main())
