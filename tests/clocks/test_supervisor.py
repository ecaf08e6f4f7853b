"""The supervisor with real processes: they are restarted, they stop in time, and nothing outlives them."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from contest.server import supervisor as module
from tests.waiting import wait_for

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).with_name("supervised.py")
FOREVER = "while :; do sleep 0.05; done"


class Run:
    """One supervisor with its programs; `pids()` is everything that carries its mark."""

    def __init__(self, folder, *programs, seconds=60, disk="", **variables):
        self.folder = folder
        self.log = folder / "log"
        self.output = folder / "output"
        self.mark = f"SUPERVISED={folder}"
        arguments = [sys.executable, str(SCRIPT), str(self.log), json.dumps(programs), str(seconds)]
        environment = os.environ | {"SUPERVISED": str(folder), "PYTHONPATH": str(ROOT)} | variables
        if disk:  # the logs have a disk of this size to themselves, in a mount namespace
            self.log.mkdir()
            mounted = f'mount -t tmpfs -o size={disk} none "$0" && exec "$@"'
            arguments = ["unshare", "-rm", "sh", "-c", mounted, str(self.log), *arguments]
        with self.output.open("wb") as out:
            self.process = subprocess.Popen(arguments, stdout=out, stderr=out, env=environment)

    def text(self):
        return self.output.read_text()

    def wait_for(self, words, seconds=60):
        wait_for(lambda: words in self.text() or self.process.poll() is not None, self.text, seconds)
        assert words in self.text(), self.text()

    def pids(self):
        found = set()
        for entry in Path("/proc").iterdir():
            try:
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
                if self.mark.encode() in (entry / "environ").read_bytes().split(b"\0") and state != "Z":
                    found.add(int(entry.name))
            except (OSError, ValueError):
                continue
        return found

    def supervisor(self):
        """Its process, where a killer stands behind it."""
        (pid,) = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(pid)

    def troubles(self):
        return json.loads((self.folder / "parts").read_bytes())

    def stop(self, number=signal.SIGINT):
        """The seconds it took to stop. They are compared with lower bounds alone: a busy machine takes longer."""
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(timeout=60)
        return time.monotonic() - began


@pytest.fixture
def supervise(tmp_path):
    runs = []

    def start(*programs, **options):
        folder = tmp_path / str(len(runs))
        folder.mkdir()
        runs.append(Run(folder, *programs, **options))
        return runs[-1]

    yield start
    for run in runs:
        run.process.kill()
        run.process.wait()
        for pid in run.pids():
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_everybody(supervise, number):
    run = supervise(["one", FOREVER, {}], ["two", FOREVER, {}])
    run.wait_for("ready")
    assert len(run.pids()) >= 3
    run.stop(number)
    assert (run.process.returncode, run.pids()) == (0, set())


def test_who_does_not_listen_is_killed_within_five_seconds(supervise, tmp_path):
    deaf = "trap '' TERM INT HUP QUIT; touch {0}; " + FOREVER
    flags = [tmp_path / "deaf", tmp_path / "broker"]
    run = supervise(
        ["deaf", deaf.format(flags[0]), {"ready_file": str(flags[0])}],
        ["broker", deaf.format(flags[1]), {"ready_file": str(flags[1]), "stop_last": True}],
    )
    run.wait_for("ready")
    # We promise how long we wait; a machine that stalls may take longer.
    assert module.LAST_CALL + module.LAST_MOMENT < 5
    assert run.stop() > module.LAST_CALL
    assert run.pids() == set()


def test_nothing_survives_when_the_supervisor_itself_is_killed(supervise):
    run = supervise(["one", FOREVER, {}], ["two", FOREVER, {}])
    run.wait_for("ready")
    run.process.kill()
    run.process.wait()
    wait_for(lambda: run.pids() == set())


def test_a_killed_program_is_started_again_and_people_are_told(supervise):
    run = supervise(["web", "" + FOREVER.replace("sleep", "echo WARNING $$; sleep"), {}])
    run.wait_for("WARNING")
    first = int(run.text().split("WARNING ")[1].split()[0])
    os.kill(first, signal.SIGKILL)
    run.wait_for("web      ended with signal SIGKILL; starting it again in 0.5 s")
    wait_for(lambda: any(f"WARNING {pid}" in run.text() for pid in run.pids() - {first}))
    run.stop()


def test_a_program_that_has_worked_is_tried_again_while_the_others_go_on_and_heals(supervise, tmp_path):
    """It dies right after its start while there is the file."""
    broken, born = tmp_path / "broken", tmp_path / "born"
    dying = f"echo $$ >>{born}; test -e {broken} && echo ERROR the library is gone && exit 3; {FOREVER}"
    run = supervise(["web", FOREVER, {}], ["work", dying, {}], QUICK_DEATH="0.5")
    run.wait_for("ready")
    web = run.pids() - {run.process.pid}
    time.sleep(0.6)  # what counts as work
    broken.touch()
    os.kill(int(born.read_text()), signal.SIGKILL)
    run.wait_for("WARNING work has ended 4 times right after its start (status 3)")
    (trouble,) = run.troubles()
    assert (trouble["name"], trouble["how"]) == ("work", "status 3")
    assert trouble["last_words"] == "ERROR the library is gone"
    assert trouble["since"] <= time.time()
    wait_for(lambda: run.troubles()[0]["deaths"] >= 5, run.text)
    assert run.text().count("right after its start") == 1, "one line a minute"
    assert run.text().count("the library is gone") <= 4, "then its own lines are in its log alone"
    assert web & run.pids(), "the others go on"
    broken.unlink()
    run.wait_for("again well after")
    assert run.troubles() == []
    run.stop()
    assert run.process.returncode == 0


def test_a_full_disk_stops_nobody_and_is_told(supervise, tmp_path):
    """The logs are on a disk of 256 kB. One program fills it, until there is the file."""
    freed = tmp_path / "freed"
    log = tmp_path / "0" / "log"
    fill = f"dd if=/dev/zero of={log}/fill bs=4k; until test -e {freed}; do sleep 0.1; done; rm {log}/fill; {FOREVER}"
    talk = "while :; do echo still here; sleep 0.02; done"
    run = supervise(["fill", fill, {}], ["talk", talk, {}], disk="256k")
    run.wait_for("ready")
    run.wait_for(f"logs     WARNING nothing can be written into {log} for ")
    assert "No space left on device" in run.text()
    assert {"fill", "talk"} == {path.stem for path in Path(f"/proc/{run.process.pid}/root{log}").glob("*.log")}
    assert run.text().count("WARNING nothing can be written") == 1, "one line a minute"
    freed.touch()
    run.wait_for("again well after")
    inside = Path(f"/proc/{run.process.pid}/root{log}/fill.log")
    wait_for(lambda: "bytes could not be written here: No space left on device]" in inside.read_text(), run.text)
    run.stop()
    assert run.process.returncode == 0
    assert run.pids() == set()


# The killer ----------------------------------------------------------------------------------------------------------

# A program whose child asked for nothing: it has a session of its own, and stays when its parent dies.
