"""How long compile bombs of one team delay everybody else, and what they cost matches.

    python -m benchmarks.builds [--bombs 6] [--teams 8] [--matches 30]

A real worker builds two versions at a time, as `./run` does. One team uploads bombs, then each other team a bot; the
time until the last of them is ready is compared with the same teams without bombs. Then a bot that computes plays
matches, with and without bombs being built on every core: results and faults must be the same. Targets: all teams are
ready within one turn of the hostile team, which is the longest build in C++, and a second for each; matches take
at most 1.5 times as long.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402

from benchmarks.waiting import private_broker  # noqa: E402
from contest.models import Contest, Team  # noqa: E402
from games import referee  # noqa: E402
from games.players import PROTOCOLS, HousePlayer, Seated  # noqa: E402
from submissions import intake, lifecycle, pool  # noqa: E402
from submissions.intake import Upload  # noqa: E402
from submissions.languages import LANGUAGES  # noqa: E402
from submissions.models import Submission  # noqa: E402
from tests.cast import make_contest, make_teams  # noqa: E402
from tests.submissions import bots  # noqa: E402
from tests.submissions.conftest import SHORT  # noqa: E402

LOOPS = (
    "constexpr int f(int n) {{ int s = {0}; for (int i = 0; i < 200; i++) for (int j = 0; j < 200; j++)"
    " for (int k = 0; k < 200; k++) s += i ^ j ^ k ^ n; return s; }}\n"
)
BOMB = LOOPS + "".join(f"constexpr int a{each} = f({each});\n" for each in range(60)) + "int main() {{ return a0; }}\n"
"""The compiler computes, in little memory, until it has used the processor time of a build."""
THINKS = bots.python_bot(play="sum(i * i for i in range(60_000))")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bombs", type=int, default=6)
    parser.add_argument("--teams", type=int, default=8)
    parser.add_argument("--matches", type=int, default=30)
    asked = parser.parse_args()
    call_command("migrate", verbosity=0)
    try:
        with private_broker():
            alone = ready_after(0, asked.teams)
            beside = ready_after(asked.bombs, asked.teams)
            quiet, results = matches(asked.matches, 0)
            busy, same = matches(asked.matches, os.cpu_count() or 2)
    finally:
        shutil.rmtree(settings.VAR_DIR, ignore_errors=True)
    limit = LANGUAGES["cpp"].build_limits.seconds + asked.teams
    print(f"{asked.teams} teams, the last one ready after        {alone:6.1f} s")
    print(f"… after {asked.bombs} bombs of another team             {beside:6.1f} s   (at most {limit:.0f})")
    print(f"a match of bots that compute             {quiet:6.2f} s")
    print(f"… beside bombs on every core             {busy:6.2f} s   (at most {1.5 * quiet:.2f})")
    print(f"results and faults are the same          {'yes' if results == same else 'NO'}")
    if beside > limit or busy > 1.5 * quiet or results != same:
        sys.exit("TARGET MISSED")


def uploaded(team: Team, name: str, source: bytes) -> Submission:
    return intake.receive(team, team.memberships.get().user, [Upload(name, source)]).submission


def ready_after(bombs: int, count: int) -> float:
    """Seconds from the last upload until the versions of all honest teams are ready."""
    hostile, *honest = make_teams(contest(), count + 1)
    with worker(2):
        for number in range(bombs):
            uploaded(hostile, "bot.cpp", BOMB.format(number).encode())
            time.sleep(0.5)  # so that some are being built when the others come
        began = time.perf_counter()
        wanted = [uploaded(team, "bot.py", bots.GOOD_PYTHON + b"# %d\n" % team.pk).pk for team in honest]
        lifecycle.requeue_abandoned(timezone.now())
        wait(wanted)
        return time.perf_counter() - began


def contest() -> Contest:
    return make_contest(options=SHORT, preset="open", languages=["cpp", "python"], uploads_per_hour=100)


def wait(wanted: list[int]) -> None:
    while Submission.objects.filter(pk__in=wanted, state="ready").count() < len(wanted):
        time.sleep(0.05)


@contextmanager
def worker(size: int) -> Iterator[None]:
    command = [sys.executable, "-m", "celery", "-A", "contest", "--quiet", "worker", "-Q", "builds", "-c", str(size)]
    log = settings.VAR_DIR / "worker.log"
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "contest.settings", "LOG_LEVEL": "INFO"}
    with log.open("w") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env=environment, start_new_session=True)
    try:
        while " ready." not in log.read_text():
            time.sleep(0.1)
        yield
    finally:
        process.kill()
        process.wait()


def matches(count: int, bombs: int) -> tuple[float, list[Any]]:
    """Seconds for a match, and the results and faults of all."""
    (team, *others) = make_teams(contest(), 1 + bombs)
    with worker(max(bombs, 1)):
        wait([(version := uploaded(team, "bot.py", THINKS)).pk])
        version = Submission.objects.select_related("team__contest", "artifact").get(pk=version.pk)
        for number, hostile in enumerate(others):
            uploaded(hostile, "bot.cpp", BOMB.format(1000 + number).encode())
        while Submission.objects.filter(team__in=others, state="building").count() < bombs:
            time.sleep(0.05)
        game = version.contest.game
        results: list[Any] = []
        began = time.perf_counter()
        for seed in range(count):
            with pool.open_bot(version, pool.limits_of(version.contest)) as program:
                bot = PROTOCOLS[game.protocol](program, startup=version.contest.startup_seconds)
                seats = [Seated(f"{at}", "house", HousePlayer(game.house[0])) for at in range(1, game.seats[1])]
                seats.insert(0, Seated("0", "bot.py", bot))
                played = referee.play(
                    game, seats, seed=seed, options=version.contest.full_options(), preset="open", games=1
                )
            faults = [event for event in played.record["events"] if event["event"] == "fault"]
            results.append((played.record["result"]["scores"], faults))
        return (time.perf_counter() - began) / count, results


if __name__ == "__main__":
    main()
