"""All checks and the default tests, or a part of the long run: what `./run test` and `./run test --long PART` do.

The checks run beside the tests. What fails runs once more when everything else has ended, alone. A test that passes
then is unstable: it is named, and the run passes, unless it protects a promise (the mark `promise`), more than
`MOST_UNSTABLE` tests are unstable, or one has stood in tests/unstable.txt for more than a week.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from xml.etree import ElementTree

from tests.parts import DEFAULT, PARTS

ROOT = Path(__file__).resolve().parent.parent
MOST_UNSTABLE = 3
PATIENCE = timedelta(days=7)
ALONE = ("clocks", "chaos", "day")
"""Parts whose tests run one at a time."""

PYTHON = sys.executable
CHECKS = {
    "ruff": [PYTHON, "-m", "ruff", "check", "."],
    "format": [PYTHON, "-m", "ruff", "format", "--check", "."],
    "templates": [PYTHON, "-m", "djlint", "templates", "games", "--lint", "--quiet"],
    "layers": [str(Path(PYTHON).with_name("lint-imports"))],
    "settings": [PYTHON, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
    "migrations": [PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"],
    "lock": ["docker/lock.sh", "--check"],
    "types": [PYTHON, "-m", "mypy"],
}


@dataclass
class Outcome:
    """What came of one call of pytest: tests by their names in its report."""

    status: int
    passed: set[str] = field(default_factory=set)
    failed: dict[str, str] = field(default_factory=dict)
    """With the first line of what was wrong."""
    skipped: int = 0


def run_pytest(part: str, *arguments: str) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        command = [PYTHON, "-m", "pytest", "--part", part, f"--junitxml={report}", *arguments]
        if part == "postgresql":
            command = [PYTHON, "-m", "tests.postgresql", *command]
        outcome = Outcome(subprocess.run(command, cwd=ROOT, check=False).returncode)
        if report.exists():
            read(report, outcome)
    return outcome


def read(report: Path, outcome: Outcome) -> None:
    """A test that failed and whose fixtures failed as well stands twice in a report."""
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        wrong = [element for element in case if element.tag in ("failure", "error")]
        if wrong:
            outcome.failed[name] = (wrong[0].get("message") or "").partition("\n")[0][:200]
        elif case.find("skipped") is not None:
            outcome.skipped += 1
        else:
            outcome.passed.add(name)
    outcome.passed -= set(outcome.failed)


class Checks(threading.Thread):
    """Runs all checks, one after the other, beside the tests."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.failed: dict[str, str] = {}
        """What they printed."""

    def run(self) -> None:
        for name, command in CHECKS.items():
            environment = os.environ | ({"HTTPS": "1"} if name == "settings" else {})
            ran = subprocess.run(
                command,
                cwd=ROOT,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
                stdin=subprocess.DEVNULL,
            )
            if ran.returncode:
                self.failed[name] = ran.stdout + ran.stderr


def expired() -> list[str]:
    """The lines of tests/unstable.txt that are more than a week older than the last commit. Not the clock: one tree
    always gets the same answer."""
    told = subprocess.run(["git", "log", "-1", "--format=%cs"], cwd=ROOT, capture_output=True, text=True, check=False)
    if told.returncode:
        return []  # a copy without its history
    head = date.fromisoformat(told.stdout.strip())
    lines = (ROOT / "tests/unstable.txt").read_text(encoding="utf-8").splitlines()
    entries = [line for line in lines if line and not line.startswith("#")]
    return [line for line in entries if head - date.fromisoformat(line.split()[0]) > PATIENCE]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="./run test", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    listed = "\n".join(f"{name:<11} {purpose}" for name, purpose in PARTS.items())
    parser.add_argument("--long", choices=PARTS, default=DEFAULT, metavar="PART", help=f"one of these:\n{listed}")
    part = parser.parse_args().long
    began = time.monotonic()
    checks = Checks()
    if part == DEFAULT:
        checks.start()
    # The tests wait a third of their time, so there are more processes than cores.
    workers = "0" if part in ALONE else str(2 * (os.cpu_count() or 1))
    first = run_pytest(part, "-n", workers, "--dist", "loadscope", "--no-loadscope-reorder")
    if part == DEFAULT:
        checks.join()
    unstable: dict[str, str] = {}
    if first.status == 1:
        print("── what failed, once more and alone", flush=True)
        look = ("--last-failed", "--last-failed-no-failures=none", "-m", "not promise")
        second = run_pytest(part, *look)
        unstable = {name: why for name, why in first.failed.items() if name in second.passed}
    return sum_up(part, first, unstable, checks.failed, time.monotonic() - began)


def sum_up(part: str, first: Outcome, unstable: dict[str, str], checks: dict[str, str], seconds: float) -> int:
    """Print what matters, and the counts on the very last line. Return the exit status."""
    print("── summary")
    failed = {name: why for name, why in first.failed.items() if name not in unstable}
    wrong = [f"{name} (check)\n{text}" for name, text in checks.items()]
    wrong += [f"FAILED {name} - {why}" for name, why in failed.items()]
    wrong += [f"unstable for more than a week: {line}" for line in expired()]
    for name, why in unstable.items():
        print(f"unstable: {name} failed ({why}), then passed alone. Enter it in tests/unstable.txt.")
    if len(unstable) > MOST_UNSTABLE:
        wrong.append(f"{len(unstable)} unstable tests are too many")
    if first.status not in (0, 1) or (first.status == 1 and not first.failed):
        wrong.append(f"pytest itself ended with {first.status}")
    print(*wrong, sep="\n")
    passed = len(first.passed) + len(unstable)
    print(f"{part}: {int(seconds // 60)} min {int(seconds % 60)} s")
    skipped = f", {first.skipped} skipped" if first.skipped else ""
    print(f"{passed} passed, {len(wrong)} failed{skipped}", flush=True)
    return 1 if wrong or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
