"""Other machines work for a portal by `./run worker`: they join, share the matches, are lost or leave.

Each machine is a `manage.py worker` with a var/ of its own, as if from its own clone: it knows only the addresses of
the database and of the broker. MACHINES=8 makes it eight.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from contest import workers
from tests.tournaments.accidents import SLOW, being_played, check_everything, is_done, let_the_lease_end
from tests.tournaments.stagecraft import Hall
from tests.waiting import descendants, wait_for
from tournaments.clock import periodic
from tournaments.models import Match
from tournaments.organising import stages
from tournaments.playing import play

pytestmark = [pytest.mark.long("machines"), pytest.mark.django_db(transaction=True)]

MACHINES = int(os.environ.get("MACHINES", "3"))
ROOT = Path(settings.BASE_DIR)


class Machine:
    """One `manage.py worker`."""

    def __init__(self, folder: Path, environment: dict[str, str], *words: str) -> None:
        folder.mkdir()
        self.output = folder / "output"
        database = environment.get("DATABASE_URL", f"sqlite:///{connection.settings_dict['NAME']}")
        command = [sys.executable, "manage.py", "worker", "--database", database]
        command += ["--broker", f"unix://{settings.BROKER_SOCKET}", *words]
        environment = environment | {"VAR_DIR": str(folder / "var"), "LOG_LEVEL": "INFO"}
        with self.output.open("wb") as file:
            self.process = subprocess.Popen(
                command, env=environment, cwd=ROOT, stdout=file, stderr=file, start_new_session=True
            )

    def said(self) -> str:
        logs = [path.read_text(errors="replace")[-3000:] for path in self.output.parent.glob("var/log/*.log")]
        return "\n".join([self.output.read_text(errors="replace"), *logs])

    def joined(self) -> Machine:
        wait_for(lambda: "Ctrl-C" in self.said() or self.process.poll() is not None, self.said, 120)
        assert self.process.poll() is None, self.said()
        return self

    @property
    def name(self) -> str:
        return next(line.split()[-1] for line in self.said().splitlines() if "Joined as" in line)

    def leave(self) -> str:
        """Ask it to leave, and return what it said when it was gone."""
        children = descendants(self.process.pid)
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=60) == 0, self.said()
        assert not [pid for pid in children if Path(f"/proc/{pid}").exists()], "nothing is left running"
        return self.said()


@pytest.fixture
def machine(portal_env: dict[str, str], broker: Path) -> Iterator[Callable[..., Machine]]:
    """Call it with options of `./run worker`. All machines are killed when the test ends."""
    started: list[Machine] = []

    def start(*words: str) -> Machine:
        started.append(Machine(Path(place, str(len(started))), portal_env, *words))
        return started[-1]

    # Not in `tmp_path`: sockets have short paths.
    with tempfile.TemporaryDirectory(prefix="kibitz-machines-", ignore_cleanup_errors=True) as place:
        yield start
        for each in started:
            each.process.kill()
            each.process.wait()


def machine_of(match: Match) -> str:
    return match.worker.rpartition(":")[0]


def played_by(machines: list[Machine]) -> Callable[[], bool]:
    """Whether each of them has played a match."""
    return lambda: {each.name for each in machines} <= {machine_of(it) for it in Match.objects.done()}


def test_machines_share_a_contest_are_lost_and_leave(machine):
    machines = [machine("--queues", "matches", "--matches", "1") for _ in range(MACHINES)]
    for each in machines:
        each.joined()
    assert len({each.name for each in machines}) == MACHINES, "names are unique although the host is the same"
    hall = Hall(teams=4 * MACHINES, source=SLOW)
    stage = stages.create(hall.contest, hall.ada, stages.Wish("Cup", "swiss", options={"rounds": 4}))
    stages.start(stage, hall.ada)
    wait_for(being_played, machines[0].said)

    # One is lost in the middle of a match, with everything below it
    lost = wait_for(being_played, machines[0].said)
    (victim,) = (each for each in machines if each.name == machine_of(lost))
    children = descendants(victim.process.pid)
    for pid in (*children, victim.process.pid):
        with suppress(ProcessLookupError):  # killed by another that has just died
            os.kill(pid, signal.SIGKILL)
    wait_for(lambda: not [pid for pid in children if Path(f"/proc/{pid}").exists()], lambda: str(children))
    held = Match.objects.filter(pk=lost.pk, state="running").first()
    if held is not None:  # it may just have ended
        let_the_lease_end(held)
        assert play.requeue_abandoned(timezone.now()) == 1
    machines.remove(victim)

    def over() -> bool:
        periodic.tick()
        return is_done(stage)()

    wait_for(over, lambda: "\n".join(each.said() for each in machines), 180, pause=0.5)
    check_everything(hall.contest)
    assert played_by(machines)(), "everybody took part"
    assert Match.objects.filter(failures__gt=0).count() <= 1, "only the lost match was tried again"

    # The others leave
    for each in machines:
        assert "left; given back: nothing" in each.leave()
    assert [worker.machine for worker in workers.known()] == [victim.name], "only the lost one is remembered"


def test_a_machine_that_must_leave_gives_back_what_it_plays(machine):
    here = machine("--queues", "matches", "--matches", "1", "--grace", "1").joined()
    hall = Hall(teams=2, source=SLOW)
    hall.stage(games=40)
    match: Match = wait_for(being_played, here.said)
    assert machine_of(match) == here.name
    assert "left; given back: 1 match" in here.leave()
    match = Match.objects.get(pk=match.pk)
    assert (match.state, match.worker, match.failures, match.attempt) == ("queued", "", 0, 1)
    assert match.due_at <= timezone.now(), "another machine may take it at once"
    assert workers.known() == []


def test_passwords_are_not_on_the_command_line(machine: Any) -> None:
    here = machine("--broker=redis://:secret@127.0.0.1:1/0", "--patience", "30")
    wait_for(lambda: "Waiting for the broker" in here.said(), here.said)
    assert b"secret" not in Path(f"/proc/{here.process.pid}/cmdline").read_bytes()
    assert b"secret" in Path(f"/proc/{here.process.pid}/environ").read_bytes()
    here.process.send_signal(signal.SIGTERM)
    assert here.process.wait(timeout=60) == 0
