"""How long people at casual tables wait for the house: from a decision to the next question.

    python -m benchmarks.casual [--tables 1 30] [--seconds 20] [--pause 1.0] [--game hearts] [--house NAME]

The server is the real process, over a database of its own. At each table somebody plays with three house players (the
strongest, unless `--house` names another), thinks for about `--pause` seconds, and then decides at random. Everything
shares the machine: the people are threads of this process. Two times are taken: until the row of the next question is
written, when the house has decided, and until the question is in the broadcast, which sends at most every 0.1 s.

Target: p99 until the row below one second with 30 tables. Exit status 1 when it is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

import redis  # noqa: E402
from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from benchmarks.botserver import Usage  # noqa: E402
from benchmarks.crowd import quantile  # noqa: E402
from contest.broadcast.publish import key_of  # noqa: E402
from contest.server import broker  # noqa: E402
from games import get  # noqa: E402
from tests.tournaments.casual.parlour import ServerProcess, any_answer, table  # noqa: E402
from tournaments.casual import moves, tables  # noqa: E402
from tournaments.models import CasualGame, CasualSeat  # noqa: E402

TARGET = 1.0  # seconds
MOST = 30  # tables for which it holds


class Person(threading.Thread):
    """Plays one game after the other, and takes the times."""

    def __init__(self, number: int, game: str, house: str, pause: float, until: float) -> None:
        super().__init__(daemon=True)
        self.random = Random(number)
        self.game_slug, self.house, self.pause, self.until = game, house, pause, until
        self.answered: list[float] = []  # until the house had decided
        self.told: list[float] = []  # until the question was in the broadcast
        self.posted: list[float] = []  # the time that taking the decision itself took
        self.client = redis.Redis.from_url(settings.CACHE_URL)

    def run(self) -> None:
        while time.time() < self.until:
            game, seat = table(self.game_slug, house=self.house, options=get(self.game_slug).options())
            try:
                self._play(game, seat)
            finally:
                tables.abandon(game, "The benchmark is over.")
        connection.close()

    def _play(self, game: CasualGame, seat: CasualSeat) -> None:
        key, place, clicked = key_of(game.channel), "0-0", 0.0
        while time.time() < self.until:
            found: Any = self.client.xread({key: place}, block=200)
            for _, entries in found:
                for at, fields in entries:
                    place = at.decode()
                    entry = json.loads(fields[b"json"])
                    if entry.get("over"):
                        return
                    if entry.get("note", {}).get("name") == "question":
                        arrived = time.time()
                        clicked = self._decide(game, seat, entry["note"]["data"], clicked, arrived)

    def _decide(
        self, game: CasualGame, seat: CasualSeat, question: dict[str, Any], clicked: float, arrived: float
    ) -> float:
        game.refresh_from_db()
        if clicked and game.asked_at is not None and game.asked == question["number"]:
            self.answered.append(game.asked_at.timestamp() - clicked)
            self.told.append(arrived - clicked)
        time.sleep(self.random.uniform(0.5, 1.5) * self.pause)
        began = time.time()
        moves.answer(game, seat, question["number"], any_answer(question, self.random))
        self.posted.append(time.time() - began)
        return began


def report(name: str, times: list[float]) -> float:
    if not times:
        print(f"  {name}: nothing was measured")
        return float("inf")
    p99 = quantile(times, 99)
    print(
        f"  {name:<22} {1000 * statistics.median(times):6.0f} ms median {1000 * p99:6.0f} ms p99 ({len(times)} times)"
    )
    return p99


def run(server: ServerProcess, count: int, game: str, house: str, pause: float, seconds: float) -> float:
    before = Usage(server.process.pid)
    people = [Person(number, game, house, pause, time.time() + seconds) for number in range(count)]
    for person in people:
        person.start()
    for person in people:
        person.join(seconds + 30)
    after = Usage(server.process.pid)
    share = (after.seconds - before.seconds) / (after.at - before.at)
    print(
        f"{count} tables of {game} against {house}: server {100 * share:.0f} % of a core, {after.memory / 1e6:.0f} MB"
    )
    report("taking a decision", [each for person in people for each in person.posted])
    p99 = report("the house has decided", [each for person in people for each in person.answered])
    report("the question is told", [each for person in people for each in person.told])
    return p99


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 30])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pause", type=float, default=1.0)
    parser.add_argument("--game", default="hearts")
    parser.add_argument("--house")
    given = parser.parse_args()
    house = given.house or get(given.game).house[-1].name
    settings.CASUAL_AT_ONCE = settings.CASUAL_PER_PERSON = settings.CASUAL_PER_ADDRESS = 10_000
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "contest.settings", "LOG_LEVEL": "WARNING"}
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = str(settings.VAR_DIR / "portal.sqlite3")
    call_command("migrate", verbosity=0)
    place = Path(settings.BROKER_SOCKET)
    command = broker.find().command(place, broker.private_folder(place.parent))
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as queue:
        server = None
        try:
            broker.wait_until(place, up=True, seconds=10)
            server = ServerProcess(environment, settings.VAR_DIR / "casual.log")
            found = [run(server, count, given.game, house, given.pause, given.seconds) for count in given.tables]
        finally:
            if server is not None:
                server.kill()
                print(f"its log: {server.output() or 'empty'}")
            queue.kill()
    missed = [p99 for count, p99 in zip(given.tables, found, strict=True) if count <= MOST and p99 > TARGET]
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
