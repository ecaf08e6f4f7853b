"""No honest bot is accused and every guilty one is, whatever the machine does meanwhile: thousands of runs.

    python -m tests.verdicts [--runs 5000] [--minutes 45] [--only WORD] [--results FILE]

A run puts one question to a bot that uses a known part of its limits, at a place (level, user, control groups) and
in a circumstance, and compares the verdict with the one it deserves. An honest bot is accused if it is blamed for
anything; a failure of the machine is none of its faults. A guilty bot is missed unless it is blamed for what it did:
if the machine fails, it is asked again, as often as a match is played again.
Each core makes the runs of some places. Each result is appended to a file, so the command can be stopped at any time
and goes on where it was. Exit status 1 if anybody was accused or missed.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "contest.settings")

from submissions.languages import LANGUAGES
from submissions.sandbox import build
from tests.sandbox.matrix.places import PLACES, Place, state_of
from tests.sandbox.matrix.run import start_worker

MEGABYTE = 1 << 20
SECONDS, MEMORY = 0.3, 64 * MEGABYTE
OVER = 1.05 * SECONDS + 0.03
"""Seconds that a guilty bot takes: at least 5 % and 30 ms too many."""

SPENDER = rb"""
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
    double work, sleep; long bytes; int number;
    if (scanf("%lf %lf %ld %d", &work, &sleep, &bytes, &number) != 4) return 9;
    volatile char *block = malloc(bytes + 1);
    for (long at = 0; block && at < bytes; at += 4096) block[at] = 1;
    if (sleep) usleep(1e6 * sleep);
    while (clock() < work * CLOCKS_PER_SEC) { }
    if (number) kill(getpid(), number);
    puts("done");
    return 0;
}
"""


@dataclass(frozen=True, slots=True)
class Case:
    """What a bot does, and the verdict that it deserves: "ok" if it is honest."""

    name: str
    deserves: str
    work: float = 0.0
    sleep: float = 0.0
    held: int = 0
    signal: int = 0

    @property
    def question(self) -> str:
        return f"{self.work} {self.sleep} {self.held} {self.signal}\n"


CASES = (
    Case("80 % of its time", "ok", work=0.8 * SECONDS),
    Case("half of it asleep", "ok", work=0.4 * SECONDS, sleep=0.4 * SECONDS),
    Case("most of its memory", "ok", work=0.01, held=MEMORY - MEGABYTE),
    Case("computes too long", "timeout", work=OVER),
    Case("sleeps too long", "timeout", sleep=2 * SECONDS),
    # Without control groups, it must hold that for longer than the time between two looks (docs/security.md).
    Case("too much memory", "memory", work=0.1, held=MEMORY + max(MEMORY // 20, MEGABYTE // 2)),
    Case("kills itself", "crash", signal=signal.SIGKILL),
    Case("aborts", "crash", signal=signal.SIGABRT),
)
HELLO = Case("says hello", "ok")
"""By every language, with the least memory that it may have and five seconds to start."""
DESERVED = {case.name: case.deserves for case in (*CASES, HELLO)}

KINDS = ("right", "machine", "accused", "missed")
CIRCUMSTANCES = ("quiet", "busy", "crowded", "page cache", "suspended", "short of memory", "moved", "rivals")
TROUBLED = ("page cache", "suspended", "short of memory")
"""Where a guilty bot may be lucky: the machine takes some of the blame."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run. `language` of a bot that says hello; empty for one that spends."""

    place: str
    circumstance: str
    case: str
    language: str = ""

    @property
    def key(self) -> str:
        return " | ".join((self.place, self.circumstance, self.case, self.language))


def every_run() -> Iterator[Run]:
    """All different runs that are possible here."""
    installed = [slug for slug, language in LANGUAGES.items() if language.installed()]
    for place, circumstance in itertools.product([it for it in PLACES if not it.impossible], CIRCUMSTANCES):
        for case in CASES:
            if case.deserves == "ok" or circumstance not in TROUBLED:
                yield Run(str(place), circumstance, case.name)
        for slug in installed:
            yield Run(str(place), circumstance, HELLO.name, slug)


def artifacts(folder: Path) -> dict[str, str]:
    """The built programs as files, by language. The one that spends has no name."""
    from tests.sandbox.sandboxes import HELLO as BOTS

    sources = {"": ("c", SPENDER)} | {slug: (slug, text.encode()) for slug, text in BOTS.items()}
    found = {}
    for name, (slug, source) in sources.items():
        language = LANGUAGES[slug]
        if language.installed():
            made = build(language, source, f"mybot{language.extensions[0]}")
            assert made.artifact is not None, made.log
            path = folder / (name or "spender")
            path.write_bytes(made.artifact)
            path.chmod(0o644)
            found[name] = str(path)
    return found


class Worker:
    """A process at a place that makes runs (verdicts_worker.py)."""

    def __init__(self, place: Place, core: int, stack: ExitStack) -> None:
        self._core = core
        state = stack.enter_context(state_of(place))
        self._process = start_worker("tests.verdicts_worker", place, state, sys.stderr.fileno())
        stack.callback(self._process.wait)
        stack.callback(self._process.terminate)

    def make(self, run: Run, program: str, spender: str) -> str:
        """Make a run and return what became of it."""
        case = next(it for it in (*CASES, HELLO) if it.name == run.case)
        question = "one\n" if run.language else case.question
        job = {
            **asdict(run),
            "question": question,
            "program": program,
            "spender": spender,
            "seconds": SECONDS,
            "memory": MEMORY,
            "core": self._core,
        }
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(job).encode() + b"\n")
        self._process.stdin.flush()
        if run.circumstance == "suspended":
            self._suspend()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the worker at {run.place} has failed")
        return str(json.loads(line))

    def _suspend(self) -> None:
        """Let everything stand still for longer than the limit, at any moment."""
        time.sleep(random.uniform(0.0, 1.5 * SECONDS))
        tree = list(_tree(self._process.pid))
        for pid in tree:
            with suppress(OSError):
                os.kill(pid, signal.SIGSTOP)
        time.sleep(random.uniform(0.5, 4) * SECONDS)
        for pid in tree:
            with suppress(OSError):
                os.kill(pid, signal.SIGCONT)


def _tree(pid: int) -> Iterator[int]:
    yield pid
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            for child in Path(f"/proc/{pid}/task/{thread}/children").read_text().split():
                yield from _tree(int(child))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5000)
    parser.add_argument("--minutes", type=float, default=45)
    parser.add_argument("--only", default="", help="only runs whose name has this word")
    parser.add_argument("--results", type=Path, default=Path("var/verdicts.jsonl"))
    options = parser.parse_args()
    options.results.parent.mkdir(exist_ok=True)
    done = options.results.read_text().splitlines() if options.results.exists() else []
    results = [(Run(**run), became) for run, became in map(json.loads, done)]
    made, until = Counter(run for run, _ in results), time.monotonic() + 60 * options.minutes
    with tempfile.TemporaryDirectory(prefix="kibitz-verdicts-") as name, options.results.open("a") as file:
        Path(name).chmod(0o755)
        programs = artifacts(Path(name))
        wanted = [run for run in every_run() if options.only in run.key and run.language in programs]
        random.shuffle(wanted)
        wanted.sort(key=made.__getitem__)  # go on where it was stopped
        places = {str(place): place for place in PLACES if any(run.place == str(place) for run in wanted)}
        cores, stopped = sorted(os.sched_getaffinity(0)), threading.Event()

        def work(number: int) -> None:
            ours = [*places][number :: len(cores)]
            with ExitStack() as stack:
                workers = {name: Worker(places[name], cores[number], stack) for name in ours}
                for run in itertools.cycle([run for run in wanted if run.place in ours]):
                    if len(results) >= options.runs or time.monotonic() > until or stopped.is_set():
                        break
                    for _ in range(3 if DESERVED[run.case] != "ok" else 1):
                        became = workers[run.place].make(run, programs[run.language], programs[""])
                        if not became.startswith("machine"):
                            break
                    results.append((run, became))
                    file.write(json.dumps([asdict(run), became]) + "\n")
                    file.flush()

        with ThreadPoolExecutor(len(cores)) as pool:
            try:
                list(pool.map(work, range(len(cores))))
            finally:  # also of Ctrl-C
                stopped.set()
    return tell(results)


def tell(results: list[tuple[Run, str]]) -> int:
    """Print the table. Returns the exit status."""
    rows: dict[tuple[str, str], Counter[str]] = {}
    for run, became in results:
        due = DESERVED[run.case]
        wrong = became.split(":")[0] not in (("ok", "machine") if due == "ok" else (due,))
        kind = ("accused" if due == "ok" else "missed") if wrong else "machine" if became[:7] == "machine" else "right"
        rows.setdefault((run.place, run.circumstance), Counter()).update([kind])
        if wrong:
            print(f"{run.key}: {became}")
    print(f"{'':<40}{'right':>8}{'machine':>9}{'accused':>9}{'missed':>8}")
    total: Counter[str] = Counter()
    for (place, circumstance), found in sorted(rows.items()):
        print(f"{place:<22}{circumstance:<18}", *(f"{found[it]:>8}" for it in KINDS))
        total.update(found)
    guilty = sum(DESERVED[run.case] != "ok" for run, _ in results)
    print(
        f"honest: {total['accused']} of {len(results) - guilty} accused; guilty: {total['missed']} of {guilty} missed"
    )
    return 1 if total["accused"] or total["missed"] else 0


if __name__ == "__main__":
    import django

    django.setup()
    raise SystemExit(main())
