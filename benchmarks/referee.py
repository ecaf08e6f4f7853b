"""What the referee costs: a game of Tricky Eights to 300 points between four C bots that answer at once, against the
same number of bare round trips over pipes between two C processes.

    python -m benchmarks.referee [--rounds 31]

Everything is pinned to one core. A round plays one game, from the first deal to the result, and then makes as many bare
round trips as the game had decisions; a ratio is the median over the rounds of the ratio within a round. Neither side
counts starting and ending its processes; what that takes of the referee is printed apart. The same ratio of processor
time, the referee's and its bots', is less disturbed by other work on the machine. Exit status 1 above the target.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from games import get
from games.engine import Game, Options, Seat
from games.players import ProcessPlayer, Seated
from games.programs import LocalProgram, pinned
from games.referee import play

TARGET = 2.5
HERE = Path(__file__).parent
GAME = get("tricky_eights")


@dataclass(frozen=True)
class Spent:
    """Seconds by the wall clock, and of processor time of everybody who takes part."""

    wall: float
    processor: float


@dataclass(frozen=True)
class Round:
    decisions: int
    game: Spent  # from the first deal to the result
    around: float  # seconds for starting and ending four processes
    base: Spent  # as many bare round trips


class Timed(ProcessPlayer):
    """Notes what starting and ending its process took of the referee."""

    wall = processor = 0.0

    def begin(self, game: Game, seat: Seat, options: Options, random: Random) -> None:
        with self._noted():
            super().begin(game, seat, options, random)

    def close(self, place: int, grace: float = 1.0) -> None:
        with self._noted():
            super().close(place, grace)

    @contextmanager
    def _noted(self) -> Iterator[None]:
        wall, processor = time.perf_counter(), time.process_time()
        yield
        self.wall += time.perf_counter() - wall
        self.processor += time.process_time() - processor


def build(folder: Path, name: str) -> Path:
    """A C program of this folder, linked statically."""
    program = folder / name
    command = ["gcc", "-std=gnu17", "-O2", "-Wall", "-Wextra", "-Werror", "-static", "-o", program, HERE / f"{name}.c"]
    subprocess.run(command, check=True)
    return program


def one_round(bot: Path, pingpong: Path, seed: int) -> Round:
    players = [Timed(LocalProgram([str(bot)])) for _ in range(4)]
    seats = [Seated(f"bot {number}", "quickbot.c", player) for number, player in enumerate(players)]
    wall, processor = time.perf_counter(), time.process_time()
    record = play(GAME, seats, seed=seed, options=GAME.options(), preset="utah-1998").record
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    assert not record["result"]["disqualified"], "the bot of this benchmark is wrong"
    around = sum(player.wall for player in players)
    decisions = [event for event in record["events"] if "card" in event]
    bots = sum(event["cpu_ms"] for event in decisions[4:]) / 1000  # the first of each has its start in it
    game = Spent(wall - around, processor - sum(player.processor for player in players) + bots)
    output = subprocess.check_output([pingpong, "ping", str(len(decisions))])
    return Round(len(decisions), game, around, Spent(*(int(word) / 1e9 for word in output.split())))


def report(rounds: Sequence[Round]) -> float:
    decisions = sum(one.decisions for one in rounds)
    ratios = []
    for clock in ("wall", "processor"):
        sides = [(getattr(one.game, clock), getattr(one.base, clock)) for one in rounds]
        within = sorted(game / base for game, base in sides)
        ratios.append(statistics.median(within))
        game, base = (1e6 * sum(side) / decisions for side in zip(*sides, strict=True))
        print(
            f"{clock:10} referee and four C bots {game:6.2f} µs a decision, bare C {base:6.2f} µs: "
            f"ratio {ratios[-1]:.2f} (rounds {within[0]:.2f} to {within[-1]:.2f})"
        )
    around = statistics.median(one.around for one in rounds)
    print(f"starting and ending four bots: {1e3 * around:.2f} ms a game of {decisions / len(rounds):,.0f} decisions")
    print(f"target: the ratio by the wall clock is at most {TARGET}")
    return ratios[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=31)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, pinned():
        bot, pingpong = build(Path(folder), "quickbot"), build(Path(folder), "pingpong")
        one_round(bot, pingpong, 0)  # tables are made, code is warm
        rounds = [one_round(bot, pingpong, seed) for seed in range(1, arguments.rounds + 1)]
    return int(report(rounds) > TARGET)


if __name__ == "__main__":
    sys.exit(main())
