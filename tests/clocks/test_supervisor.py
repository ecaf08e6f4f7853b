"""The supervisor with real processes: they are restarted, they stop in time, and nothing outlives them."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from contest.server import log_file
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


def test_a_second_signal_waits_for_nobody(supervise, tmp_path):
    """It ends within its grace, before the second stop signal."""
    flag, heard = tmp_path / "flag", tmp_path / "heard"
    deaf = f"trap 'echo TERM >>{heard}' TERM; trap 'echo QUIT >>{heard}' QUIT; touch {flag}; {FOREVER}"
    run = supervise(["deaf", deaf, {"ready_file": str(flag), "stop_signals": ["SIGTERM", "SIGQUIT"]}])
    run.wait_for("ready")
    run.process.send_signal(signal.SIGINT)
    wait_for(heard.exists)  # the first signal has arrived
    run.stop()
    assert (heard.read_text().split(), run.pids()) == (["TERM"], set())


def test_the_second_stop_signal_comes_after_the_grace(supervise, tmp_path):
    heard, flag = tmp_path / "heard", tmp_path / "flag"
    run = supervise(
        ["slow", f"trap 'echo TERM >>{heard}' TERM; trap 'echo QUIT >>{heard}; exit' QUIT; touch {flag}; {FOREVER}",
         {"stop_signals": ["SIGTERM", "SIGQUIT"], "ready_file": str(flag)}],
    )  # fmt: skip
    run.wait_for("ready")
    assert run.stop() > module.GRACE
    assert heard.read_text().split() == ["TERM", "QUIT"]


def test_stop_signals_are_heard_when_a_background_shell_had_them_ignored(supervise, tmp_path):
    before = signal.signal(signal.SIGQUIT, signal.SIG_IGN)
    try:
        test_the_second_stop_signal_comes_after_the_grace(supervise, tmp_path)
    finally:
        signal.signal(signal.SIGQUIT, before)


def test_the_broker_ends_after_the_others(supervise, tmp_path):
    order = tmp_path / "order"
    flags = tmp_path / "flag-broker", tmp_path / "flag-web"
    broker = f"trap 'echo broker >>{order}; exit' TERM; touch {flags[0]}; {FOREVER}"
    web = f"trap 'sleep 0.5; echo web >>{order}; exit' TERM; touch {flags[1]}; {FOREVER}"
    run = supervise(
        ["broker", broker, {"stop_last": True, "ready_file": str(flags[0])}],
        ["web", web, {"ready_file": str(flags[1])}],
    )
    run.wait_for("ready")
    run.stop()
    assert order.read_text().split() == ["web", "broker"]


def test_what_a_program_started_in_another_session_goes_too(supervise):
    run = supervise(["parent", f"setsid bash -c '{FOREVER}' & setsid -f bash -c '{FOREVER}'; {FOREVER}", {}])
    run.wait_for("ready")
    wait_for(lambda: len(run.pids()) >= 4)
    run.stop()
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


def test_a_program_that_cannot_start_stops_everything_with_its_last_words(supervise):
    run = supervise(["fine", FOREVER, {}], ["broken", "echo the port is cursed; exit 3", {}])
    assert run.process.wait(timeout=60) == 1
    text = run.text()
    assert "broken ended 4 times in a row right after its start, the last time with status 3" in text
    assert "the port is cursed" in text
    assert str(run.log / "broken.log") in text
    assert run.pids() == set()


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


def test_a_program_that_cannot_even_be_started_again_is_tried_again(supervise, tmp_path):
    shell = tmp_path / "shell"
    shell.symlink_to("/bin/bash")
    born = tmp_path / "born"
    run = supervise(["work", f"echo $$ >>{born}; {FOREVER}", {}], QUICK_DEATH="0.5", BASH=str(shell))
    run.wait_for("ready")
    time.sleep(0.6)
    shell.unlink()
    os.kill(int(born.read_text()), signal.SIGKILL)
    run.wait_for("work has ended 4 times right after its start (no process)")
    assert "it could not be started" in run.troubles()[0]["last_words"]
    shell.symlink_to("/bin/bash")
    run.wait_for("again well after")
    run.stop()


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
CLINGING = f"setsid -f bash -c 'trap \"\" TERM INT HUP QUIT USR1; {FOREVER}'; {FOREVER}"


def test_the_killer_leaves_nothing_of_a_supervisor_that_was_killed(supervise):
    run = supervise(["worker", CLINGING, {}], ["web", FOREVER, {}], KILLER="1")
    run.wait_for("ready")
    wait_for(lambda: len(run.pids()) >= 5, run.pids)
    os.kill(run.supervisor(), signal.SIGKILL)
    assert run.process.wait(timeout=60) == 128 + signal.SIGKILL
    assert run.pids() == set()


def test_a_supervisor_whose_killer_was_killed_stops_everything_at_once(supervise):
    run = supervise(["worker", CLINGING, {}], ["web", FOREVER, {}], KILLER="1")
    run.wait_for("ready")
    wait_for(lambda: len(run.pids()) >= 5, run.pids)
    run.process.kill()
    run.process.wait()
    wait_for(lambda: run.pids() == set(), run.pids)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_killer_passes_signals_on(supervise, number):
    run = supervise(["web", FOREVER, {}], KILLER="1")
    run.wait_for("ready")
    assert b"killer.py" in Path(f"/proc/{run.process.pid}/cmdline").read_bytes()
    run.stop(number)
    assert (run.process.returncode, run.pids()) == (0, set())


def test_the_killer_ends_with_the_status_of_the_supervisor(supervise):
    run = supervise(["broken", "exit 3", {}], KILLER="1")
    assert run.process.wait(timeout=60) == 1
    assert "broken ended 4 times in a row" in run.text()


def test_a_program_that_never_gets_ready_stops_everything(supervise, tmp_path):
    run = supervise(["sleepy", FOREVER, {"ready_file": str(tmp_path / "never")}], seconds=1)
    assert run.process.wait(timeout=60) == 1
    assert "sleepy was not ready after 1 seconds" in run.text()
    assert "ready\n" not in run.text().replace("was not ready", "")


def test_ready_means_everybody(supervise, tmp_path):
    flag = tmp_path / "flag"
    run = supervise(["slow", f"sleep 0.5; touch {flag}; {FOREVER}", {"ready_file": str(flag)}])
    run.wait_for("ready")
    assert flag.exists()


def test_people_see_what_matters_and_the_log_has_everything(supervise):
    run = supervise(
        ["web", f"echo hello; echo ERROR it burns; printf 'no line end'; sleep 0.3; exec bash -c '{FOREVER}'", {}]
    )
    run.wait_for("web      ERROR it burns")
    run.stop()
    assert "hello" not in run.text()
    assert (run.log / "web.log").read_text() == "hello\nERROR it burns\nno line end"


def test_quiet_programs_speak_to_their_log_only(supervise):
    run = supervise(["broker", f"echo WARNING overcommit; {FOREVER}", {"quiet": True}])
    run.wait_for("ready")
    run.stop()
    assert "overcommit" not in run.text()
    assert "overcommit" in (run.log / "broker.log").read_text()


def test_a_flood_of_output_blocks_nobody_and_the_log_is_put_aside(supervise):
    lines = log_file.LOG_BYTES // 100 + 50_000
    run = supervise(["loud", f"yes {'x' * 99} | head -n {lines}; echo ERROR done; {FOREVER}", {}])
    run.wait_for("ERROR done")
    run.stop()
    assert (run.log / "loud.log").stat().st_size < log_file.LOG_BYTES
    assert (run.log / "loud.log.1").stat().st_size > log_file.LOG_BYTES


def test_the_pauses_between_restarts_grow_and_a_long_life_is_forgiven(tmp_path):
    child = module.Child(module.Program("web", ["true"]), tmp_path)
    pauses = []
    for _ in range(8):
        child.started_at = 100.0
        child.died(101.0, "status 1")
        pauses.append(child.start_at - 101.0)
    assert pauses == [0.5, 1, 2, 4, 8, 16, module.LONGEST_PAUSE, module.LONGEST_PAUSE]
    child.started_at = 100.0
    child.died(100.0 + module.QUICK_DEATH, "status 1")
    assert (child.quick_deaths, child.start_at) == (1, 110.5)
    child.quick_deaths = 5000  # a day of deaths
    child.started_at = 200.0
    child.died(201.0, "status 1")
    assert child.start_at == 201.0 + module.LONGEST_PAUSE


def test_descendants_are_found_through_generations():
    with subprocess.Popen(["bash", "-c", "bash -c 'sleep 30; true' & wait"], start_new_session=True) as process:
        wait_for(lambda: len(module.descendants(process.pid)) == 2)
        os.killpg(process.pid, signal.SIGKILL)
