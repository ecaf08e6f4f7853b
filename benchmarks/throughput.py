"""Results per second with 16 workers whose players answer at once: what claiming, writing and pairing cost.

    python -m benchmarks.throughput [--workers 16] [--seconds 20] [--queued 100000] [--sqlite]

It starts a PostgreSQL server of its own, unless it is told to use SQLite. The referee is a stub that returns a record
played before, with chance for its result, so the code measured is that of `tournaments.playing`, the ledger, tallies,
ratings, and the pairing of ladders.
Parts: a claim with 100,000 queued matches; one contest with a ladder of 500 teams; ten contests, half of them with
ladders, half with queued rounds; 1,000 teams and 10,000 matches rated anew.

Targets: a claim takes less than 5 ms; at least 100 results per second in one contest (60 with SQLite) and 300 in ten;
at most 20 queries and 20 ms of processor a result, workers and server together; claiming and writing hold the
contest's lock for less than 20 ms, in 99 of 100 cases; rating anew takes less than 2 s. Exit status 1 when one is
missed.

The workers share the machine's cores with the server: the rates need a quiet machine. Queries, and ratios to a fixed
piece of work, mean the same on a busy one.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import shutil
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

INSIDE = "--inside"  # the process that the server was started for

if INSIDE not in sys.argv and "--sqlite" not in sys.argv:
    from tests import postgresql

    if __name__ == "__main__":
        sys.exit(postgresql.main([sys.executable, "-m", "benchmarks.throughput", INSIDE, *sys.argv[1:]]))

import django  # noqa: E402

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from celery import current_app  # noqa: E402
from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402
from django.utils import timezone  # noqa: E402

from benchmarks.crowd import quantile  # noqa: E402
from benchmarks.pages import piece_of_work  # noqa: E402
from contest import workers  # noqa: E402
from contest.models import Contest  # noqa: E402
from games import referee  # noqa: E402
from games.players import Seated  # noqa: E402
from submissions.models import Submission  # noqa: E402
from tests.cast import make_contest  # noqa: E402
from tests.tournaments import scenes  # noqa: E402
from tests.tournaments.stagecraft import refereed  # noqa: E402
from tournaments import formats  # noqa: E402
from tournaments.kinds import following, schedule  # noqa: E402
from tournaments.models import Match, MatchSeat, Stage, Table  # noqa: E402
from tournaments.organising import stages  # noqa: E402
from tournaments.playing import play  # noqa: E402
from tournaments.results import tallies  # noqa: E402
from tournaments.seating import queue  # noqa: E402

CLAIM, QUERIES, PROCESSOR, HELD, ANEW = 0.005, 20, 0.020, 0.020, 2.0
ONE, ONE_WITH_SQLITE, TEN = 100, 60, 300
GAME = "barracuda"
CALLS = multiprocessing.Semaphore(0)  # in place of the broker: a call for each match that is queued
WATCHED = ("claim", "write", "reconcile")  # parts of names of functions: which of them held the contest
LOCK = re.compile(r'contest_contest.*FOR NO KEY UPDATE|^UPDATE "?contest_contest', re.DOTALL)


# Contests -------------------------------------------------------------------------------------------------------------


def ladder_of(teams: int) -> Stage:
    contest = make_contest(name=f"Ladder of {teams}", game=GAME)
    scenes.enter(contest, teams)
    stage = stages.create(contest, None, stages.Wish("Ladder", "ladder", {"games": 1}))
    stages.start(stage, None)
    stage.refresh_from_db()
    return stage


def rounds_of(teams: int, queued: int) -> Stage:
    """A stage under way with that many queued matches of two. They are rows without a plan, which would take minutes
    to draw, so their contest must not be reconciled before they are played."""
    stage = ladder_of(teams)
    stage.matches.all().delete()
    options = formats.get("round_robin").options({}, stage.contest.game)
    Stage.objects.filter(pk=stage.pk).update(format="round_robin", options=options)
    stage.refresh_from_db()
    table, _ = Table.objects.get_or_create(stage=stage, round=1, number=1, defaults={"name": "Table"})
    contest = stage.contest
    values = {
        "contest": contest, "stage": stage, "table": table, "seed": 1, "options": contest.full_options(),
        "counts_from": 1, "limits": {"memory_mb": 64, "startup_seconds": 5.0},
        "due_at": timezone.now() - timedelta(minutes=1),
    }  # fmt: skip
    matches = Match.objects.bulk_create((Match(number=n + 10, **values) for n in range(queued)), batch_size=5000)
    versions = list(Submission.objects.active().filter(team__contest=contest).values_list("team", "pk"))
    random = Random(7)
    MatchSeat.objects.bulk_create(
        (
            MatchSeat(match=match, index=index, team_id=team, submission_id=version)
            for match in matches
            for index, (team, version) in enumerate(random.sample(versions, 2))
        ),
        batch_size=5000,
    )
    workers.wake(queue.PLAY, times=queued)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return stage


# The stub -------------------------------------------------------------------------------------------------------------


def template() -> referee.Match:
    """A match of house players. Every match gets its record, without any decisions: nobody made one."""
    stage = ladder_of(2)
    claimed = play.claim(stage.matches.get().pk, "template")
    assert claimed
    played = refereed(claimed)
    events = played.record["events"]
    short = [events[0], next(event for event in events if event["event"] == "result")]
    played = replace(played, record={**played.record, "events": short})
    play.finish(claimed, played)
    Contest.objects.filter(pk=stage.contest_id).update(ended_at=timezone.now())
    Stage.objects.filter(pk=stage.pk).update(state=Stage.State.DONE)
    return played


def stub(template: referee.Match, random: Random) -> Callable[..., referee.Match]:
    def referee_match(claimed: Match, *_: Any, **__: Any) -> referee.Match:
        play.prepared(claimed, lambda seat, number: Seated(seat.name, "bot", None, number))  # type: ignore[arg-type]
        wins = random.random() < 0.5
        low = random.randrange(21)
        result = {**template.record["result"], "scores": [21, low] if wins else [low, 21]}
        result["places"] = [1, 2] if wins else [2, 1]
        return replace(template, record={**template.record, "result": result})

    return referee_match


# Measuring ------------------------------------------------------------------------------------------------------------


class Meter:
    """Counts queries, and times each lock of a contest from its statement's end to the end of the transaction."""

    def __init__(self) -> None:
        self.taken = Counter[str]()  # queries, looks that found nothing, seconds of processor
        self.held = defaultdict[str, list[float]](list)  # seconds of each lock, by who held it
        self._since: float | None = None

    def __call__(self, execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        self.taken["queries"] += 1
        answer = execute(sql, *arguments)
        if self._since is None and connection.in_atomic_block and LOCK.search(sql):
            self._since = time.perf_counter()
            name = _holder()
            transaction.on_commit(lambda: self._released(name))
        return answer

    def _released(self, name: str) -> None:
        if self._since is not None:
            self.held[name].append(time.perf_counter() - self._since)
        self._since = None


def _holder() -> str:
    frame = sys._getframe(2)
    while frame is not None:
        for name in WATCHED:
            if frame.f_code.co_name.startswith(name):
                return name
        frame = frame.f_back  # type: ignore[assignment]
    return "other"


def work(number: int, seconds: float, template: referee.Match, pipe: Any) -> None:
    """A worker: plays whatever is due until the time is over."""
    connection.close()
    play.referee_match = stub(template, Random(number))
    meter = Meter()
    play.play_next(f"warm:{number}")
    pipe.recv()
    ends, began = time.monotonic() + seconds, time.process_time()
    with connection.execute_wrapper(meter):
        while time.monotonic() < ends:
            if CALLS.acquire(timeout=0.1) and play.play_next(f"bench:{number}") is None:
                meter.taken["empty"] += 1
    meter.taken["processor"] = time.process_time() - began  # type: ignore[assignment]
    connection.close()
    pipe.send((meter.taken, meter.held))


def server_time() -> float:
    """Seconds of processor used by those connections to PostgreSQL that have ended."""
    if connection.vendor == "sqlite":
        return 0.0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = cursor.fetchone()[0]

    def numbers(pid: str) -> list[str]:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()

    return sum(map(int, numbers(numbers(backend)[1])[13:15])) / os.sysconf("SC_CLK_TCK")


def run(workers: int, seconds: float, template: referee.Match) -> tuple[float, Counter[str], dict[str, list[float]]]:
    """Results per second, and what all workers counted and timed."""
    connection.close()
    fork = multiprocessing.get_context("fork")
    pipes = []
    processes = []
    for number in range(workers):
        mine, theirs = fork.Pipe()
        process = fork.Process(target=work, args=(number, seconds, template, theirs), daemon=True)
        process.start()
        pipes.append(mine)
        processes.append(process)
    time.sleep(1.0)
    before, served = Match.objects.filter(state="done").count(), server_time()
    connection.close()
    began = time.perf_counter()
    for pipe in pipes:
        pipe.send("go")
    time.sleep(2)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as the server does by itself within a minute
    connection.close()
    total, all_held = Counter[str](), defaultdict[str, list[float]](list)
    for pipe in pipes:
        taken, held = pipe.recv()
        total.update(taken)
        for name, times in held.items():
            all_held[name] += times
    took = time.perf_counter() - began
    for process in processes:
        process.join()
    total["results"] = Match.objects.filter(state="done").count() - before
    total["processor"] += server_time() - served  # type: ignore[assignment]
    return total["results"] / took, total, all_held


class Verdict:
    """Prints each figure with its target, and milliseconds also as ratios to a fixed piece of work."""

    def __init__(self) -> None:
        self.missed: list[str] = []
        self.work = piece_of_work()
        print(f"Ratios are to a piece of work of {self.work:.1f} ms")

    def say(self, what: str, value: float, unit: str, target: float | None = None, *, least: bool = False) -> None:
        good = target is None or (value >= target if least else value <= target)
        aim = "" if target is None else f"   target {'≥' if least else '≤'} {target:g}{'' if good else '   MISSED'}"
        ratio = f"{value / self.work:>8.2f}" if unit == "ms" else " " * 8
        print(f"{what:<58}{value:>10.1f} {unit:<2}{ratio}{aim}", flush=True)
        if not good:
            self.missed.append(what)


def measure_claims(verdict: Verdict, times: int = 300) -> None:
    """One worker claims while nobody else is there; each claim is given back."""
    took = []
    for _ in range(times):
        started = time.perf_counter()
        claimed = play.claim_next("bench")
        took.append(time.perf_counter() - started)
        assert claimed
        play.give_back("bench", [it.pk for it in claimed])
    verdict.say("   a claim, median", 1000 * quantile(took, 50), "ms", 1000 * CLAIM)
    verdict.say("   a claim, 95 of 100 are below", 1000 * quantile(took, 95), "ms")


def measure(verdict: Verdict, options: argparse.Namespace, template: referee.Match, rate: float) -> None:
    per_second, taken, all_held = run(options.workers, options.seconds, template)
    done = max(1, taken["results"])
    verdict.say("   results per second", per_second, "/s", rate, least=True)
    verdict.say("   queries per result, everything included", taken["queries"] / done, "", QUERIES)
    verdict.say("   processor per result, with the server", 1000 * taken["processor"] / done, "ms", 1000 * PROCESSOR)
    verdict.say("   looks that found nothing, per result", taken["empty"] / done, "")
    for name, held in sorted(all_held.items()):
        aim = None if name in ("reconcile", "other") else 1000 * HELD
        verdict.say(f"   {name} holds the contest: median", 1000 * quantile(held, 50), "ms")
        verdict.say(f"   {name} holds the contest: 99 of 100 are below", 1000 * quantile(held, 99), "ms", aim)
        verdict.say(f"   {name}: times per result", len(held) / done, "")


def measure_rating(verdict: Verdict) -> None:
    contest = make_contest(name="Rated anew", game="hearts")
    scenes.many(contest, 1000, 10_000)
    started = time.perf_counter()
    tallies.count_all(contest)
    verdict.say("   ratings and totals", 1000 * (time.perf_counter() - started), "ms", 1000 * ANEW)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(INSIDE, action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--sqlite", action="store_true")
    parser.add_argument("--workers", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--queued", type=int, default=100_000)
    parser.add_argument("--teams", type=int, default=500)
    parser.add_argument("--only", choices=["claim", "one", "ten", "anew"])
    options = parser.parse_args()
    setup_test_environment()
    workers.wake = lambda task, *_, times=1: (
        task == queue.PLAY and bool([CALLS.release() for _ in range(times)])  # type: ignore[func-returns-value]
    )
    current_app.conf.broker_url = "memory://"
    verdict = Verdict()
    try:
        call_command("migrate", verbosity=0)
        # Rows without a plan cannot be reconciled.
        of_ladders = following.reconcile
        following.reconcile = lambda stage: of_ladders(stage) if stage.format == "ladder" else schedule.Changes()
        played = template()
        if options.only in (None, "one"):
            print(f"One contest, a ladder of {options.teams} teams, {options.workers} workers")
            ladder_of(options.teams)
            measure(verdict, options, played, ONE_WITH_SQLITE if options.sqlite else ONE)
            Stage.objects.update(state=Stage.State.DONE)
        if options.only in (None, "ten"):
            print(f"Ten contests, {options.workers} workers")
            for _ in range(5):
                ladder_of(100)
                rounds_of(100, 4000)
            measure(verdict, options, played, TEN)
            Stage.objects.update(state=Stage.State.DONE)
        if options.only in (None, "claim"):
            print(f"A claim with {options.queued:,} queued matches in one contest")
            rounds_of(options.teams, options.queued)
            measure_claims(verdict)
            print("… and 20,000 more in ten others, one of them paused")
            others = [rounds_of(50, 2000) for _ in range(10)]
            Stage.objects.filter(pk=others[0].pk).update(state=Stage.State.PAUSED)
            measure_claims(verdict)
        if options.only in (None, "anew"):
            print("1,000 teams and 10,000 matches rated anew")
            measure_rating(verdict)
        print("Missed: " + "; ".join(verdict.missed) if verdict.missed else "Every target is met.")
        return 1 if verdict.missed else 0
    finally:
        shutil.rmtree(settings.VAR_DIR, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
