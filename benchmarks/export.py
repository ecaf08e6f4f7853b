"""The ZIP of a whole contest with 200 teams and 5,000 matches, beside one of a tenth the size: time, size, memory.

    python -m benchmarks.export

It uses a database of its own. Every match has the record of a real game to 300 points, and 2 kB that one of its bots
wrote. Targets: the first bytes within a second, 100 matches a second, and at most 30 MB more memory than for the tenth.
Exit status 1 when one is missed.
"""

import os
import resource
import shutil
import sys
import time
import tracemalloc

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402

from contest.models import Contest  # noqa: E402
from tests.cast import make_user  # noqa: E402
from tests.tournaments import scenes  # noqa: E402
from tournaments.exports.archive import archive  # noqa: E402
from tournaments.models import BotLog, MatchSeat, Record  # noqa: E402
from tournaments.seating import queue  # noqa: E402

TEAMS, LARGE, SMALL = 200, 5000, 500
MEGABYTE = 1 << 20


def made(matches: int) -> Contest:
    contest = scenes.small_contest(name=f"Cup of {matches}", target=300)
    stage = scenes.many(contest, TEAMS, matches)
    real = scenes.play_match(stage.matches.filter(state="queued")[0], reconcile=False)
    record = Record.objects.get(match=real)
    played = contest.matches.filter(state="done").exclude(pk=real.pk)
    Record.objects.bulk_create(
        (Record(match=it, data=bytes(record.data), sha256=record.sha256) for it in played), batch_size=200
    )
    seats = MatchSeat.objects.filter(match__in=played, index=0)
    BotLog.objects.bulk_create((BotLog.of(it, [(3, "thinking\n" * 220)]) for it in seats), batch_size=500)
    print(f"{matches:>6} matches, each with a record of {len(record.text()) / 1000:.0f} kB")
    return contest


def measure(contest: Contest) -> tuple[float, float, int, float]:
    """Seconds to the first bytes and to the last, size in bytes, and Python's peak memory in megabytes."""
    by = make_user()
    tracemalloc.start()
    started = time.perf_counter()
    first, size = 0.0, 0
    for piece in archive(contest, by):
        first = first or time.perf_counter() - started
        size += len(piece)
    seconds = time.perf_counter() - started
    peak = tracemalloc.get_traced_memory()[1] / MEGABYTE
    tracemalloc.stop()
    return first, seconds, size, peak


def timed(contest: Contest) -> float:
    """Seconds to the last byte, without the cost of tracing memory."""
    by = make_user()
    started = time.perf_counter()
    for _ in archive(contest, by):
        pass
    return time.perf_counter() - started


def main() -> int:
    queue.wake = lambda *_: None  # type: ignore[assignment]  # nobody is there to play
    call_command("migrate", verbosity=0)
    try:
        small, large = made(SMALL), made(LARGE)
        _, _, _, little = measure(small)
        first, _, size, much = measure(large)
        seconds = timed(large)
        good = first < 1 and LARGE / seconds > 100 and much - little < 30
        print(f"first bytes after {first:.2f} s, all after {seconds:.1f} s ({LARGE / seconds:.0f} matches a second)")
        print(f"{size / MEGABYTE:.1f} MB; memory {much:.1f} MB, for a tenth {little:.1f} MB")
        print(f"the process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")
        print("within the targets" if good else "TARGET MISSED")
        return 0 if good else 1
    finally:
        shutil.rmtree(settings.VAR_DIR, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
