"""The public pages of a contest with 200 teams and 5,000 matches, beside a small one: queries, size, time.

    python -m benchmarks.pages

It uses a database of its own. Times are the processor's, and ratios to a fixed piece of work, which mean the same on
a busy machine; `fresh` is a page right after a result, when nothing computed before is of use. Targets: the number of
queries does not grow with the rows; the bracket and the replay of a 300-point game each stay under 60 kB gzipped. Exit
status 1 when one is missed.
"""

import gzip
import os
import shutil
import sys
import time
from collections.abc import Callable

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.urls import reverse  # noqa: E402

from contest import workers  # noqa: E402
from contest.models import Contest  # noqa: E402
from contest.server.processes import look_seldom  # noqa: E402
from tests.tournaments import scenes  # noqa: E402

LARGE, SMALL = (200, 5000), (4, 60)
TIMES = 5


def addresses(teams: int, matches: int) -> dict[str, tuple[str, ...]]:
    """Each page by name, with the addresses that make it up."""
    contest = scenes.small_contest(name=f"Cup of {teams}", target=300)
    Contest.objects.filter(pk=contest.pk).update(slug=f"cup-{teams}")
    contest.refresh_from_db()
    stage = scenes.many(contest, teams, matches)
    match = scenes.play_match(stage.matches.filter(state="queued")[0], reconcile=False)
    team = contest.teams.filter(match_seats__match=match)[0]
    replay = reverse("replay", args=[match.pk, 1])
    return {
        "bracket": (reverse("bracket", args=[contest.slug, stage.pk]),),
        "standings": (reverse("standings", args=[contest.slug]),),
        "standings of a stage": (f"{reverse('standings', args=[contest.slug])}?stage={stage.pk}",),
        "matches": (reverse("matches", args=[contest.slug]),),
        "matches of a team": (f"{reverse('matches', args=[contest.slug])}?team={team.pk}&faults=true",),
        "match": (reverse("match", args=[match.pk]),),
        "team": (reverse("team", args=[contest.slug, team.pk]),),
        "replay, page": (f"{replay}?ply=40",),
    }


def measure(urls: tuple[str, ...]) -> tuple[int, int, float, float]:
    """Queries, gzipped bytes, milliseconds right after a result and otherwise (the best of several runs)."""
    client = Client()

    def after_a_result() -> float:
        for contest in Contest.objects.all():
            contest.touch()
        return processor_time(lambda: [client.get(url) for url in urls])

    fresh = min(after_a_result() for _ in range(TIMES))
    best = min(processor_time(lambda: [client.get(url) for url in urls]) for _ in range(TIMES))
    answers = [client.get(url) for url in urls]
    assert all(answer.status_code == 200 for answer in answers)
    with CaptureQueriesContext(connection) as queries:
        for url in urls:
            client.get(url)
    return len(queries), sum(len(gzip.compress(answer.content)) for answer in answers), fresh, best


def processor_time(work: Callable[[], object]) -> float:
    """In milliseconds."""
    started = time.process_time()
    work()
    return 1000 * (time.process_time() - started)


def piece_of_work() -> float:
    """The milliseconds of a fixed piece of work."""
    return min(processor_time(lambda: sum(number * number % 7 for number in range(100_000))) for _ in range(9))


def main() -> int:
    work = piece_of_work()
    workers.wake = lambda *_, **__: False  # nobody is there to play
    call_command("migrate", verbosity=0)
    try:
        small, large = addresses(*SMALL), addresses(*LARGE)
        look_seldom()  # like the web server
        print(
            f"{'page':<24}{'queries':>9}{'grow by':>9}{'kB gzip':>9}{'ms':>8}{'ratio':>8}{'fresh':>8}{'ratio':>8}   "
            f"({LARGE[0]} teams, {LARGE[1]} matches; ratios to a piece of work of {work:.1f} ms)"
        )
        good = True
        for name, urls in large.items():
            before, *_ = measure(small[name])
            queries, size, fresh, ms = measure(urls)
            grown = queries - before
            good &= grown <= 0 and size < 60_000
            times = "".join(f"{each:>8.0f}{each / work:>8.2f}" for each in (ms, fresh))
            print(f"{name:<24}{queries:>9}{grown:>9}{size / 1000:>9.1f}{times}")
        print("within the targets" if good else "TARGET MISSED")
        return 0 if good else 1
    finally:
        shutil.rmtree(settings.VAR_DIR, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
