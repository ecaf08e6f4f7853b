"""The day of 32 teams in real time, on a whole portal, with everything that goes wrong on such a day.

Rounds are two minutes apart. The organiser uses the API, and strangers look all the time. Afterwards every start and
every result is compared with the timetable.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import vobject

from tests.e2e.portal import PATIENCE, ROOT, Portal
from tests.e2e.test_first_cup import environment, token
from tests.submissions import bots
from tests.waiting import wait_for

pytestmark = [pytest.mark.promise, pytest.mark.timeout(1500)]

TEAMS = 32
STEP = timedelta(minutes=2)
SLOW = "import time; time.sleep(0.1)"
SOURCE = bots.python_bot(take=SLOW, play=SLOW)
"""Slow enough for a worker to be killed in the middle of a match."""

ARRANGE = """
import json
from contest.models import ApiToken, User
from tests.cast import make_contest, make_teams
from tests.tournaments.stagecraft import give_bot
organiser = User.objects.get(username="organiser")
contest = make_contest(organiser, "The Day", options={"target": 5}, preset="open")
teams = make_teams(contest, TEAMS)
for team in teams:
    give_bot(team, source=SOURCE)
token = ApiToken.issue(organiser, "day", ["desk"])[1]
print(json.dumps({"slug": contest.slug, "teams": [team.pk for team in teams], "token": token}))
"""


def now() -> datetime:
    return datetime.now(UTC)


class Caller:
    """Somebody who uses the API. The portal may have been started again meanwhile, elsewhere."""

    def __init__(self, house: House, key: str = "") -> None:
        self.house, self.headers = house, {"Authorization": f"Bearer {key}"} if key else {}

    def ask(self, path: str, data: dict[str, Any] | None = None) -> httpx.Response:
        url, method = f"{self.house.portal.url}{path}", "GET" if data is None else "POST"
        return httpx.request(method, url, json=data, headers=self.headers, timeout=PATIENCE)

    def get(self, path: str) -> Any:
        answer = self.ask(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, **data: Any) -> Any:
        answer = self.ask(path, data)
        assert answer.is_success, (path, answer.text)
        return answer.json() if answer.content else None


class House:
    """A portal that can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.portal = Portal(folder).up()

    def start(self) -> None:
        self.portal = Portal(self.folder).up()

    def run(self, *arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        ran = subprocess.run(
            command, cwd=ROOT, env=environment(self.portal), capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setenv("MATCH_LEASE", "10")  # seconds after which another worker plays what a dead one had
    found = House(tmp_path)
    yield found
    found.portal.stop()


class Stranger(threading.Thread):
    """Reads all the time who meets, as everybody may."""

    def __init__(self, caller: Caller, tables: str, calendar: str) -> None:
        super().__init__(daemon=True)
        self.caller, self.tables, self.calendar = caller, tables, calendar
        self.seated: dict[int, datetime] = {}
        self.sure: dict[int, datetime] = {}
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.5):
            with suppress(httpx.HTTPError, ValueError):  # the portal is down
                for each in self.caller.ask(self.tables).json().get("rounds", ()):
                    if any(seat["team_id"] for table in each["tables"] for seat in table["seats"]):
                        self.seated.setdefault(each["number"], now())
                for number, event in events(self.caller.ask(self.calendar).text).items():
                    if event.status.value == "CONFIRMED":
                        self.sure.setdefault(number, now())


def events(text: str) -> dict[int, Any]:
    """The rounds of a calendar, by number."""
    found = getattr(vobject.readOne(text), "vevent_list", [])
    return {int(event.uid.value.partition("@")[0].rpartition("-")[2]): event for event in found}


class Day:
    """The contest, with its organiser at the API and a stranger who looks."""

    def __init__(self, house: House) -> None:
        arranged = house.run("shell", "-c", f"TEAMS, SOURCE = {TEAMS}, {SOURCE!r}\n{ARRANGE}")
        told = json.loads(arranged.splitlines()[-1])
        self.house, self.teams = house, told["teams"]
        self.here = f"/api/v1/contests/{told['slug']}"
        self.desk, self.public = Caller(house, told["token"]), Caller(house)
        start = now().replace(microsecond=0) + STEP
        self.at = {number: start + (number - 1) * STEP for number in range(1, 6)}
        self.stage = self.desk.post(
            f"{self.here}/desk/stages",
            name="Cup",
            format="single_elimination",
            table_size=2,
            games=1,
            check_in_closes_at=(start - STEP / 4).isoformat(),
            timetable=[
                {"number": number, "starts_at": at.isoformat(), "hold": number == 3} for number, at in self.at.items()
            ],
        )["id"]
        self.act("publish")
        calendar = f"/c/{told['slug']}/bracket/{self.stage}/calendar.ics"
        self.stranger = Stranger(self.public, f"{self.here}/stages/{self.stage}/tables", calendar)
        self.stranger.start()

    def act(self, name: str, **data: Any) -> Any:
        return self.desk.post(f"{self.here}/desk/stages/{self.stage}/{name}", **data)

    def rounds(self) -> dict[int, dict[str, Any]]:
        told = self.desk.get(f"{self.here}/stages/{self.stage}")
        return {each["number"]: each for each in told["timetable"]}

    def until(self, number: int, state: str) -> None:
        is_so = lambda: self.rounds()[number]["state"] == state  # noqa: E731
        wait_for(is_so, lambda: (number, state, self.rounds()), PATIENCE, pause=0.5)

    def matches(self, query: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.desk.get(f"{self.here}/matches?limit=200&{query}")["results"]
        return found

    # What happens -----------------------------------------------------------------------------------------------------

    def arrive(self) -> None:
        """All teams but one check in. Another one comes late, has its bot built, and takes the bye."""
        *present, absent = self.teams
        for team in present:
            self.desk.post(f"{self.here}/desk/teams/{team}/check-in", present=True)
        late = Caller(self.house, token(self.house.portal, "latecomer", "bot", "team"))
        newcomer = late.post(f"{self.here}/teams", name="Latecomers")["id"]
        late.post(f"{self.here}/versions", source=SOURCE.decode(), filename="bot.py")
        version = lambda: late.get(f"{self.here}/versions/1")  # noqa: E731
        wait_for(lambda: version()["state"] == "ready", version, PATIENCE, pause=0.5)
        self.until(1, "running")
        entrants = self.desk.get(f"{self.here}/stages/{self.stage}")["entrants"]
        assert absent not in {entrant["team_id"] for entrant in entrants}
        self.act("bye", team=newcomer, reason="Their bus was late.")

    def kill_a_worker(self) -> None:
        """While it plays round 2."""
        self.until(2, "running")
        wait_for(lambda: self.matches("state=running&round=2"), self.rounds, PATIENCE, pause=0.2)
        for pid in self.house.portal.children("matches@"):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.until(2, "done")

    def hold(self) -> datetime:
        """The time of round 3 passes while it is on hold. Then two organisers start it at once. Returns when."""
        wait_until(self.at[3] + STEP / 4)
        assert self.rounds()[3]["state"] == "held"
        released, path = now(), f"{self.here}/desk/stages/{self.stage}/start-round"
        with ThreadPoolExecutor(2) as both:
            pressed = list(both.map(lambda _: self.desk.ask(path, {"round": 3}).is_success, range(2)))
        assert sorted(pressed) == [False, True]
        return released

    def shift(self) -> None:
        """Round 4 is held, then not any more, and moved together with the final."""
        self.act("hold-round", round=4)
        self.act("follow-timetable", round=4)
        self.act("shift", round=4, minutes=1, text="The projector is broken.")
        for number in (4, 5):
            self.at[number] += timedelta(minutes=1)
        self.until(4, "done")

    def power_cut(self) -> datetime:
        """The portal is down when the final should start. Returns when it is back."""
        wait_until(self.at[5] - timedelta(seconds=20))
        self.house.portal.stop()
        wait_until(self.at[5] + STEP / 4)
        back = now()
        self.house.start()
        self.until(5, "done")
        return back


def wait_until(moment: datetime) -> None:
    wait_for(lambda: now() >= moment, seconds=PATIENCE, pause=0.2)


def test_a_day_of_32_teams(house: House) -> None:
    day = Day(house)
    day.arrive()
    day.kill_a_worker()
    released = day.hold()
    day.shift()
    back = day.power_cut()
    day.stranger.over.set()
    day.stranger.join()

    # Every start, as arranged
    times = day.rounds()
    started = {number: datetime.fromisoformat(each["started_at"]) for number, each in times.items()}
    assert {number: datetime.fromisoformat(each["starts_at"]) for number, each in times.items()} == day.at
    assert all(started[number] >= at for number, at in day.at.items())
    assert started[3] >= released
    assert started[5] >= back
    assert sorted(started.values()) == list(started.values())
    calendar = events(day.public.ask(day.stranger.calendar).text)
    said = {number: event.dtstart.value for number, event in calendar.items()}
    assert said == {number: moment.replace(microsecond=0) for number, moment in started.items()}
    # … and once
    entries = day.desk.get(f"{day.here}/ledger?limit=1000")["results"]
    kinds = Counter(entry["kind"] for entry in entries)
    assert (kinds["stage_started"], kinds["round_moved"], kinds["stage_finished"]) == (1, 1, 1)
    assert [entry["round"] for entry in entries if entry["kind"] == "round_started"] == [2, 3, 4, 5]
    # … and nobody knew earlier who meets in the round on hold
    assert day.stranger.seated[3] >= released
    assert day.stranger.sure[3] >= released

    # Every result, in its round
    matches = day.matches("")
    regular = [match["round"] for match in matches if match["kind"] == "regular"]  # the others decide ties
    assert Counter(regular) == {number: TEAMS >> number for number in day.at}
    assert {match["state"] for match in matches} == {"done"}
    assert all(datetime.fromisoformat(match["started_at"]) >= started[match["round"]] for match in matches)
    assert kinds["match_result"] == len(matches)
    house.run("ledger", "check")
    house.run("audit")
