"""Where the memory limit bites: how many bytes a static C bot can touch before it is stopped, at a limit of 4 MB.

    python -m benchmarks.memory [--searches 8]

Bisection finds the limit, many times over: with fresh processes asked as fast as possible, each as hungry as the one
before, and with long-lived processes; for a worker as it is and for one 500 MB larger; with control groups and with
rlimits. Each line shows how far the lowest and the highest result were from the limit. Exit status 1 when one is off by
more than half a megabyte.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial

from games.programs import ExitStatus
from submissions.languages import LANGUAGES
from submissions.sandbox import Jail, Limits, build, probe

MEGABYTE = 1 << 20
LIMIT = 4 * MEGABYTE
TARGET = 0.5
STEP = 4096
BLOAT = 500 * MEGABYTE
EATER = b"""
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char line[99];
    while (fgets(line, sizeof line, stdin)) {
        long size = atol(line);
        char *block = malloc(size + 1);
        for (long at = 0; at < size; at += 4096)
            block[at] = 1;
        puts(block ? "eaten" : "refused");
        fflush(stdout);
        free(block);
    }
}
"""
Searches = tuple[list[int], list[int]]
"""Results in bytes: of fresh processes, of long-lived ones."""


def most_of(survives: Callable[[int], bool]) -> int:
    """The number of bytes that a bot can touch, to the page."""
    low, high = 0, 2 * LIMIT
    while high - low > STEP:
        middle = (low + high) // 2 // STEP * STEP
        low, high = (middle, high) if survives(middle) else (low, middle)
    return low


def asked(jail: Jail, size: int) -> bool:
    """Whether a fresh process survives its question."""
    answer = jail.ask(b"%d\n" % size, seconds=5.0)
    if answer.exit.status is ExitStatus.MEMORY:
        return False
    assert (answer.exit.status, answer.output) == (ExitStatus.EXITED, b"eaten\n"), answer
    return True


def kept(jail: Jail, size: int) -> bool:
    """Whether a long-lived process survives it twice and then ends by itself."""
    process = jail.start()
    said = b""
    for _ in range(2):
        try:
            os.write(process.stdin, b"%d\n" % size)
        except BrokenPipeError:
            break
        select.select([process.stdout], [], [], 5.0)
        said += os.read(process.stdout, 100)
    end = process.stop(5.0)
    assert (end.status is ExitStatus.MEMORY) or (end.status is ExitStatus.EXITED and said == b"eaten\neaten\n"), end
    return end.status is not ExitStatus.MEMORY


def search(bloat: int, searches: int) -> Searches:
    """Search in this process, after it has grown by that many bytes."""
    result = build(LANGUAGES["c"], EATER, "eater.c")
    assert result.artifact is not None, result.log
    ballast = b"\1" * bloat
    with Jail.open(result.artifact, LANGUAGES["c"], Limits(memory_bytes=LIMIT)) as jail:
        found = [[most_of(partial(how, jail)) for _ in range(searches)] for how in (asked, kept)]
    assert len(ballast) == bloat
    return found[0], found[1]


def searched(level: str, bloat: int, searches: int) -> Searches:
    """Search in a separate worker with that level and size."""
    words = [sys.executable, "-m", "benchmarks.memory", "--searches", f"{searches}", "--bloat", f"{bloat}"]
    off = {"KIBITZ_CGROUP": "off"} if level == "rlimits" else {}
    run = subprocess.run(words, env={**os.environ, **off}, stdout=subprocess.PIPE, check=True)
    fresh, lasting = json.loads(run.stdout)
    return fresh, lasting


def verdicts(searches: int) -> Iterator[tuple[str, float, float]]:
    """Every case with its lowest and highest result in megabytes above the limit."""
    levels = ["rlimits"] if probe().name != "full" else ["groups", "rlimits"]
    for level in levels:
        for bloat in (0, BLOAT):
            found = searched(level, bloat, searches)
            for how, sizes in zip(("per question", "long-lived"), found, strict=True):
                name = f"memory, {level}, {how}{', large worker' if bloat else ''}"
                yield name, (min(sizes) - LIMIT) / MEGABYTE, (max(sizes) - LIMIT) / MEGABYTE


def report(searches: int) -> int:
    """Print all cases. Returns how many miss the target."""
    missed = 0
    for name, low, high in verdicts(searches):
        bad = max(abs(low), abs(high)) > TARGET
        missed += bad
        print(f"{name:<44} {low:+6.2f} to {high:+5.2f} MB  at most ±{TARGET}{', MISSED' if bad else ''}", flush=True)
    return missed


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--searches", type=int, default=8)
    arguments.add_argument("--bloat", type=int, help="search in this process, grown by so many bytes; print JSON")
    options = arguments.parse_args()
    if options.bloat is None:
        return int(report(options.searches) > 0)
    print(json.dumps(search(options.bloat, options.searches)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
