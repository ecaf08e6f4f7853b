"""Every installed language, measured in the jail with its hello bot.

    python -m benchmarks.languages [--runs 1000] [NAME…]

Prints the version, the time of a build, the median time from the start of a bot to its first answer, the time of a game
of Tricky Eights by four of them, and the least memory, tried downwards from the floor of the table, with which both
still work. Then every bot is started 1,000 times with the memory of the floor and asked one question: one accusation or
crash, and the status is 1. `KIBITZ_CGROUP=off` measures the same where only rlimits hold memory.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from contextlib import ExitStack

import games
from games import referee
from games.players import ProcessPlayer, Seated
from games.programs import ExitStatus
from submissions.languages import LANGUAGES, Language
from submissions.sandbox import Jail, Limits, build
from tests.submissions.sandboxes import HELLO, MEGABYTE, line_of

GAME = games.get("tricky_eights")
TRIED = (64, 48, 40, 32, 24, 20, 16, 12, 10, 8, 6, 5, 4, 3, 2, 1.5, 1, 0.5)  # MB


class Wrong(Exception):
    """A bot that did not do what it does outside."""


def say_hello(jail: Jail) -> float:
    """One start, one question, one answer, a quiet end. Returns the seconds to the answer. Raises Wrong."""
    started = time.perf_counter()
    process = jail.start()
    os.write(process.stdin, b"one\n")
    answer = line_of(process)
    took = time.perf_counter() - started
    end = process.stop(10.0)
    if answer != b"got one\n" or end.status is not ExitStatus.EXITED or end.code:
        raise Wrong(f"{answer!r}, {end}")
    return took


def play(language: Language, artifact: bytes, memory: int) -> float:
    """A game by four of them. Returns its seconds. Raises Wrong for any fault."""
    with ExitStack() as stack:
        jails = [stack.enter_context(Jail.open(artifact, language, Limits(memory_bytes=memory))) for _ in range(4)]
        seats = [Seated(f"{seat}", language.product, ProcessPlayer(jail)) for seat, jail in enumerate(jails)]
        started = time.perf_counter()
        match = referee.play(GAME, seats, seed=1211, options=GAME.options({"target": 75}), preset=GAME.preset().name)
        took = time.perf_counter() - started
    if any(match.faults):
        raise Wrong(f"{match.faults}")
    return took


def least_memory(language: Language, artifact: bytes) -> float:
    """In MB, of those tried."""
    least = float(language.memory_floor // MEGABYTE)
    for size in (size for size in TRIED if size < least):
        try:
            with Jail.open(artifact, language, Limits(memory_bytes=int(size * MEGABYTE))) as jail:
                for _ in range(10):
                    say_hello(jail)
            play(language, artifact, int(size * MEGABYTE))
        except Wrong:
            break
        least = size
    return least


def measure(language: Language, runs: int) -> bool:
    """Print the line of one language. Returns whether no run went wrong."""
    result = build(language, HELLO[language.slug].encode(), f"mybot{language.extensions[0]}")
    if result.artifact is None:
        print(f"{language.name}: {result.reason}\n{result.log}", flush=True)
        return False
    floor = language.memory_floor
    with Jail.open(result.artifact, language, Limits(memory_bytes=floor)) as jail:
        start = statistics.median(say_hello(jail) for _ in range(11))
    game, least = play(language, result.artifact, floor), least_memory(language, result.artifact)
    wrong: list[str] = []
    with Jail.open(result.artifact, language, Limits(memory_bytes=floor)) as jail:
        for _ in range(runs):
            try:
                say_hello(jail)
            except Wrong as error:
                wrong.append(f"{error}")
    print(
        f"{language.name:<11} {result.seconds:6.2f} s {1000 * start:7.1f} ms {game:6.2f} s {least:5g} MB of"
        f" {floor // MEGABYTE:3} MB {len(wrong):4} of {runs}   {language.toolchain()}",
        *wrong[:3],
        sep="\n    ",
        flush=True,
    )
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("languages", nargs="*", metavar="NAME", help=", ".join(LANGUAGES))
    options = parser.parse_args()
    print("language      build       start     game   least     floor   wrong      toolchain", flush=True)
    fine = True
    for slug, language in LANGUAGES.items():
        if options.languages and slug not in options.languages:
            continue
        if language.installed():
            fine = measure(language, options.runs) and fine
        else:
            print(f"{language.name:<11} is not installed (Debian package {language.package})", flush=True)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
