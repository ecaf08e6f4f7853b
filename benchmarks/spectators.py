"""Spectators of a running Swiss of 200 teams while its matches are finished.

    python -m benchmarks.spectators [--viewers 20 5000] [--members 0.02] [--results 10] [--seconds 40] [--server-core 0]

The server is the real one, with a SQLite database and a broker of its own; its processes are kept on one core, and the
player of matches and the viewers on the others. Twenty viewers ask the portal itself for whole pages, as quickly as
they are answered. More are spectators behind nginx (Debian's, with docker/nginx.conf): each opens a page, polls its
live part every two seconds as long as it is live, and after about forty seconds opens another one. Like a browser, they
keep the ETag of a live part, but no pages. A share of them, `--members`, may be logged in, half of these in a team:
each of their pages is made for them alone. A player finishes matches one after the other with the real
transactions, `--results` a second (more than two cores can play); what it plays takes no time.

Printed are the times of whole pages (`page`) and of polls (`live`), for strangers and members apart; the share of its
core that the server takes; and the results per second.

Targets: 150 pages a second to 20 strangers; p99 of strangers below 100 ms with 5,000 viewers. Exit status 1 when one is
missed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import resource
import shutil
import subprocess
import sys
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import django

PLAYER = "--play"
if PLAYER not in sys.argv:  # the player shares the database of the benchmark that starts it
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.urls import reverse  # noqa: E402

import games  # noqa: E402
from benchmarks.crowd import ROOT, Reader, private_broker, quantile, server  # noqa: E402
from contest import workers  # noqa: E402
from contest.models import Membership, User  # noqa: E402
from games import referee  # noqa: E402
from games.players import Seated  # noqa: E402
from games.referee import Match as Played  # noqa: E402
from tests.cast import make_user  # noqa: E402
from tests.contest.server.served import NGINX, Nginx  # noqa: E402
from tests.tournaments import scenes  # noqa: E402
from tests.tournaments.records import Scripted  # noqa: E402
from tournaments.kinds import following  # noqa: E402
from tournaments.models import Match, Stage  # noqa: E402
from tournaments.organising import stages  # noqa: E402
from tournaments.playing import play  # noqa: E402

TEAMS, ROUNDS = 200, 100
FEW = 20  # viewers who do without a proxy
STAYS = 40.0  # seconds on a page, on average
PACE = 2.0  # seconds between two polls
PAGES_A_SECOND, TARGET = 150, 0.100
LIVE = re.compile(rb'hx-get="([^"]+)"\s+hx-trigger="every \d+m?s"\s+hx-swap="outerHTML"', re.S)


# The contest ----------------------------------------------------------------------------------------------------------


def arrange(name: str = "Spectators Cup") -> Stage:
    contest = scenes.small_contest(name=name, target=10)
    scenes.enter(contest, TEAMS)
    wish = stages.Wish("Swiss", "swiss", options={"table_size": 4, "rounds": ROUNDS, "games": 1})
    stage = stages.create(contest, None, wish)
    stages.publish(stage, None)
    stages.start(stage, None)
    for team in list(contest.teams.order_by("pk")):
        Membership.objects.create(team=team, contest=contest, user=make_user())
    return Stage.objects.get(pk=stage.pk)


def log_in(user: User) -> str:
    """The name of a session of this user."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return str(session.session_key)


def log_in_members(stage: Stage, count: int) -> list[str]:
    """So many sessions, half of them of people in a team, as far as there are teams."""
    in_teams = [each.user for each in Membership.objects.filter(contest=stage.contest).select_related("user")]
    users = in_teams[: count // 2]
    users += [make_user() for _ in range(count - len(users))]
    Random(1).shuffle(users)
    return [log_in(user) for user in users]


def play_for_ever(stage: Stage, pace: float) -> None:
    """Finish so many matches a second, as far as possible, until the process is ended. Prints a line for each."""
    workers.wake = lambda *_, **__: False
    recorded, due = None, time.perf_counter()
    while True:
        due = max(due + 1 / pace, time.perf_counter() - 1)
        time.sleep(max(0.0, due - time.perf_counter()))
        match = stage.matches.filter(state=Match.State.QUEUED).order_by("priority", "id").first()
        if match is None:
            following.reconcile(stage)
            stage.refresh_from_db()
            if stage.has_ended:
                return
            continue
        claimed = play.claim(match.pk, "benchmark")
        if claimed is None:
            continue
        if recorded is None or len(play.seats_of(claimed)) != recorded[1]:
            recorded = (_played(claimed), len(play.seats_of(claimed)))
        play.finish(claimed, recorded[0])
        print(claimed.pk, flush=True)


def _played(claimed: Match) -> Played:
    seats = [Seated(seat.name, "house:random", Scripted()) for seat in play.seats_of(claimed)]
    game = games.get(claimed.contest.game_slug)
    return referee.play(game, seats, seed=claimed.seed, options=claimed.options, preset=claimed.contest.preset, games=1)


@contextmanager
def player(stage: Stage, pace: float) -> Iterator[Path]:
    """A process that finishes matches. Gives the file with a line for each."""
    told = settings.VAR_DIR / "played.txt"
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "contest.settings"}
    command = [sys.executable, "-m", "benchmarks.spectators", PLAYER, str(stage.pk), "--results", str(pace)]
    with told.open("wb") as file:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=file)
    try:
        yield told
    finally:
        process.kill()
        process.wait()


# The viewers ----------------------------------------------------------------------------------------------------------


class Site:
    """The pages, and how many of a hundred viewers open each."""

    def __init__(self, stage: Stage) -> None:
        slug = stage.contest.slug
        self.stage = stage.get_absolute_url()
        self.often = {
            self.stage: 36,
            reverse("standings", args=[slug]): 26,
            stage.contest.get_absolute_url(): 14,
            reverse("home"): 10,
            reverse("matches", args=[slug]): 5,
            reverse("teams", args=[slug]): 2,
            reverse("rules", args=[slug]): 1,
        }
        self.teams = [reverse("team", args=[slug, pk]) for pk in stage.contest.teams.values_list("pk", flat=True)]
        self.matches = [reverse("match", args=[pk]) for pk in stage.matches.values_list("pk", flat=True)]
        self.weights = [*self.often.values(), 3, 3]

    def any(self, chance: Random) -> str:
        kinds = [[page] for page in self.often] + [self.teams, self.matches]
        return chance.choice(chance.choices(kinds, self.weights)[0])


class Crowd:
    def __init__(self, site: Site, port: int, viewers: int, sessions: list[str], seconds: float) -> None:
        self.site, self.port, self.viewers, self.sessions = site, port, viewers, sessions
        self.seconds = seconds
        self.random = Random(5)
        self.times: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
        self.statuses: Counter[int] = Counter()
        self.lively: dict[tuple[str, str], bool] = {}
        self.bytes = 0
        self.measures = False
        self.end = 0.0

    async def view(self, number: int) -> None:
        session = self.sessions[number] if number < len(self.sessions) else ""
        who = "member" if session else "stranger"
        reader = Reader(self.port, 10 + number)
        headers = {"Accept_Encoding": "gzip, deflate, br", "Accept": "text/html"}
        if session:
            headers["Cookie"] = f"{settings.SESSION_COOKIE_NAME}={session}"
        while self.viewers <= FEW and time.perf_counter() < self.end:
            await self._ask(reader, self.site.any(self.random), (who, "page"), headers)
        await asyncio.sleep(self.random.uniform(0, 10))
        while time.perf_counter() < self.end:
            told = {"Sec_Fetch_Mode": "navigate"}
            status, head, body = await self._ask(reader, self.site.any(self.random), (who, "page"), headers | told)
            leaves = time.perf_counter() + self.random.expovariate(1 / STAYS)
            live, known = found(unpacked(head, body)), ""
            while live and status in (200, 204, 304) and time.perf_counter() < min(leaves, self.end):
                due = time.perf_counter() + PACE * self.random.uniform(0.95, 1.05)
                await asyncio.sleep(max(0.0, min(due, leaves, self.end) - time.perf_counter()))
                if time.perf_counter() > min(leaves, self.end):
                    break
                told = {"HX_Request": "true", "If_None_Match": known}
                status, head, body = await self._ask(reader, live, (who, "live"), headers | told)
                known = head.get("etag", known)
                if status == 200 and not self._goes_on(live, known, head, body):
                    live = ""
            await asyncio.sleep(max(0.0, min(leaves, self.end) - time.perf_counter()))
        reader.close()

    def _goes_on(self, live: str, known: str, head: dict[str, str], body: bytes) -> bool:
        """Whether the new part is still live: that of a match is not once it is over. Looked at once a revision."""
        part = live.partition("?")[0], known
        if not known or part not in self.lively:
            self.lively[part] = bool(found(unpacked(head, body)))
        return self.lively[part]

    async def _ask(
        self, reader: Reader, target: str, kind: tuple[str, str], headers: dict[str, str]
    ) -> tuple[int, dict[str, str], bytes]:
        """The answer. A busy portal has a page tried again, as by a browser, and that counts as one answer."""
        began = time.perf_counter()
        while True:
            try:
                status, head, body = await reader.get(target, **headers)
            except ConnectionError:
                status, head, body = 0, {}, b""
            if self.measures and began < self.end:
                self.statuses[status] += 1
                self.bytes += len(body)
            if status != 503 or "retry-after" not in head:
                break
            await asyncio.sleep(float(head["retry-after"]))
        if self.measures and began < self.end and status != 503:
            self.times[kind].append(time.perf_counter() - began)
        return status, head, body

    async def together(self, warm: float) -> None:
        self.end = time.perf_counter() + warm + self.seconds
        viewers = [asyncio.ensure_future(self.view(number)) for number in range(self.viewers)]
        await asyncio.sleep(warm)
        self.measures = True
        await asyncio.gather(*viewers)


def found(body: bytes) -> str:
    """The address of the live part of a page. Blank: it has none."""
    match = LIVE.search(body)
    return match[1].decode().replace("&amp;", "&") if match else ""


def unpacked(head: dict[str, str], body: bytes) -> bytes:
    return zlib.decompress(body, 31) if head.get("content-encoding") == "gzip" else body


def measure(
    stage: Stage, viewers: int, sessions: list[str], pace: float, seconds: float, core: str, other: str
) -> bool:
    warm = 15 + viewers / 500
    pin(core)  # what is started stays there
    with server("-c", "python:contest.server.web") as web, in_front(web.port, viewers) as port:
        pin(other)
        with player(stage, pace) as told:
            crowd = Crowd(Site(stage), port, viewers, sessions, seconds)

            async def run() -> tuple[float, float, int]:
                running = asyncio.ensure_future(crowd.together(warm))
                await asyncio.sleep(warm)
                before, began, lines = web.cpu(), time.perf_counter(), told.read_bytes().count(b"\n")
                await asyncio.sleep(seconds)
                took = time.perf_counter() - began
                used, done = (web.cpu() - before) / took, told.read_bytes().count(b"\n") - lines
                try:
                    await asyncio.wait_for(running, 60)
                except TimeoutError:
                    print("  some viewers had no answer within a minute")
                return used, took, done

            used, took, done = asyncio.run(run())
    answers = sum(crowd.statuses.values())
    failed = sum(count for status, count in crowd.statuses.items() if status not in (200, 204, 304, 503))
    print(
        f"{viewers} viewers, {len(crowd.sessions)} logged in: {answers / took:.0f} answers a second "
        f"({dict(crowd.statuses)}), {crowd.bytes / 1e6 / took:.1f} MB/s, server {used:.2f} processors, "
        f"{done / took:.1f} results a second"
    )
    for (who, what), times in sorted(crowd.times.items()):
        print(
            f"  {who:<9}{what:<6}{len(times):>7}   p50 {1000 * quantile(times, 50):7.1f} ms, "
            f"p99 {1000 * quantile(times, 99):7.1f} ms"
        )
    whole = [time for (who, _), times in crowd.times.items() if who == "stranger" for time in times]
    p99 = quantile(whole, 99)
    print(f"  strangers: p50 {1000 * quantile(whole, 50):.1f} ms, p99 {1000 * p99:.1f} ms", flush=True)
    return not failed and (p99 < TARGET if viewers > FEW else answers / took >= PAGES_A_SECOND)


@contextmanager
def in_front(portal: int, viewers: int) -> Iterator[int]:
    """The port that viewers ask."""
    if viewers <= FEW:
        yield portal
        return
    if NGINX is None:
        sys.exit("Install nginx for more than twenty viewers: apt-get install nginx-light")
    folder = Path(settings.VAR_DIR) / f"nginx{portal}"
    folder.mkdir()
    nginx = Nginx(folder, portal)
    try:
        yield nginx.port
    finally:
        nginx.stop()


def pin(cores: str) -> None:
    """Keep this process on these cores, if any are named."""
    if cores:
        os.sched_setaffinity(0, {int(each) for each in cores.split(",")})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--viewers", type=int, nargs="+", default=[FEW, 5000])
    parser.add_argument("--members", type=float, default=0.0, help="share of the viewers who are logged in")
    parser.add_argument("--results", type=float, default=10.0, help="results a second")
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--server-core", default="0", help="the processor of the server; blank: any")
    parser.add_argument("--other-cores", default="1")
    parser.add_argument(PLAYER, type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.play:
        play_for_ever(Stage.objects.get(pk=options.play), options.results)
        return 0
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    workers.wake = lambda *_, **__: False  # nobody is there to play
    try:
        with private_broker():
            call_command("migrate", verbosity=0)
            command = [sys.executable, "manage.py", "collectstatic", "--no-input", "-v", "0"]
            environment = os.environ | {"DJANGO_SETTINGS_MODULE": "contest.settings"}
            subprocess.run(command, cwd=ROOT, env=environment, check=True)
            # A contest for each measurement, so that none is over before its end.
            arranged = [(viewers, arrange(f"Spectators Cup {viewers}")) for viewers in options.viewers]
            logged_in = [
                log_in_members(stage, int(viewers * options.members) if viewers > FEW else 0)
                for viewers, stage in arranged
            ]
            fine = [
                measure(
                    stage, viewers, sessions, options.results, options.seconds, options.server_core, options.other_cores
                )
                for (viewers, stage), sessions in zip(arranged, logged_in, strict=True)
            ]
    finally:
        shutil.rmtree(settings.VAR_DIR, ignore_errors=True)
    print("within the target" if fine[-1] else "TARGET MISSED")
    return 0 if fine[-1] else 1


if __name__ == "__main__":
    sys.exit(main())
