"""Every installed language, measured in the jail with its hello bot, and whether an honest program is accused.

    python -m benchmarks.languages [--runs 1000] [--no-games] [NAME…]

Prints the version, the time of a build, the median time from the start of a bot to its first answer, the time of a game
of Tricky Eights between four of them, and the least memory with which both still work, searched downwards from the
floor in the table of languages.

Then the hello bot is started 1,000 times, each time in a jail of its own, through all circumstances of
tests/sandbox/circumstances.py; the honest program and the players of the games' kits are started 100 times each.
Exit status 1 on any accusation or crash. `--no-games` does only this part.

Set `KIBITZ_CGROUP=off` to measure where only rlimits hold memory, and `KIBITZ_SANDBOX_WALLS=landlock` to measure
without namespaces.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack

import games
from games import referee
from games.kits import kit_files
from games.players import ProcessPlayer, Seated
from games.programs import ExitStatus
from submissions.languages import LANGUAGES, Language
from submissions.sandbox import BuildResult, Jail, Limits, build
from tests.sandbox.circumstances import Accused, circumstances_of, greet, hear_out
from tests.sandbox.sandboxes import HELLO, HONEST, MEGABYTE, line_of

GAME = games.get("tricky_eights")
TRIED = (64, 48, 40, 32, 24, 20, 16, 12, 10, 8, 6, 5, 4, 3, 2, 1.5, 1, 0.5)  # MB


class Wrong(Exception):
    """A bot that did not do what it does outside the jail."""


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
    """A game between four of them. Returns its seconds. Raises Wrong for any fault."""
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
    """The least memory that worked, in MB."""
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


def measure(language: Language, artifact: bytes, seconds: float) -> None:
    """Print the line of one language. Raises Wrong."""
    floor = language.memory_floor
    with Jail.open(artifact, language, Limits(memory_bytes=floor)) as jail:
        start = statistics.median(say_hello(jail) for _ in range(11))
    game, least = play(language, artifact, floor), least_memory(language, artifact)
    print(
        f"{language.name:<11} {seconds:6.2f} s {1000 * start:7.1f} ms {game:6.2f} s {least:5g} MB of"
        f" {floor // MEGABYTE:3} MB   {language.toolchain()}",
        flush=True,
    )


def built(language: Language, source: bytes, name: str = "", support: dict[str, bytes] | None = None) -> BuildResult:
    result = build(language, source, name or f"mybot{language.extensions[0]}", support)
    if result.artifact is None:
        raise Wrong(f"{name}: {result.reason}\n{result.log}")
    return result


def kit_players(language: Language) -> Iterator[tuple[str, bytes]]:
    """The name and artifact of every player in that language in the games' kits. Raises Wrong."""
    for game in games.GAMES.values():
        library = game.kit_sources.get(language.slug, ())
        files = {name: (game.folder / "kit" / name).read_bytes() for name in library}
        for name in kit_files(game, language.slug) if library else ():
            if name.startswith("random"):
                source = (game.folder / "kit" / name).read_bytes()
                yield f"{game.title}, {name}", built(language, source, name, files).artifact or b""


def accusations(language: Language, hello: bytes, runs: int) -> list[str]:
    """The accusations against honest programs, normally none. Raises Wrong when one cannot be built."""
    wrong: list[str] = []
    circumstances = circumstances_of(language)
    for run in range(runs):
        try:
            greet(hello, language, circumstances[run % len(circumstances)])
        except Accused as error:
            wrong.append(f"{error}")
    honest = built(language, HONEST[language.slug].encode()).artifact or b""
    players = dict(kit_players(language))  # some of them miss their questions, or their server, and say so
    for name, artifact in {"the honest program": honest, **players}.items():
        for _ in range(runs // 10):
            try:
                hear_out(artifact, language, name, must_like_it=name not in players)
            except Accused as error:
                wrong.append(f"{error}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--no-games", action="store_true", help="only start programs; measure nothing")
    parser.add_argument("languages", nargs="*", metavar="NAME", help=", ".join(LANGUAGES))
    options = parser.parse_args()
    if not options.no_games:
        print("language      build       start     game   least     floor    toolchain", flush=True)
    fine = True
    for slug, language in LANGUAGES.items():
        if options.languages and slug not in options.languages:
            continue
        if not language.installed():
            print(f"{language.name:<11} is not installed (Debian packages {language.package})", flush=True)
            continue
        try:
            result = built(language, HELLO[slug].encode())
            if not options.no_games:
                measure(language, result.artifact or b"", result.seconds)
            wrong = accusations(language, result.artifact or b"", options.runs)
        except Wrong as error:
            wrong = [f"{error}"]
        print(
            f"{language.name:<11} {len(wrong)} accusations in {options.runs} runs", *wrong[:3], sep="\n    ", flush=True
        )
        fine = fine and not wrong
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
