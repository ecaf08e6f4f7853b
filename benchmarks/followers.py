"""Many who follow games in progress: 1,000 of one match, and 200 matches at once.

    python -m benchmarks.followers [--seconds 40] [--followers 1000] [--matches 200]

The server is the real one with two processes, and a SQLite database of its own. A process tells the events of recorded
games at a pace, through the publisher that workers use; clients follow them over sockets. Server, Redis, tellers and
clients share the machine, which is best left alone with them. Measured is the time from the moment at which a referee
has decided an event until a client has it, and what the server needs for each follower. Then matches of house players
are played as fast as they can be, told and not told: the records must be equal.

Targets: the p99 of the delay is under a second, for one match and for 200 in which a card is played every two seconds.
Exit status 1 when it is missed, or records differ.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import signal
import statistics
import sys
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from benchmarks.crowd import quantile
from benchmarks.waiting import NEW, Served, private_broker, server

from django.conf import settings  # isort: skip
from django.core.management import call_command
from django.utils import timezone

import games
from contest.broadcast.publish import Broadcast
from contest.server.web.worker import raise_limit_of_files
from games.players import HousePlayer, Seated
from games.record import Record
from games.referee import play
from tests.tournaments import scenes
from tournaments.models import Match
from tournaments.playing import broadcast
from tournaments.seating import queue

TARGET = 1.0  # seconds
BEFORE = 20  # events that were told when the first follower comes
SETTLE = 10.0  # seconds for everybody to come, and for the server to draw what there is …
EACH = 0.15  # … and more for each match


def recorded(slug: str, seed: int = 5, on_event: Any = None, target: int = 200) -> Record:
    game = games.get(slug)
    options = game.options({"target": target} if "target" in game.options({}) else {})
    names = ("North High", "Cardinal Sharks", "South Side", "Westward Ho")[: game.seats[1]]
    seats = [Seated(name, "bot.py", HousePlayer(game.house[0])) for name in names]
    return play(game, seats, seed=seed, options=options, preset=game.presets[0].name, games=1, on_event=on_event).record


def running_matches(count: int) -> list[Match]:
    contest = scenes.small_contest(name="Followed Cup")
    scenes.enter(contest, 4 * count)
    stage = scenes.stage_of(contest)
    now = timezone.now()
    stage.matches.filter(state="queued").update(
        state="running", attempt=1, worker="benchmark", started_at=now, lease_until=now + timedelta(hours=1)
    )
    return list(stage.matches.filter(state="running").select_related("contest", "stage")[:count])


def tell(matches: Sequence[Match], record: Record, began: float, pace: float, seconds: float) -> None:
    """In a process of its own: the event number BEFORE + n of each match n / pace seconds after `began`, in which the
    matches take turns."""
    told: list[Broadcast] = []
    for match in matches:
        each = broadcast.of(match)
        each.begins = 0
        for event in record["events"][:BEFORE]:
            each.tell(event)
        told.append(each)
    apart = 1 / pace / len(matches)
    for number in range(int(pace * seconds)):
        for index, each in enumerate(told):
            wait = began + number / pace + index * apart - time.time()
            if wait > 0:
                time.sleep(wait)
            each.tell(record["events"][BEFORE + number])


class Follower:
    """A client of one stream."""

    def __init__(self, port: int, number: int, match: Match, offset: float) -> None:
        self.port, self.number, self.match, self.offset = port, number, match, offset
        self.known = 0
        self.came = 0.0
        self.delays: list[float] = []
        self.bytes = self.lines = 0
        self.status = b""

    async def follow(self, began: float, pace: float) -> None:
        local = (f"127.0.{self.number // 200}.{1 + self.number % 200}", 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=local, limit=1 << 24)
        target = f"/m/{self.match.pk}/1/?view=table"
        head = f"GET {target} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
        writer.write(head.encode())
        try:
            while line := await reader.readline():
                self.bytes += len(line)
                self.status = self.status or line
                self.lines += 1
                if line.startswith(b"id: "):
                    self._hear(int(line.split(b".")[1]), began, pace)
        finally:
            writer.close()

    def _hear(self, drawn: int, began: float, pace: float) -> None:
        now = time.time()
        self.came = self.came or now
        is_new = now > self.came + 1  # before that it is told what it has missed
        for number in range(max(self.known, BEFORE), drawn) if is_new else ():
            self.delays.append(now - (began + (number - BEFORE) / pace + self.offset))
        self.known = max(self.known, drawn)


async def followed(
    web: Served, followers: Sequence[Follower], began: float, pace: float, seconds: float
) -> tuple[float, float]:
    """Returns the processor time of the server, and the time, in which events were told."""
    tasks = []
    for each in followers:
        tasks.append(asyncio.ensure_future(each.follow(began, pace)))
        await asyncio.sleep(SETTLE / 2 / len(followers))
    await asyncio.sleep(began - time.time())
    used, clock = web.cpu(), time.perf_counter()
    await asyncio.sleep(began + seconds + 2 - time.time())
    used, clock = web.cpu() - used, time.perf_counter() - clock
    for task in tasks:
        task.cancel()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    for each, end in zip(followers, ends, strict=True):
        if not each.delays:
            print(f"follower {each.number} heard nothing: {end!r} after {each.lines} lines, {each.status!r}")
    return used, clock


def phase(name: str, matches: Sequence[Match], per_match: int, pace: float, seconds: float) -> bool:
    record = recorded("tricky_eights")
    assert len(record["events"]) > BEFORE + pace * seconds, "the game is too short for this"
    with server(*NEW) as web:
        settle = SETTLE + EACH * len(matches)
        began = time.time() + settle
        pid = os.fork()
        if pid == 0:
            try:
                tell(matches, record, began, pace, seconds)
                time.sleep(60)
            finally:
                os._exit(0)
        offsets = {match.pk: index / pace / len(matches) for index, match in enumerate(matches)}
        crowd = [match for match in matches for _ in range(per_match)]
        followers = [Follower(web.port, number, match, offsets[match.pk]) for number, match in enumerate(crowd)]
        used, clock = asyncio.run(followed(web, followers, began, pace, seconds))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    delays = [delay for each in followers for delay in each.delays]
    heard = sum(bool(each.delays) for each in followers)
    worst = quantile(delays, 99)
    print(f"{name:<40}{heard} of {len(followers)} followed   delay p50 {quantile(delays, 50):.2f} s, p99 {worst:.2f} s")
    kilobytes = statistics.mean(each.bytes for each in followers) / 1000 / clock
    print(f"{'':<40}{used / clock:.2f} processors, {1e3 * used / clock / len(followers):.2f} ms a second for each")
    print(f"{'':<40}{kilobytes:.1f} kB a second for each before compression", flush=True)
    return heard == len(followers) and worst < TARGET


def effect(rounds: int = 30) -> bool:
    """What being told costs a match that is played as fast as it can be."""
    times: dict[str, list[float]] = {"not told": [], "told": []}
    equal = True
    for seed in range(1, rounds + 1):
        records = []
        for how, found in times.items():
            head = {"format": 1, "game": "hearts", "rules": "", "seed": 0, "options": {}, "seats": [{}] * 4}
            with Broadcast(f"match:{seed}:1", head, after=0) as told:
                began = time.perf_counter()
                record = recorded("hearts", seed, told.tell if how == "told" else None)
                found.append(time.perf_counter() - began)
            for event in record["events"]:
                event.pop("ms", None)
            records.append(record)
        equal = equal and records[0] == records[1]
    both = [statistics.median(found) for found in times.values()]
    ratio = statistics.median(told / plain for plain, told in zip(*times.values(), strict=True))
    print(f"{'a match of hearts, not told and told':<40}{1000 * both[0]:.1f} ms, {1000 * both[1]:.1f} ms ({ratio:.2f})")
    print(f"{'records are equal':<40}{'yes' if equal else 'NO'}")
    return equal


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--followers", type=int, default=1000)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--pace", type=float, default=4.0, help="events a second of the one match")
    options = parser.parse_args()
    raise_limit_of_files()
    queue.wake = lambda *_: None  # type: ignore[assignment]  # nobody is there to play
    try:
        with private_broker():
            call_command("migrate", verbosity=0)
            call_command("collectstatic", interactive=False, verbosity=0)
            matches = running_matches(options.matches)
            good = phase(
                f"{options.followers} followers of one match", matches[:1], options.followers, options.pace,
                options.seconds,
            )  # fmt: skip
            every = f"{len(matches)} matches, an event every"
            good = phase(f"{every} 2 s", matches, 2, 0.5, options.seconds) and good
            phase(f"{every} second", matches, 2, 1.0, options.seconds)
            good = effect() and good
            return 0 if good else 1
    finally:
        shutil.rmtree(settings.VAR_DIR, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
