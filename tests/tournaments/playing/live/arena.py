"""A live contest with teams, the real contest server as a process, and programs that connect to it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, cast

from contest.models import Contest, Team
from games import record as records
from games.players import HousePlayer, Seated
from tests import waiting
from tests.cast import make_contest, make_team
from tests.games.caller import Client as Caller
from tournaments.kinds import following
from tournaments.models import Client, Match, Stage
from tournaments.organising import stages
from tournaments.playing import play
from tournaments.seating import programs

ROOT = Path(__file__).resolve().parents[4]
KIT = ROOT / "games/barracuda/kit"


class Arena:
    """A contest over connections whose teams have only tokens; games of two or three hands."""

    def __init__(self, teams: int, **options: Any) -> None:
        # Programs are threads of the tests' process, so only a hang may use up their clocks.
        options = {"target": 3, "games_to_win": 2, "lead": 2, "clock": 600.0, **options}
        self.contest: Contest = make_contest(game="barracuda", preset="open", live=True, options=options)
        self.teams: list[Team] = [make_team(self.contest) for _ in range(teams)]
        programs.enter(self.contest)

    def token(self, team: int) -> str:
        return Client.objects.get(team=self.teams[team]).token

    def client(self, team: int) -> Client:
        return Client.objects.get(team=self.teams[team])

    def stage(self, format: str = "ladder", **options: Any) -> Stage:
        stage = stages.create(self.contest, None, stages.Wish("Cup", format, options))
        stages.start(stage, None)
        stage.refresh_from_db()
        return stage


class ServerProcess:
    """`manage.py botserver` on ports of its own."""

    def __init__(self, environment: dict[str, str], log: Path, *words: str) -> None:
        command = [sys.executable, "manage.py", "botserver", "--port", "0", "--test-port", "0", *words]
        self.log = log
        with log.open("ab") as errors:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, log.read_text()
        self.port, self.test_port = map(int, re.findall(r"port (\d+)", line))

    def kill(self) -> None:
        self.process.kill()
        self.end()

    def stop(self) -> None:
        """Send SIGTERM, after which it stops by itself."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(60) == 0, self.log.read_text()
        self.end()

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


def kit(port: int, token: str, program: str = "random_player.py") -> subprocess.Popen[str]:
    """The starter kit's program, started as teams do."""
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(KIT)!r}); import runpy; sys.argv[0] = "
               f"{program!r}; runpy.run_path({str(KIT / program)!r}, run_name='__main__')"]  # fmt: skip
    return subprocess.Popen(
        [*command, "127.0.0.1", str(port), token], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def come(port: int, token: str = "", address: str = "127.0.0.1") -> Caller:
    """A program controlled by the test."""
    caller = Caller(port, address)
    caller.stream.settimeout(60)
    if token:
        caller.send({"type": "login", "token": token})
    return caller


class Hold:
    """Keeps programs from answering, so that the match in progress stays in progress."""

    def __init__(self) -> None:
        self._goes_on = Event()
        self._goes_on.set()
        self.asked = False
        """Whether a program has been asked and does not answer."""

    def wait(self) -> None:
        """Called by the threads of programs before they answer."""
        if not self._goes_on.is_set():
            self.asked = True
            self._goes_on.wait()

    def begin(self) -> None:
        self.asked = False
        self._goes_on.clear()

    def end(self) -> None:
        self._goes_on.set()


def play_on(caller: Caller, hold: Hold | None = None) -> list[dict[str, Any]]:
    """From now on it answers by itself, unless it is held. The messages it has received."""
    told: list[dict[str, Any]] = []
    # It may wait for its next match for as long as the test lasts. One that ended after ten seconds of silence would
    # lose all further matches by its clock, even to a team that is away.
    caller.stream.settimeout(None)

    def heard(message: dict[str, Any]) -> bool:
        told.append(message)
        if hold is not None and message["type"] == "request":
            hold.wait()
        return False

    def run() -> None:
        with suppress(OSError, EOFError):
            caller.play(heard)

    Thread(target=run, daemon=True).start()
    return told


def in_the_middle(told: list[dict[str, Any]], hold: Hold) -> Match:
    """Wait until a program has heard more of its match. Returns the match, which cannot end where programs `hold`."""
    before = len(told)
    wait_for(lambda: len(told) > before + 10)
    hold.begin()
    wait_for(lambda: hold.asked)  # it may have begun just now, while the result of another is written

    def alone() -> Match | None:
        found = list(Match.objects.filter(state=Match.State.RUNNING))
        return found[0] if len(found) == 1 else None

    return cast(Match, wait_for(alone))


def greeted(caller: Caller) -> int:
    """Wait for the greeting. Returns the number of the team."""
    message = caller.receive()
    assert message["type"] == "greetings_program", message
    return int(message["team_id"])


def request_of(caller: Caller) -> dict[str, Any]:
    """Wait for the next request."""
    while (message := caller.receive())["type"] != "request":
        pass
    return message


def wait_for(condition: Callable[[], Any]) -> Any:
    found = Match.objects.values("pk", "state", "live", "attempt", "worker", "last_error")
    return waiting.wait_for(condition, lambda: list(found.all()[:9]), pause=0.05)


def connected(contest: Contest, count: int) -> Callable[[], bool]:
    return lambda: Client.objects.filter(team__contest=contest, connected_since__isnull=False).count() == count


def done(contest: Contest, count: int = 1) -> Callable[[], bool]:
    return lambda: Match.objects.done().filter(contest=contest).count() >= count


def check(contest: Contest) -> list[dict[str, Any]]:
    """Return the records. Every played match has one record, which verifies and agrees with the rows."""
    found = []
    for match in Match.objects.done().filter(contest=contest).select_related("record").prefetch_related("seats"):
        record = records.loads(match.record.text())
        assert records.verify(record) is None
        seats = sorted(match.seats.all(), key=lambda seat: seat.index)
        assert [seat.place for seat in seats] == record["result"]["places"]
        assert [seat.name for seat in seats] == [seat["name"] for seat in record["seats"]]
        found.append(record)
    return found


def faults(record: dict[str, Any]) -> list[str]:
    return [event["detail"] for event in record["events"] if event["event"] == "fault"]


def refereed_live(match: Match) -> Match:
    """Claim a match, play it with house players in the seats of connected teams, and write the result."""
    claimed = play.claim(match.pk, "tester")
    assert claimed is not None, match.state
    house = claimed.contest.game.house[1]
    ready = play.prepared(claimed, lambda seat, number: Seated(seat.name, "client", HousePlayer(house), number))
    play.finish(claimed, ready())
    following.follow_ledger(claimed.contest_id)
    return claimed
