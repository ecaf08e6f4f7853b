"""A bracket of 64 teams from start to champion, played by one worker in the sandbox: the time spent outside the bots.

    python -m benchmarks.bracket [--teams 64] [--target 300] [--advance 2]

All bots are one of the demo's, in C++ over the contest's acm98 library. Time in the bots is what the records hold: from
the first byte of a question to its answer. The rest is ours: claiming, jails, rules, referee, records, ratings, the
next rounds. Each part is measured around the functions that do it. Compare machines by the ratios within a run only.
"""

import argparse
import os
import shutil
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402
from django.utils import timezone  # noqa: E402

from contest.ledger import hold  # noqa: E402
from games import record as records  # noqa: E402
from games.format import thinking_times  # noqa: E402
from submissions import pool  # noqa: E402
from tests.tournaments.stagecraft import Hall  # noqa: E402
from tournaments import demo  # noqa: E402
from tournaments.kinds import following  # noqa: E402
from tournaments.kinds.planned import PLANNED  # noqa: E402
from tournaments.models import Match, Stage  # noqa: E402
from tournaments.playing import play  # noqa: E402
from tournaments.results import ratings  # noqa: E402
from tournaments.seating import queue  # noqa: E402

SOURCE = demo.BOTS / "highest.cpp"
SPENT: dict[str, float] = defaultdict(float)


def timed(module: Any, name: str, part: str) -> None:
    """Add the time of every call of a function to a part of the total."""
    function: Callable[..., Any] = getattr(module, name)

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        started = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            SPENT[part] += time.perf_counter() - started

    setattr(module, name, wrapped)


def arrange(teams: int, target: int, advance: int) -> Stage:
    """A stage about to start, with everybody's bot built."""
    hall = Hall(teams=teams, target=target, bots=False)
    hall.enter_bots(SOURCE.read_bytes(), "cpp", SOURCE.name)
    for team in hall.teams:
        pool.artifact_of(team.submissions.select_related("team__contest").get())
    started = time.perf_counter()
    stage = hall.stage(advance=advance)
    SPENT["start the stage"] = time.perf_counter() - started
    return stage


def in_bots() -> float:
    total = 0.0
    for match in Match.objects.done().select_related("record"):
        record = records.loads(match.record.text())
        total += sum(map(sum, thinking_times(record))) / 1000
    return total


def run(teams: int, target: int, advance: int) -> int:
    stage = arrange(teams, target, advance)
    timed(play, "seated", "open the jails")
    timed(play.referee, "play", "play the games")
    timed(play, "finish", "write results and ratings")
    timed(following, "reconcile", "schedule what follows")
    lengths = []
    started = time.perf_counter()
    while Match.objects.claimable(timezone.now()).exists():
        before = time.perf_counter()
        play.play_next("benchmark")
        lengths.append(time.perf_counter() - before)
    wall = time.perf_counter() - started
    stage.refresh_from_db()
    if stage.state != Stage.State.DONE:
        print(f"the stage is {stage.state}: {[match.last_error for match in Match.objects.troubled()]}")
        return 1
    report(wall, in_bots(), lengths)
    return 0


def report(wall: float, bots: float, lengths: list[float]) -> None:
    SPENT["play the games"] -= bots
    rest = wall - bots - sum(value for part, value in SPENT.items() if part != "start the stage")
    print(f"{len(lengths)} matches in {wall:.2f} s, {1000 * statistics.median(lengths):.0f} ms each (median)")
    print(f"{'in the bots, as recorded':32} {bots:7.2f} s  {bots / wall:6.1%}")
    for part, seconds in SPENT.items():
        note = "  (once, not in the sum)" if part == "start the stage" else ""
        print(f"{part:32} {seconds:7.2f} s  {seconds / wall:6.1%}{note}")
    print(f"{'claim, lease, everything else':32} {rest:7.2f} s  {rest / wall:6.1%}")
    outside = wall - bots
    print(f"outside the bots: {1000 * outside / len(lengths):.0f} ms a match, {outside / bots:.2f} × their time")
    started = time.perf_counter()
    stage = Stage.objects.select_related("contest").get()
    PLANNED.plan(stage)
    planned = time.perf_counter() - started
    started = time.perf_counter()
    with transaction.atomic():
        ratings.start_over(hold(stage.contest_id))
    changed = sum(iter(lambda: ratings.catch_up(stage.contest_id), None))
    rated = time.perf_counter() - started
    print(f"the whole plan again: {1000 * planned:.0f} ms; all ratings again: {1000 * rated:.0f} ms, {changed} changed")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--teams", type=int, default=64)
    parser.add_argument("--target", type=int, default=300)
    parser.add_argument("--advance", type=int, default=2)
    options = parser.parse_args()
    queue.wake = lambda count: True  # this process plays, and there is no broker
    try:
        call_command("migrate", verbosity=0)
        return run(options.teams, options.target, options.advance)
    finally:
        shutil.rmtree(settings.VAR_DIR, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
