"""A ladder of 1,000 teams after 1,000,000 results: what standings, pairing, a result and voiding one cost.

    python -m benchmarks.ladder [--teams 1000] [--results 1000000]

It uses a SQLite database of its own. The results come from seeded chance, are written in bulk, and are rated by
`manage.py rerate`. Targets: the data of the standings, and the pages of the standings and the ladder as a browser gets
them, take under 100 ms warm and no more queries than with ten teams. Exit status 1 when one is missed.

Other times are printed without a target: choosing pairs for all teams at once; one step of the ladder; writing a
result; voiding the newest, a recent and the first result; and the ratings as of an earlier moment.
"""

import argparse
import json
import os
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from itertools import chain, count
from random import Random
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.db.models import Model  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext, setup_test_environment  # noqa: E402
from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402

from contest.ledger import hold  # noqa: E402
from contest.models import Audience, Contest, Kind, LedgerEntry, Team  # noqa: E402
from submissions.models import Submission  # noqa: E402
from tests.cast import make_contest  # noqa: E402
from tests.tournaments import scenes  # noqa: E402
from tests.tournaments.stagecraft import refereed  # noqa: E402
from tournaments.formats import ladder_pairing  # noqa: E402
from tournaments.kinds import following, ladder, schedule  # noqa: E402
from tournaments.kinds.ladder import LADDER  # noqa: E402
from tournaments.models import Match, MatchSeat, Stage  # noqa: E402
from tournaments.organising import stages  # noqa: E402
from tournaments.playing import play  # noqa: E402
from tournaments.results import ratings, standings, tallies  # noqa: E402
from tournaments.results.visibility import everything  # noqa: E402
from tournaments.seating import queue  # noqa: E402

TARGET = 0.100  # seconds for standings and their pages
TIMES = 7


def arrange(teams: int) -> tuple[Stage, list[Team]]:
    """A running ladder of a game of two."""
    contest = make_contest(name=f"Ladder of {teams}", game="barracuda")
    entered = scenes.enter(contest, teams)
    stage = stages.create(contest, None, stages.Wish("Ladder", "ladder", {"games": 1}))
    stages.start(stage, None)
    stage.refresh_from_db()
    return stage, entered


def fill(stage: Stage, teams: list[Team], results: int) -> None:
    """Results between teams whose strength grows with their number, oldest first, a second apart."""
    stage.matches.all().delete()
    random = Random(5)
    versions = dict(Submission.objects.active().filter(team__in=teams).values_list("team", "pk"))
    begin = timezone.now() - timedelta(seconds=results + 60)
    at = connection.ops.adapt_datetimefield_value
    match = Match(
        contest_id=stage.contest_id, stage=stage, table=stage.tables.get(), seed=1, state="done", games=21
    )  # fmt: skip
    first = (Match.objects.order_by("-pk").values_list("pk", flat=True).first() or 0) + 1
    drawn = Contest.objects.get(pk=stage.contest_id).last_number + 1  # each match is drawn, then played
    matches = (
        {"id": first + n, "number": n + 1, "counts_from": drawn + 2 * n, "resulted": drawn + 2 * n + 1,
         "started_at": at(begin + timedelta(seconds=n)), "finished_at": at(begin + timedelta(seconds=n + 1))}
        for n in range(results)
    )  # fmt: skip
    insert(match, matches)
    write_down(stage, drawn, range(first, first + results))

    def seats() -> Iterator[dict[str, Any]]:
        for n in range(results):
            one = random.randrange(len(teams))
            other = (one + random.choice([-3, -2, -1, 1, 2, 3])) % len(teams)
            wins = random.random() < 1 / (1 + 10 ** ((other - one) / 40))
            for index, (which, won) in enumerate(((one, wins), (other, not wins))):
                team = teams[which].pk
                score = 21.0 if won else float(random.randrange(21))
                yield {"match_id": first + n, "index": index, "team_id": team, "submission_id": versions[team],
                       "score": score, "place": 1 if won else 2}  # fmt: skip

    insert(MatchSeat(), seats())


def write_down(stage: Stage, number: int, matches: Iterable[int]) -> None:
    """Enter the draw and the result of each match in the ledger, from this number on."""

    def entries() -> Iterator[dict[str, Any]]:
        for drawn, match in zip(count(number, 2), matches, strict=False):
            data = json.dumps({"matches": [match]})
            yield {"number": drawn, "kind": Kind.MATCHES_DRAWN, "match_id": None, "data": data}
            yield {"number": drawn + 1, "kind": Kind.MATCH_RESULT, "match_id": match, "data": "{}"}

    entry = LedgerEntry(contest_id=stage.contest_id, stage=stage, audience=Audience.RESULTS)
    insert(entry, entries())
    last = LedgerEntry.objects.filter(contest=stage.contest_id).order_by("-number").values_list("number", flat=True)
    Contest.objects.filter(pk=stage.contest_id).update(last_number=last[0])


def insert(template: Model, rows: Iterable[dict[str, Any]]) -> None:
    """Insert rows like the template except for these columns. The ORM would take a quarter of an hour."""
    fields = [field for field in template._meta.concrete_fields if not (field.primary_key and template.pk is None)]
    values: dict[str, Any] = {
        str(field.column): field.get_db_prep_save(field.pre_save(template, True), connection) for field in fields
    }
    rows = iter(rows)
    head = next(rows)
    values |= head
    names = ", ".join(f'"{name}"' for name in values)
    statement = f"INSERT INTO {template._meta.db_table} ({names}) VALUES ({', '.join(['%s'] * len(values))})"
    with transaction.atomic(), connection.cursor() as cursor:
        # Django hands an iterator to the driver as it is.
        cursor.executemany(statement, (list((values | row).values()) for row in chain([head], rows)))  # type: ignore[arg-type]


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print how long the block took; queries are counted without keeping them all."""
    count = 0

    def counted(execute: Callable[..., Any], *arguments: Any) -> Any:
        nonlocal count
        count += 1
        return execute(*arguments)

    started = time.perf_counter()
    with connection.execute_wrapper(counted):
        yield
    said(what, time.perf_counter() - started, f"{count:8} queries")


def said(what: str, seconds: float, note: str = "") -> None:
    print(f"{what:58} {1000 * seconds:10.1f} ms{note}", flush=True)


def warm(function: Callable[[], Any]) -> tuple[float, int]:
    """Seconds (the best of several runs) and queries."""
    function()
    took = []
    for _ in range(TIMES):
        started = time.perf_counter()
        function()
        took.append(time.perf_counter() - started)
    with CaptureQueriesContext(connection) as queries:
        function()
    return min(took), len(queries)


def standings_cost(stage: Stage, small: Stage) -> bool:
    """True when the target is met."""
    met = True
    parts: dict[str, Callable[[Stage], Any]] = {
        "standings of the contest": lambda it: standings.of_contest(everything(it.contest)),
        "standings of the ladder": lambda it: LADDER.rows(it, everything(it.contest)),
    }
    client = Client()

    def fetch(it: Stage, name: str) -> None:
        address = it.get_absolute_url() if name == "ladder" else reverse(name, args=[it.contest.slug])
        assert client.get(address).status_code == 200, address

    parts |= {f"page of the {name}": partial(fetch, name=name) for name in ("standings", "ladder")}
    for name, function in parts.items():
        (took, queries), (_, few) = warm(partial(function, stage)), warm(partial(function, small))
        fine = took < TARGET and queries == few
        met = met and fine
        said(name, took, f"{queries:8} queries, {few} for ten teams{'' if fine else '   MISSED'}")
    return met


def pairing_cost(stage: Stage) -> None:
    now = timezone.now()
    with timed("who is free, and whom everybody met last"):
        free, busy = ladder._who(stage, now)
    started = time.perf_counter()
    made = ladder_pairing.tables(free, ladder_pairing.Terms(2, len(free), busy, now), Random(1))
    said(f"pairing {len(free)} teams at {len(made)} tables", time.perf_counter() - started)
    with timed("a step of the ladder: matches for the workers"), transaction.atomic():
        held = hold(stage.contest_id)
        stage.contest = held
        made_ = ladder.reconcile(held, stage, now)
    print(f"   made {made_.created}")


def result_cost(stage: Stage) -> None:
    finishing, going_on, claiming = [], [], []
    for _ in range(5):
        started = time.perf_counter()
        (match,) = Match.objects.claimable(timezone.now()).for_workers().taking_turns()[:1]
        claimed = play.claim(match.pk, "benchmark")
        claiming.append(time.perf_counter() - started)
        assert claimed is not None
        played = refereed(claimed)
        started = time.perf_counter()
        play.finish(claimed, played)
        finishing.append(time.perf_counter() - started)
        started = time.perf_counter()
        following.reconcile(stage)
        going_on.append(time.perf_counter() - started)
    for name, took in (("finding and claiming a match", claiming), ("writing its result", finishing)):
        said(name, statistics.median(took))
    said("what follows from it, as a rule", statistics.median(going_on), f"   at most {1000 * max(going_on):.1f} ms")


def voiding_cost(stage: Stage) -> None:
    """Time voiding in the request, and the steps that the tick then takes, each a transaction."""
    done = Match.objects.done().filter(stage=stage)
    newest = done.order_by("-finished_at")
    chosen = {"newest": newest[0], "1,000th from the end": newest[1000], "first": done.order_by("finished_at")[0]}
    for name, match in chosen.items():
        with timed(f"voiding a result: the {name}"), transaction.atomic():
            schedule.void(hold(stage.contest_id), [(match, "for the benchmark")], by=None)
        steps = []
        started = time.perf_counter()
        while ratings.catch_up(stage.contest_id) is not None:
            steps.append(time.perf_counter() - started)
            started = time.perf_counter()
        if steps:
            said(f"   the rest, by the tick, in {len(steps)} steps", sum(steps), f"   at most {max(steps):.2f} s each")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--teams", type=int, default=1000)
    parser.add_argument("--results", type=int, default=1_000_000)
    options = parser.parse_args()
    setup_test_environment()
    queue.wake = lambda count: True  # nobody is there to play
    try:
        call_command("migrate", verbosity=0)
        (small, few), (stage, teams) = arrange(10), arrange(options.teams)
        fill(small, few, 100)
        with timed(f"writing {options.results:,} results in bulk"):
            fill(stage, teams, options.results)
        for contest in (small.contest, stage.contest):
            with timed(f"manage.py rerate of {contest}"):
                tallies.count_all(Contest.objects.get(pk=contest.pk))
        stage.refresh_from_db()
        met = standings_cost(stage, small)
        pairing_cost(stage)
        result_cost(stage)
        with timed("everybody's rating as it was 1,000 results ago"):
            ratings.skills_at(stage.contest, Contest.objects.get(pk=stage.contest_id).last_number - 1000)
        voiding_cost(stage)
        return 0 if met else 1
    finally:
        shutil.rmtree(settings.VAR_DIR, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
