"""Pages of a contest after very many matches, against the same pages after few: what is newest must not become slower.

    python -m benchmarks.records [--results 1000000] [--few 2000]

A ladder of 100 teams in a SQLite database of its own, or on PostgreSQL with DATABASE_URL. Results are written in bulk,
as benchmarks.ladder does, and half of the old matches have no record any more. Each page is asked for TIMES times by a
visitor, without the cache. Target: the median of each page after many results is at most twice that after few, and no
page takes more queries. Exit status 1 when one is missed. `plan:` shows that the newest page is read by an index.
"""

import argparse
import logging
import os
import shutil
import statistics
import sys
import time
from collections.abc import Callable

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402
from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402

from benchmarks.ladder import arrange, fill  # noqa: E402
from tournaments.models import Match, PrunedRecord, Stage  # noqa: E402
from tournaments.playing import pruning  # noqa: E402
from tournaments.playing.pruning import Rule  # noqa: E402

TIMES = 7
TARGET = 2.0
FLOOR = 0.005  # seconds; a page that is this quick is quick


def asked_for(stage: Stage) -> dict[str, Callable[[], object]]:
    """What is measured, by name."""
    client, slug = Client(), stage.contest.slug
    newest = Match.objects.filter(contest=stage.contest_id).order_by("-pk")[0]

    def get(name: str, *arguments: object, **query: str) -> Callable[[], object]:
        def ask() -> None:
            answer = client.get(reverse(name, args=arguments), query)
            assert answer.status_code == 200, (name, answer.status_code)

        return ask

    return {
        "newest matches": get("matches", slug),
        "their third page": get("matches", slug, page="3"),
        "matches of the API": get("api-matches", slug),
        "one match": get("match", newest.pk),
        "look for old records": lambda: pruning.prune(timezone.now()),
    }


def measured(stage: Stage) -> dict[str, tuple[float, int]]:
    """By name: the median in seconds, and the number of queries."""
    found = {}
    for name, ask in asked_for(stage).items():
        ask()
        count = 0

        def one_more(execute: Callable[..., object], *given: object) -> object:
            nonlocal count
            count += 1
            return execute(*given)

        with connection.execute_wrapper(one_more):
            ask()
        took = []
        for _ in range(TIMES):
            begun = time.perf_counter()
            ask()
            took.append(time.perf_counter() - begun)
        found[name] = statistics.median(took), count
    return found


def filled(results: int) -> Stage:
    """A ladder after so many results; of the older half, it is said that their records are kept no longer."""
    stage, teams = arrange(100)
    fill(stage, teams, results)
    matches = list(Match.objects.filter(stage=stage).order_by("pk").values_list("pk", flat=True)[: results // 2])
    rows = (PrunedRecord(match_id=pk, sha256="0" * 64, why="It is old.") for pk in matches)
    PrunedRecord.objects.bulk_create(rows, batch_size=1000)
    pruning.set_rule(stage.contest, Rule(latest=1000))
    pruning.prune()
    return stage


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=int, default=1_000_000)
    parser.add_argument("--few", type=int, default=2_000)
    options = parser.parse_args()
    setup_test_environment()
    logging.disable(logging.WARNING)  # there is no cache
    name = connection.creation.create_test_db(verbosity=0)
    try:
        few, many = (filled(count) for count in (options.few, options.results))
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        before, after = measured(few), measured(many)
        missed = 0
        print(f"{'':24}{options.few:>12,}{options.results:>12,}   ratio  queries")
        for page, (took, queries) in after.items():
            least, fewer = before[page]
            bad = took > TARGET * max(least, FLOOR) or queries > fewer
            missed += bad
            print(
                f"{page:24}{1000 * least:9.1f} ms{1000 * took:9.1f} ms{took / least:8.2f}  {fewer} → {queries}"
                + ("   MISSED" if bad else "")
            )
        rows = Match.objects.filter(contest=many.contest_id, counts_from__isnull=False).order_by("-id")[:50]
        print("plan:", rows.explain().splitlines()[0])
        return 1 if missed else 0
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)
        shutil.rmtree(settings.VAR_DIR, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
