"""A day of a ladder that never ends: what it costs, and what its pages take afterwards.

    python -m benchmarks.endless [--days 1]

It uses a SQLite database of its own. Somebody looks at the ladder all the time, so it plays as fast as it ever does
without newcomers: a match every 30 seconds, 2,880 a day. The matches are played in full, by house players, one after
the other; each match is dated back, so that time seems to pass. Targets: the contest's page, the ladder, the list of
matches, the front page and the feed of the ledger take under 100 ms and at most 20 % more than after an hour; the
database is smaller than 40 MB, of which the records that are kept are 10; the ledger and the ratings agree with `ledger
check`. Exit status 1 when one is missed.
"""

import argparse
import os
import statistics
import sys
import time
from datetime import timedelta
from pathlib import Path

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db.models import F  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402
from django.urls import reverse  # noqa: E402

from benchmarks.waiting import private_broker  # noqa: E402
from contest.models import Contest  # noqa: E402
from submissions.models import Submission  # noqa: E402
from tests.cast import make_contest, make_team  # noqa: E402
from tests.tournaments.stagecraft import finish, give_bot  # noqa: E402
from tournaments.kinds import following, pace  # noqa: E402
from tournaments.models import Match, Record, Stage  # noqa: E402
from tournaments.organising import stages  # noqa: E402
from tournaments.playing import pruning  # noqa: E402
from tournaments.results import replay  # noqa: E402
from tournaments.seating import queue  # noqa: E402

TARGET = 0.100  # seconds for a page
SLOWER = 1.2  # at most, after a day, and 5 ms
DISK = 40_000_000  # bytes after a day


def arrange() -> Stage:
    contest = make_contest(name="For ever", game="tricky_eights", preset="open", endless=True)
    for number in range(1, 7):
        give_bot(make_team(contest, name=f"School {number}"))
    Submission.objects.update(uploaded_at=F("uploaded_at") - pace.NEW)
    stage = stages.create(contest, None, stages.Wish("Ladder", "ladder", {"games": 1}))
    stages.start(stage, None)
    return Stage.objects.get(pk=stage.pk)


def play(stage: Stage, matches: int) -> None:
    for _ in range(matches):
        finish(stage.matches.open().get())
        Match.objects.filter(pk=_newest(stage)).update(created_at=F("created_at") - pace.IDLE)
        following.reconcile(stage)
        if Record.objects.count() > pruning.KEPT + 50:  # as the tick does
            pruning.prune()


def _newest(stage: Stage) -> int:
    return int(stage.matches.order_by("-pk").values_list("pk", flat=True)[0])


def pages(stage: Stage) -> dict[str, float]:
    """The median time of each page, warm."""
    slug = stage.contest.slug
    addresses = {
        "front page": reverse("home"),
        "contest": reverse("contest", args=[slug]),
        "ladder": stage.get_absolute_url(),
        "matches": reverse("matches", args=[slug]),
        "ledger": f"/api/v1/contests/{slug}/ledger",
    }
    return {name: _time(address) for name, address in addresses.items()}


def _time(address: str) -> float:
    client, times = Client(), []
    for _ in range(8):
        begun = time.perf_counter()
        assert client.get(address).status_code == 200, address
        times.append(time.perf_counter() - begun)
    return statistics.median(times[1:])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=float, default=1)
    arguments = parser.parse_args()
    with private_broker():  # pages need their cache
        return run(arguments.days)


def run(days: float) -> int:
    file = Path(settings.DATABASES["default"]["NAME"])
    setup_test_environment()
    queue.wake = lambda count: True  # nobody is there to play
    call_command("migrate", verbosity=0)
    stage = arrange()
    a_day = int(timedelta(days=1) / pace.LOOKED_AT)
    play(stage, a_day // 24)
    before = pages(stage)
    play(stage, max(0, int(days * a_day) - a_day // 24))
    after = pages(stage)
    call_command("ledger", "check", verbosity=0)
    contest = Contest.objects.get(pk=stage.contest_id)
    size = file.stat().st_size
    good = size < DISK and not list(replay.differences(contest))
    print(f"{stage.matches.done().count()} matches, {contest.last_number} entries, {Record.objects.count()} records")
    print(f"the database takes {size / 1e6:.1f} MB (target: {DISK / 1e6:.0f})")
    for name, seconds in after.items():
        fine = seconds < TARGET and seconds < SLOWER * before[name] + 0.005
        good &= fine
        print(f"{name}: {1000 * before[name]:.1f} ms → {1000 * seconds:.1f} ms{'' if fine else '  MISSED'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
