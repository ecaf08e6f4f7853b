"""The API's addresses of a contest with 1,000 teams and 1,000,000 results, beside one with ten teams.

    python -m benchmarks.api [--teams 1000] [--results 1000000]

It uses a SQLite database of its own, filled as by benchmarks/ladder.py. Target: each address makes as many queries as
in the small contest. Exit status 1 when one is missed. Requests per second are of one client and one process, without
the web server; each is the best of several runs, for a stranger and without an ETag. `ratio`: the time to the small
contest's. Answers that hold a line for every team grow with the teams and not with the results; all others should stay
near 1. The beginning of each stream is read as well, with the memory that it takes.
"""

import argparse
import os
import resource
import shutil
import sys
import time
from urllib.parse import quote

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext, setup_test_environment  # noqa: E402

from benchmarks.ladder import arrange, fill, timed  # noqa: E402
from contest.api.throttling import Throttle  # noqa: E402
from contest.models import Contest, Team  # noqa: E402
from tournaments.models import Stage  # noqa: E402
from tournaments.results import tallies  # noqa: E402
from tournaments.seating import queue  # noqa: E402

TIMES = 9
STREAMED = 10_000  # lines of a stream that are read


def addresses(stage: Stage, teams: list[Team]) -> dict[str, str]:
    """By name."""
    here = f"/api/v1/contests/{stage.contest.slug}"
    played = stage.matches.filter(state="done")
    newest = played.order_by("-pk").values_list("pk", flat=True)[5]
    middle = played.order_by("pk").values_list("pk", flat=True)[played.count() // 2]
    recent = played.order_by("-pk")[5].finished_at
    assert recent is not None  # they were played
    own = Team.objects.get(pk=teams[len(teams) // 2].pk)
    return {
        "contest": here,
        "stages": f"{here}/stages",
        "stage": f"{here}/stages/{stage.pk}",
        "tables": f"{here}/stages/{stage.pk}/tables",
        "standings": f"{here}/standings",
        "standings of a stage": f"{here}/stages/{stage.pk}/standings",
        "teams": f"{here}/teams",
        "matches": f"{here}/matches",
        "matches of a team": f"{here}/matches?team={own.pk}",
        "matches played": f"{here}/matches?state=done",
        "matches after one": f"{here}/matches?after={newest}",
        "matches since a moment": f"{here}/matches?since={quote(recent.isoformat())}",
        "ledger from its beginning": f"{here}/ledger",
        "ledger from its middle": f"{here}/ledger?after=match_result.{middle}",
        "ledger, what is new": f"{here}/ledger?after=match_result.{newest}",
        "ratings of a team": f"{here}/ratings?team={own.pk}",
    }


def measure(address: str) -> tuple[int, float]:
    """Queries, and seconds: the best of several runs."""
    client, best = Client(), float("inf")
    for _ in range(TIMES):
        started = time.perf_counter()
        answer = client.get(address)
        best = min(best, time.perf_counter() - started)
        assert answer.status_code == 200, (address, answer.content[:300])
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    return len(queries), best


def stream(name: str, address: str) -> None:
    """Read the beginning of a stream, and say how fast it comes and by how much the process grows meanwhile."""
    answer = Client().get(address)
    before, started, count = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter(), 0
    for _ in answer:
        count += 1
        if count == STREAMED:
            break
    took, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answer.close()
    print(f"{name:<28}{count:>9,} lines{count / took:>10,.0f} a second, memory + {(after - before) / 1024:.1f} MB")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--teams", type=int, default=1000)
    parser.add_argument("--results", type=int, default=1_000_000)
    options = parser.parse_args()
    setup_test_environment()
    queue.wake = lambda count: True  # nobody is there to play
    Throttle.allow_request = lambda *_: True  # type: ignore[method-assign]
    try:
        call_command("migrate", verbosity=0)
        (small, few), (stage, teams) = arrange(10), arrange(options.teams)
        fill(small, few, 100)
        with timed(f"writing {options.results:,} results in bulk"):
            fill(stage, teams, options.results)
        for contest in (small.contest, stage.contest):
            with timed(f"manage.py rerate of {contest}"):
                tallies.count_all(Contest.objects.get(pk=contest.pk))
        met, least = True, addresses(small, few)
        print(f"{'address':<28}{'queries':>9}{'grow by':>9}{'a second':>10}{'ms':>9}{'ratio':>8}")
        for name, address in addresses(stage, teams).items():
            (before, quick), (queries, took) = measure(least[name]), measure(address)
            met &= queries == before
            print(
                f"{name:<28}{queries:>9}{queries - before:>9}{1 / took:>10,.0f}{1000 * took:>9.1f}{took / quick:>8.1f}",
                flush=True,
            )
        for name in ("matches", "ledger"):
            stream(f"stream of the {name}", f"/api/v1/contests/{stage.contest.slug}/{name}?format=ndjson")
        print("within the target" if met else "TARGET MISSED")
        return 0 if met else 1
    finally:
        shutil.rmtree(settings.VAR_DIR, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
