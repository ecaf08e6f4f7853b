"""The contest server with 1,000 idle and 200 playing programs connected, on two cores.

    python -m benchmarks.botserver [--idle 1000] [--playing 200] [--seconds 60] [--games K]

The server is the real process, over a database of its own. The idle teams belong to a contest in which nothing is
played. The others play on a ladder, a hundred matches at once; a match is a round as in the rules, unless `--games`
sets its length. The programs are C clients that answer at once. They share the two cores with the server and everything
else.

Exit status 1 when anybody is charged with a fault (only the server is slow here), when a connection is lost, or when
the ladder stands still.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from ipaddress import IPv4Address
from pathlib import Path

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from benchmarks.barracuda import two_cores  # noqa: E402
from benchmarks.referee import build  # noqa: E402
from contest.models import Contest, Team  # noqa: E402
from contest.server import broker  # noqa: E402
from tests.cast import make_contest  # noqa: E402
from tests.tournaments.playing.live.arena import ServerProcess  # noqa: E402
from tournaments.models import Client, Match, Record  # noqa: E402
from tournaments.organising import stages  # noqa: E402

FIRST = int(IPv4Address("127.0.1.1"))
"""Address of the first client of the crowd."""


def enter(contest: Contest, first: int, count: int) -> None:
    """Enter teams that are known by their addresses."""
    teams = Team.objects.bulk_create(Team(contest=contest, name=f"Team {number}") for number in range(count))
    Client.objects.bulk_create(
        Client(team=team, address=str(IPv4Address(FIRST + first + number))) for number, team in enumerate(teams)
    )


def arrange(idle: int, playing: int, games: int | None) -> Contest:
    contest = make_contest(name="Playing", game="barracuda", preset="open", live=True)
    enter(contest, 0, playing)
    enter(make_contest(name="Idle", game="barracuda", preset="open", live=True), playing, idle)
    options = {"games": games} if games else {}
    stages.start(stages.create(contest, None, stages.Wish("Ladder", "ladder", options)), None)
    return contest


def connected() -> int:
    return Client.objects.filter(connected_since__isnull=False).count()


class Usage:
    """What a process has used: processor seconds, bytes of memory, threads."""

    def __init__(self, pid: int) -> None:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        self.seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        self.memory = int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
        self.threads = int(fields[17])
        self.at = time.perf_counter()


def run(crowd: Path, idle: int, playing: int, seconds: float) -> bool:
    """Run the benchmark. True when nothing went wrong."""
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "contest.settings", "LOG_LEVEL": "WARNING"}
    server = ServerProcess(environment, settings.VAR_DIR / "botserver.log")
    os.sched_setaffinity(server.process.pid, sorted(os.sched_getaffinity(0))[:2])
    started = time.perf_counter()
    bots = subprocess.Popen([crowd, "crowd", str(server.port), str(idle + playing)], preexec_fn=two_cores)
    try:
        while connected() < idle + playing and time.perf_counter() < started + 60:
            time.sleep(0.2)
        arrived = time.perf_counter() - started
        before = Usage(server.process.pid)
        busy = []
        while time.perf_counter() < before.at + seconds:
            time.sleep(1)
            busy.append(Match.objects.filter(state=Match.State.RUNNING).count())
        after, there = Usage(server.process.pid), connected()
        stopped = time.perf_counter()
        server.stop()
        leaving = time.perf_counter() - stopped
    finally:
        server.end()
        bots.send_signal(signal.SIGKILL)
        bots.wait()
    print(f"{there} of {idle + playing} programs connected, all of them within {arrived:.1f} s")
    print(f"{statistics.median(busy):.0f} matches at once (from {min(busy)} to {max(busy)})")
    faults = report(time.perf_counter() - started)
    share = (after.seconds - before.seconds) / (after.at - before.at)
    print(f"server: {100 * share:.0f} % of a core, {after.memory / 1e6:.0f} MB, {after.threads} threads")
    print(f"it left in {leaving:.1f} s; its log: {server.log.read_text() or 'empty'}")
    return faults == 0 and there == idle + playing and min(busy[5:], default=0) > 0


def report(took: float) -> int:
    """The faults in all matches played."""
    events = [event for row in Record.objects.iterator() for event in json.loads(row.text())["events"]]
    times = sorted(event["ms"] for event in events if "ms" in event)
    faults = [event["detail"] for event in events if event["event"] == "fault"]
    if not times:
        print("no match was over in this time")
        return 1
    print(f"{Record.objects.count()} matches, {len(times):,} decisions, {len(times) / took:,.0f} a second")
    print(f"an answer on average after {statistics.fmean(times):.1f} ms,")
    print(f"99 % within {times[len(times) * 99 // 100]:.0f} ms, the slowest after {times[-1]:.0f} ms")
    print(f"faults: {len(faults)} {' '.join(sorted(set(faults))[:3])}")
    return len(faults)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--idle", type=int, default=1000)
    parser.add_argument("--playing", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--games", type=int, metavar="K", help="games of a match (default: a round as in the rules)")
    arguments = parser.parse_args()
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = str(settings.VAR_DIR / "portal.sqlite3")
    call_command("migrate", verbosity=0)
    place = Path(settings.BROKER_SOCKET)
    command = broker.find().command(place, broker.private_folder(place.parent))
    with (
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as queue,
        tempfile.TemporaryDirectory() as folder,
    ):
        crowd = build(Path(folder), "tcpbots")
        arrange(arguments.idle, arguments.playing, arguments.games)
        try:
            fine = run(crowd, arguments.idle, arguments.playing, arguments.seconds)
        finally:
            queue.kill()
    return int(not fine)


if __name__ == "__main__":
    sys.exit(main())
