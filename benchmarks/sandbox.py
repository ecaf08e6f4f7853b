"""What the sandbox costs, as ratios to the same work without it.

    python -m benchmarks.sandbox [--rounds 7] [--quick]

First two workers on two cores are compared with one. Then everything is pinned to one core: each round measures all
variants one after the other, and a ratio is the median over the rounds of the ratio within one round. Absolute
measurements come last: how late time limits are, and how exact the memory limit is (benchmarks/memory.py). Exit status
1 when a target is missed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks import memory, referee
from games.debug import DebugLog
from games.pipes import LinePipes
from games.programs import pinned
from submissions.languages import LANGUAGES
from submissions.sandbox import Jail, Limits, Parcel, build, probe, walls
from submissions.sandbox.roots import root_of

QUESTION = b"play n d9 e d3 s dk w dj and so on 38\n"
MEMORY = {"c": 4 << 20, "python": 64 << 20}
ONCE = b'#include <stdio.h>\nint main(void) { char b[99]; if (fgets(b, 99, stdin)) puts("dk"); return 0; }\n'
BOTS = {
    "c": b"#include <stdio.h>\n"
    b'int main(void) { char b[99]; while (fgets(b, 99, stdin)) { puts("dk"); fflush(stdout); } }\n',
    "python": b"import sys\nfor line in sys.stdin:\n    sys.stdout.write('dk\\n')\n    sys.stdout.flush()\n",
}


@dataclass(frozen=True)
class Measure:
    """One line of the result: what is measured, its base, and the highest ratio allowed."""

    name: str
    base: str
    most: float | None


MEASURES = (
    Measure("jail with first decision", "bare spawn", 8.0),
    Measure("jail closed", "bare spawn", None),
    Measure("process per question", "bare spawn", 1.25),
    Measure("processor time per question", "bare spawn, processor time", 1.25),
    Measure("round trip, C bot", "bare round trip", 1.8),
    Measure("round trip, Python bot", "bare round trip", 2.5),
    Measure("decision of four C bots", "bare trip, in turns", 2.5),
    Measure("decision of four Python bots", "bare trip, in turns", 3.5),
)


class Bench:
    """The built programs, and one round of every measurement in seconds."""

    def __init__(self, folder: Path, scale: float) -> None:
        self.scale = scale
        self.bare = folder / "bare"
        source = Path(__file__).with_suffix(".c")
        subprocess.run(["gcc", "-O2", "-o", str(self.bare), str(source)], check=True)
        self.bots = {slug: _built(slug, code) for slug, code in BOTS.items()}
        quick = {"c": "quickbot.c", "python": "quickbot.py"}
        self.quick = {slug: _built(slug, source.with_name(name).read_bytes()) for slug, name in quick.items()}
        self.pingpong = referee.build(folder, "pingpong")
        self.seed = 0
        self.once = _built("c", ONCE)
        self.files = {"once": unpacked(self.once), "loop": unpacked(self.bots["c"])}

    def round(self) -> dict[str, float]:
        wall, cpu = self._bare("spawn", 300, "once")
        trip, _ = self._bare("rounds", 20_000, "loop")
        opening, closing = self._opening()
        question, question_cpu = self._questions()
        return {
            "bare spawn": wall,
            "bare spawn, processor time": cpu,
            "bare round trip": trip,
            "jail with first decision": opening,
            "jail closed": closing,
            "process per question": question,
            "processor time per question": question_cpu,
            "round trip, C bot": self._rounds("c"),
            "round trip, Python bot": self._rounds("python"),
            **self._games(),
        }

    def _games(self) -> dict[str, float]:
        """Seconds of a decision in a whole game of four bots, with the real referee, and of a bare round trip.

        What the bots are told between questions is sent with the next question.
        """
        self.seed += 1
        played = {slug: self._game(slug) for slug in self.quick}
        found = {f"decision of four {LANGUAGES[slug].name} bots": it.game / it.decisions for slug, it in played.items()}
        bare = sum(it.base for it in played.values()) / sum(it.decisions for it in played.values())
        return found | {"bare trip, in turns": bare}

    def _game(self, slug: str) -> referee.Round:
        limits = Limits(memory_bytes=MEMORY[slug])
        with ExitStack() as stack:
            jails = [stack.enter_context(Jail.open(self.quick[slug], LANGUAGES[slug], limits)) for _ in range(4)]
            return referee.one_round(jails, self.pingpong, self.seed)

    def _bare(self, what: str, times: int, bot: str) -> tuple[float, float]:
        run = subprocess.run(
            [str(self.bare), what, f"{int(times * self.scale)}", str(self.files[bot])], check=True, capture_output=True
        )
        wall, cpu = run.stdout.split()
        return float(wall) / 1e9, float(cpu) / 1e9

    def _opening(self) -> tuple[float, float]:
        opened, closed = [], []
        for _ in range(int(40 * self.scale)):
            started = time.perf_counter()
            jail = Jail.open(self.bots["c"], LANGUAGES["c"], Limits(memory_bytes=MEMORY["c"]))
            _trip(LinePipes(jail.start(), DebugLog()))
            opened.append(time.perf_counter() - started)
            started = time.perf_counter()
            jail.close()
            closed.append(time.perf_counter() - started)
        return statistics.median(opened), statistics.median(closed)

    def _questions(self) -> tuple[float, float]:
        times = int(300 * self.scale)
        with Jail.open(self.once, LANGUAGES["c"], Limits(memory_bytes=MEMORY["c"])) as jail:
            started, ours, theirs = time.perf_counter(), time.process_time(), 0.0
            for _ in range(times):
                answer = jail.ask(QUESTION, seconds=5.0)
                theirs += answer.exit.cpu_seconds
            return (time.perf_counter() - started) / times, (time.process_time() - ours + theirs) / times

    def _rounds(self, slug: str) -> float:
        times = int(10_000 * self.scale)
        with Jail.open(self.bots[slug], LANGUAGES[slug], Limits(memory_bytes=MEMORY[slug])) as jail:
            pipes = LinePipes(jail.start(), DebugLog())
            _trip(pipes)
            started = time.perf_counter()
            for _ in range(times):
                _trip(pipes)
            return (time.perf_counter() - started) / times


def _trip(pipes: LinePipes) -> int:
    """A round trip as the referee makes it: deadline, byte cap, line assembly, parse. It reads the processor's clock
    only for bots that take a millisecond."""
    return CARDS[pipes.ask(QUESTION, time.perf_counter(), 4.0, 0).strip()]


CARDS = {suit + face: number for number, (suit, face) in enumerate((s, f) for s in (b"c", b"d") for f in (b"2", b"k"))}


def _built(slug: str, source: bytes) -> Parcel:
    """The artifact as jails get it from the database: known by a key, loaded when needed."""
    result = build(LANGUAGES[slug], source, f"bot{LANGUAGES[slug].extensions[0]}")
    artifact = result.artifact
    assert artifact is not None, result.log
    return Parcel.of(artifact)


def unpacked(parcel: Parcel) -> Path:
    """The very file of a C bot that jails run. A copy starts up to a tenth slower or faster, because the kernel keeps
    it in memory in smaller or larger pieces."""
    return root_of(parcel, LANGUAGES["c"].mounts, walls.hostnames()) / "box" / "bot"


def overshoot(runs: int) -> float:
    """The 95th percentile, in ms, of how long a sleeping bot outlives a wall limit of 50 ms."""
    sleeper = _built("c", b"#include <unistd.h>\nint main(void) { for (;;) pause(); }\n")
    late = []
    with Jail.open(sleeper, LANGUAGES["c"], Limits(memory_bytes=MEMORY["c"])) as jail:
        for _ in range(runs):
            answer = jail.ask(b"", seconds=0.05)
            late.append(1000 * answer.exit.wall_seconds - 50)
    return statistics.quantiles(late, n=20)[-1]


def questions_in(seconds: float, artifact: Parcel, core: int) -> int:
    """How many questions a separate worker on that core answers, each with a fresh process."""
    os.sched_setaffinity(0, {core})
    count, ends = 0, time.perf_counter() + seconds
    with Jail.open(artifact, LANGUAGES["c"], Limits(memory_bytes=MEMORY["c"])) as jail:
        while time.perf_counter() < ends:
            jail.ask(QUESTION, seconds=5.0)
            count += 1
    return count


def two_workers(rounds: int, seconds: float) -> float | None:
    """The throughput of two workers on two cores, relative to one; None on a machine with one core."""
    cores = sorted(os.sched_getaffinity(0))[-2:]
    if len(cores) < 2:
        return None
    artifact, ratios = _built("c", ONCE), []
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for _ in range(rounds):
            alone = pool.apply(questions_in, (seconds, artifact, cores[0]))
            both = pool.starmap(questions_in, [(seconds, artifact, core) for core in cores], chunksize=1)
            ratios.append(sum(both) / alone)
    return statistics.median(ratios)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--quick", action="store_true", help="do a third of the work")
    options = arguments.parse_args()
    probe().demand()
    print(f"sandbox: {probe()}")
    missed = 0
    if (ratio := two_workers(options.rounds, 0.5 if options.quick else 2.0)) is not None:
        missed += ratio < 1.9
        print(f"{'two workers against one':<32} {ratio:8.2f} x  at least 1.9{', MISSED' if ratio < 1.9 else ''}")
    with pinned(max(os.sched_getaffinity(0))), tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), 1 / 3 if options.quick else 1.0)
        rounds = [bench.round() for _ in range(options.rounds)]
        for name in ("bare spawn", "bare round trip"):
            print(f"{name:<32} {1e6 * statistics.median(it[name] for it in rounds):8.1f} µs")
        for measure in MEASURES:
            ratios = sorted(it[measure.name] / it[measure.base] for it in rounds)
            ratio = statistics.median(ratios)
            bad = measure.most is not None and ratio > measure.most
            missed += bad
            target = f"at most {measure.most:g}" + (", MISSED" if bad else "") if measure.most else ""
            absolute = 1e6 * statistics.median(it[measure.name] for it in rounds)
            print(f"{measure.name:<32} {absolute:8.1f} µs  {ratio:6.2f} x {measure.base}"
                  f" [{ratios[0]:.2f}..{ratios[-1]:.2f}]  {target}")  # fmt: skip
        late = overshoot(30 if options.quick else 100)
        missed += late > 5
        print(f"{'wall limit overshoot, p95':<32} {late:8.2f} ms  at most 5{', MISSED' if late > 5 else ''}")
    missed += memory.report(3 if options.quick else 8)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
