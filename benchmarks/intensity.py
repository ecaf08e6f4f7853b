"""What a process for every question costs in Intensity.

    python -m benchmarks.intensity [--rounds 41]

Compares a full game between four static C bots in jails, with the real referee, with bare starts of the same program
for the same questions. Everything is pinned to one core. Each round plays one game, from the deal to the result, and
then starts the program 44 times without a jail, driven by a C program (intensity.c): 4 discards and 40 cards. The ratio
is the median over the rounds of the ratio within one round. Opening the jails and asking for the names happens once a
match and is printed apart. Exit status 1 when the ratio is above the target.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks.sandbox import unpacked
from games import get
from games.engine import Game
from games.hearing import Hearing
from games.players import Seated
from games.programs import pinned
from games.questions import QuestionPlayer
from games.referee import play
from submissions.languages import LANGUAGES
from submissions.sandbox import Jail, Limits, Parcel, build, probe

TARGET = 1.25
GAME = get("intensity")
BOT = "random.c"
DECISIONS = 44


@dataclass(frozen=True)
class Round:
    """Seconds."""

    game: float
    names: float
    base: float


class Timed(QuestionPlayer):
    """Notes how long asking for its name took, in seconds."""

    naming = 0.0

    def introduce(self, game: Game) -> str:
        started = time.perf_counter()
        name = super().introduce(game)
        self.naming += time.perf_counter() - started
        return name


def questions_of(events: Sequence[dict[str, object]]) -> list[bytes]:
    """The questions that the four bots of a game were asked, in order."""
    wires = [GAME.wire(seat, GAME.options(), None) for seat in range(4)]  # type: ignore[arg-type]
    hearing = Hearing(GAME, [(seat, wire.tell) for seat, wire in enumerate(wires)])
    found = []
    for event in events:
        if event["event"] in ("pass", "play"):
            found.append(wires[int(str(event["seat"]))].question()[0])
        hearing.tell(event)
    return found


class Bench:
    """The built programs."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.bare = folder / "bare"
        subprocess.run(["gcc", "-O2", "-o", self.bare, Path(__file__).with_suffix(".c")], check=True)
        built = build(LANGUAGES["c"], (GAME.folder / "kit" / BOT).read_bytes(), BOT)
        assert built.artifact is not None, built.log
        limits = Limits(memory_bytes=GAME.preset().memory_mb << 20)
        started = time.perf_counter()
        parcel = Parcel.of(built.artifact)
        self.jails = [stack.enter_context(Jail.open(parcel, LANGUAGES["c"], limits)) for _ in range(4)]
        self.opening = time.perf_counter() - started
        self.bot = unpacked(parcel)

    def round(self, seed: int) -> Round:
        players = [Timed(jail) for jail in self.jails]
        seats = [Seated(f"bot {number}", BOT, player) for number, player in enumerate(players)]
        started = time.perf_counter()
        match = play(GAME, seats, seed=seed, options=GAME.options(), preset=GAME.preset().name)
        whole = time.perf_counter() - started
        assert match.faults == [[], [], [], []], "the bot of this benchmark is wrong"
        questions = questions_of(match.record["events"])
        assert len(questions) == DECISIONS
        names = sum(player.naming for player in players)
        return Round(whole - names, names, self._bare(questions))

    def _bare(self, questions: Sequence[bytes]) -> float:
        files = []
        for number, question in enumerate(questions):
            file = self.folder / f"{number}"
            file.write_bytes(question)
            files.append(str(file))
        return int(subprocess.check_output([self.bare, self.bot, *files])) / 1e9


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=41)
    arguments = parser.parse_args()
    probe().demand()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack, pinned():
        bench = Bench(Path(folder), stack)
        for seed in range(3):
            bench.round(seed)  # tables are made, code is warm
        rounds = [bench.round(seed) for seed in range(3, arguments.rounds + 3)]
        opening = bench.opening
    ratios = sorted(one.game / one.base for one in rounds)
    ratio = statistics.median(ratios)
    print(f"{DECISIONS} bare starts        {1e3 * statistics.median(one.base for one in rounds):7.2f} ms")
    print(f"a game of four C bots {1e3 * statistics.median(one.game for one in rounds):7.2f} ms")
    print(f"asking for four names {1e3 * statistics.median(one.names for one in rounds):7.2f} ms a match")
    print(f"opening four jails    {1e3 * opening:7.2f} ms a match")
    print(f"ratio {ratio:.2f} (rounds {ratios[0]:.2f} to {ratios[-1]:.2f}), target at most {TARGET}")
    return int(ratio > TARGET)


if __name__ == "__main__":
    sys.exit(main())
