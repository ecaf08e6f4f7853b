"""The web server with 1,000 clients that wait, besides 500 spectators whose pages poll.

    python -m benchmarks.waiting [--seconds 60] [--spectators 500] [--waiting 1000] [--slow 2000]

The server is the real one, with a SQLite database of its own: 200 teams, 2,000 matches. Clients, server and broker
share the machine, which is best left alone with them. Printed are the times of ordinary pages, which four visitors read
one after the other: with the spectators alone, with the clients that wait besides, and with 2,000 connections that send
a byte of a header every second. A match is played every twenty seconds, and it is measured when those who wait hear of
it. Half of these are strangers, half have a token; a quarter wait for a version and hear nothing. They come before the
times are taken. Once more, the spectators' pages wait as well, as they do in browsers.

Then the throughput of the same pages, in turns with gunicorn's threaded worker (`gthread`), which served them before.

Target: the p99 of pages is at most twice as long with the clients that wait. Exit status 1 when it is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.urls import reverse  # noqa: E402

from benchmarks.crowd import Reader, Times, drip, quantile  # noqa: E402
from contest.models import ApiToken, Contest, Membership  # noqa: E402
from contest.permissions import Access  # noqa: E402
from contest.server import broker  # noqa: E402
from contest.server.supervisor import descendants  # noqa: E402
from contest.server.web.worker import raise_limit_of_files  # noqa: E402
from tests import ports  # noqa: E402
from tests.cast import make_user  # noqa: E402
from tests.tournaments import scenes  # noqa: E402
from tests.waiting import wait_for  # noqa: E402
from tournaments.models import Stage  # noqa: E402
from tournaments.seating import queue  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
TEAMS, MATCHES = 200, 2000
POLL = 3.0  # seconds between two polls of a page; pages that show nothing new for two minutes poll less often
CHANGE = 20.0  # seconds between two results
VISITORS = 4
TARGET = 2.0
TURNS = 6
NEW = ("-c", "python:contest.server.web.options")
OLD = ("-k", "gthread", "-w", "2", "--threads", "8", "--no-control-socket", "contest.wsgi")


class Scene:
    """A contest, and what is asked about it."""

    def __init__(self) -> None:
        self.contest = scenes.small_contest(name="Waiting Cup")
        self.stage = scenes.many(self.contest, TEAMS, MATCHES)
        users = [make_user() for _ in range(TEAMS)]
        teams = list(self.contest.teams.order_by("pk"))
        Membership.objects.bulk_create(
            Membership(team=team, contest=self.contest, user=user) for team, user in zip(teams, users, strict=True)
        )
        self.tokens = [ApiToken.issue(user, "benchmark", ["bot"])[1] for user in users]
        slug, played = self.contest.slug, Stage.objects.get(name="Ladder").matches.first()
        assert played is not None
        self.pages = [
            *(reverse(name, args=[slug]) for name in ("contest", "standings", "matches")),
            reverse("bracket", args=[slug, self.stage.pk]),
            reverse("team", args=[slug, teams[7].pk]),
            reverse("match", args=[played.pk]),
            "/",
            f"/api/v1/contests/{slug}/standings",
        ]
        self.live = [self.pages[0], self.pages[1], self.pages[3]]
        api = f"/api/v1/contests/{slug}"
        self.public = [f"{api}/standings", f"{api}/stages/{self.stage.pk}/standings", f"{api}/ledger"]
        self.own = [f"{api}/ledger", f"{api}/versions/1"]

    def revision(self) -> str:
        return Access(Contest.objects.get(pk=self.contest.pk)).revision

    def play(self) -> None:
        scenes.play_match(self.stage.matches.filter(state="queued")[0])


class Crowd:
    """Who asks for something, until `end`."""

    def __init__(self, scene: Scene, port: int, seconds: float) -> None:
        self.scene, self.port = scene, port
        self.seconds = seconds
        self.end = float("inf")
        self.settled = 0  # clients that wait
        self.random = Random(3)
        self.pages = Times()
        self.polls = Times()
        self.changed_at = 0.0
        self.heard: list[float] = []  # seconds from a change to the answer
        self.ended: list[float] = []  # seconds that a wait took which heard nothing

    async def visit(self, number: int) -> None:
        reader = Reader(self.port, number)
        pages = cycle(self.scene.pages[number % len(self.scene.pages) :] + self.scene.pages)
        while time.perf_counter() < self.end:
            await self.pages.of(reader, next(pages))
            await asyncio.sleep(0.2)

    async def watch(self, number: int, revision: str, *, waits: bool) -> None:
        """A live page. It polls, or it waits as pages do in browsers that can store who waits."""
        reader = Reader(self.port, 10 + number)
        address = self.scene.live[number % len(self.scene.live)]
        more = "&wait=20" if waits else ""
        await asyncio.sleep(self.random.uniform(0, POLL))
        while time.perf_counter() < self.end:
            began = time.perf_counter()
            status, _, body = await reader.get(f"{address}?rev={revision}{more}", HX_Request="true")
            self.polls.all.append(time.perf_counter() - began)
            self.polls.failed += status not in (200, 204)
            if status == 200 and (mark := body.find(b"rev=")) >= 0:
                revision = body[mark + 4 : mark + 40].split(b"&")[0].split(b'"')[0].decode()
            await asyncio.sleep(max(0.0, POLL - (time.perf_counter() - began)))

    async def wait(self, number: int) -> None:
        """A client that waits for something new."""
        token = self.scene.tokens[number // 2 % len(self.scene.tokens)] if number % 2 else ""
        reader = Reader(self.port, 600 + number, token)
        addresses = self.scene.own if token else self.scene.public
        address = addresses[number // 2 % len(addresses)]
        await asyncio.sleep(number / 50)  # they come one after the other
        etag = ""
        while time.perf_counter() < self.end:
            began = time.perf_counter()
            self.settled += not etag
            status, headers, _ = await reader.get(f"{address}?wait=25", **({"If_None_Match": etag} if etag else {}))
            now = time.perf_counter()
            if status == 200:
                if etag and self.changed_at > began:
                    self.heard.append(now - self.changed_at)
                etag = headers["etag"]
            elif status == 304:
                self.ended.append(now - began)
            else:
                self.pages.failed += 1

    async def change(self) -> None:
        loop = asyncio.get_running_loop()
        while time.perf_counter() + CHANGE < self.end:
            await asyncio.sleep(CHANGE)
            await loop.run_in_executor(None, self.scene.play)
            self.changed_at = time.perf_counter()

    async def together(self, spectators: int, waiting: int, *, pages_wait: bool = False) -> None:
        revision = await asyncio.get_running_loop().run_in_executor(None, self.scene.revision)
        waits = [asyncio.ensure_future(self.wait(number)) for number in range(waiting)]
        while self.settled < waiting:
            await asyncio.sleep(0.1)
        await asyncio.sleep(2 if waiting else 0)
        self.end = time.perf_counter() + self.seconds
        asked: list[Coroutine[Any, Any, None]] = [self.visit(number) for number in range(VISITORS)]
        asked += [self.watch(number, revision, waits=pages_wait) for number in range(spectators)]
        await asyncio.gather(*asked, self.change())
        for each in waits:
            each.cancel()
        await asyncio.gather(*waits, return_exceptions=True)


@dataclass
class Served:
    port: int
    process: subprocess.Popen[bytes]

    def cpu(self) -> float:
        """Seconds of processor time that the server has used."""
        ticks = 0
        for pid in (self.process.pid, *descendants(self.process.pid)):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def server(*options: str) -> Iterator[Served]:
    port = ports.free_port()
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "contest.settings"}
    log = settings.VAR_DIR / "web.log"
    with log.open("ab") as file:
        command = [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}", *options]
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=file, stderr=file)
    try:
        wait_for(lambda: asyncio.run(_answers(port)), log.read_text)
        yield Served(port, process)
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:  # gthread, with slow clients in all its threads
            process.kill()
            process.wait()


async def _answers(port: int) -> bool:
    try:
        return (await Reader(port).get("/healthz"))[0] == 200
    except OSError:
        return False


def phase(
    name: str, scene: Scene, web: Served, seconds: float, spectators: int, waiting: int = 0, *, pages_wait: bool = False
) -> Crowd:
    crowd, before, began = Crowd(scene, web.port, seconds), web.cpu(), time.perf_counter()
    asyncio.run(crowd.together(spectators, waiting, pages_wait=pages_wait))
    used = (web.cpu() - before) / (time.perf_counter() - began)
    asked = f"{len(crowd.pages.all)} pages, {len(crowd.polls.all)} polls, {used:.2f} processors"
    print(f"{name:<44}{crowd.pages}   ({asked})", flush=True)
    if crowd.heard:
        print(f"{'  who waited heard of a result after':<44}{_seconds(crowd.heard)}   ({len(crowd.heard)} times)")
    if crowd.ended:
        print(f"{'  and without one had an answer after':<44}{_seconds(crowd.ended)}   ({len(crowd.ended)} times)")
    return crowd


def _seconds(found: list[float]) -> str:
    return f"p50 {quantile(found, 50):6.2f} s,  p99 {quantile(found, 99):6.2f} s "


def slow_headers(scene: Scene, port: int, seconds: float, count: int) -> str:
    """The times of pages beside so many connections that send their headers slowly."""

    async def both() -> tuple[Crowd, int]:
        stop = asyncio.Event()
        dripping = asyncio.create_task(drip(port, count, stop))
        await asyncio.sleep(3)
        crowd = Crowd(scene, port, seconds)
        try:
            async with asyncio.timeout(seconds + 20):
                await crowd.together(0, 0)
        except TimeoutError:
            crowd.pages.failed += 1
        stop.set()
        return crowd, await dripping

    crowd, closed = asyncio.run(both())
    return f"{crowd.pages}   ({len(crowd.pages.all)} pages, {closed} slow ones cut off)"


def throughput(scene: Scene, web: Served, seconds: float, clients: int = 16) -> tuple[float, float]:
    """Pages per second, and milliseconds of processor time that the server needs for each."""

    async def all_of_them() -> int:
        end, times = time.perf_counter() + seconds, Times()

        async def one(number: int) -> None:
            reader, pages = Reader(web.port, number), cycle(scene.pages[number % 8 :] + scene.pages[: number % 8])
            while time.perf_counter() < end:
                await times.of(reader, next(pages))

        await asyncio.gather(*(one(number) for number in range(clients)))
        assert not times.failed
        return len(times.all)

    before = web.cpu()
    count = asyncio.run(all_of_them())
    return count / seconds, 1000 * (web.cpu() - before) / count


@contextmanager
def private_broker() -> Iterator[None]:
    path = Path(settings.BROKER_SOCKET)
    broker.private_folder(path.parent)
    command = broker.find().command(path, path.parent)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert broker.wait_until(path, up=True, seconds=10)
        yield
    finally:
        process.kill()
        process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--spectators", type=int, default=500)
    parser.add_argument("--waiting", type=int, default=1000)
    parser.add_argument("--slow", type=int, default=2000)
    options = parser.parse_args()
    raise_limit_of_files()
    queue.wake = lambda *_: None  # type: ignore[assignment]  # nobody is there to play
    try:
        with private_broker():
            return run(options.seconds, options.spectators, options.waiting, options.slow)
    finally:
        shutil.rmtree(settings.VAR_DIR, ignore_errors=True)


def run(seconds: float, spectators: int, waiting: int, slow: int) -> int:
    call_command("migrate", verbosity=0)
    scene = Scene()
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "contest.settings"}
    command = [sys.executable, "manage.py", "collectstatic", "--no-input", "-v", "0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    with server(*NEW) as web:
        throughput(scene, web, 3)  # warm up
        alone = phase(f"{spectators} spectators", scene, web, seconds, spectators)
        beside = phase(f"… and {waiting} who wait", scene, web, seconds, spectators, waiting)
        ratio = quantile(beside.pages.all, 99) / quantile(alone.pages.all, 99)
        print(f"{'ratio of the p99':<44}{ratio:.2f}")
        phase("… and the pages of spectators wait too", scene, web, seconds, spectators, waiting, pages_wait=True)
        if slow:
            print(f"{f'{slow} slow headers':<44}{slow_headers(scene, web.port, seconds / 4, slow)}", flush=True)
    with server(*OLD) as web:
        if slow:
            print(
                f"{f'{slow} slow headers, gthread':<44}{slow_headers(scene, web.port, seconds / 4, slow)}", flush=True
            )
    found: dict[str, list[tuple[float, float]]] = {"event loop and threads": [], "gthread": []}
    with server(*NEW) as new, server(*OLD) as old:
        for _ in range(TURNS):
            for name, web in zip(found, (new, old), strict=True):
                found[name].append(throughput(scene, web, seconds / 8))
    for name, turns in found.items():
        rates, costs = zip(*turns[1:], strict=True)  # the first warms up
        line = f"{f'pages with {name}':<44}{statistics.median(rates):.1f} a second, {statistics.median(costs):.2f} ms"
        print(f"{line} of processor time each   ({', '.join(f'{cost:.2f}' for cost in costs)})")
    print("within the target" if ratio <= TARGET else "TARGET MISSED")
    return 0 if ratio <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
