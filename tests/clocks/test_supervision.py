"""supervisord with the options of our programs: a program is never given up, and a full disk stops nobody."""

import os
import signal
import subprocess
import sys
import time
from configparser import RawConfigParser
from pathlib import Path

import pytest

from contest.server import supervision
from tests.waiting import wait_for

FOREVER = "while :; do echo still here; sleep 0.05; done"


class Run:
    """A supervisord that runs shell commands with the options of our web server, on a disk of its own if wanted."""

    def __init__(self, folder, commands, *, disk=""):
        ours = RawConfigParser()
        ours.read(supervision.CONFIGURATION)
        configuration = RawConfigParser()
        configuration["supervisord"] = dict(ours["supervisord"])
        for name, command in commands.items():
            (folder / f"{name}.sh").write_text(command)
            configuration[f"program:{name}"] = dict(ours["program:web"]) | {
                "command": f"bash {folder}/{name}.sh",
                "autostart": "true",
                "startsecs": "2",  # else the outage would have to be longer
                "stdout_logfile": f"%(ENV_VAR_DIR)s/log/{name}.log",
            }
        with (folder / "conf").open("w") as file:
            configuration.write(file)
        self.var, self.output = folder / "var", folder / "output"
        for each in ("log", "run"):
            (self.var / each).mkdir(parents=True)
        command = [sys.executable, "-m", "supervisor.supervisord", "-n", "-c", str(folder / "conf")]
        command += ["-u", "root"] if os.geteuid() == 0 else []
        if disk:
            mounted = f'mount -t tmpfs -o size={disk} none "$0" && exec "$@"'
            command = ["unshare", "-rm", "sh", "-c", mounted, str(self.var / "log"), *command]
        with self.output.open("wb") as out:
            environment = os.environ | {"VAR_DIR": str(self.var)}
            self.process = subprocess.Popen(command, env=environment, stdout=out, stderr=subprocess.DEVNULL)

    def text(self):
        return self.output.read_text()

    def log(self, name):
        return Path(f"/proc/{self.process.pid}/root{self.var}/log/{name}.log").read_text(errors="replace")

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(timeout=60) == 0


@pytest.fixture
def run(tmp_path):
    started = []

    def start(commands, **options):
        started.append(Run(tmp_path, commands, **options))
        return started[-1]

    yield start
    for each in started:
        each.process.terminate()
        each.process.wait(timeout=60)


def test_a_program_that_fails_for_long_is_tried_again_while_the_others_go_on(run, tmp_path):
    """It fails as it does while its database is away, here for six tries in place of ten minutes."""
    broken, tries = tmp_path / "broken", tmp_path / "tries"
    broken.touch()
    failing = f"echo try >>{tries}; test -e {broken} && exit 3; {FOREVER}"
    it = run({"web": FOREVER, "work": failing})
    wait_for(lambda: tries.exists() and tries.read_text().count("try") >= 6, it.text, 90)
    assert it.text().count("exited: work (exit status 3; not expected)") >= 5
    assert "exited: web" not in it.text()
    broken.unlink()
    wait_for(lambda: "still here" in it.log("work"), it.text)
    it.stop()


def test_a_full_disk_stops_nobody(run, tmp_path):
    """The logs are on a disk of 256 kB, which one program fills until there is the file."""
    freed, log = tmp_path / "freed", tmp_path / "var" / "log"
    fill = f"dd if=/dev/zero of={log}/fill bs=4k; until test -e {freed}; do sleep 0.1; done; rm {log}/fill; {FOREVER}"
    it = run({"fill": fill, "talk": FOREVER}, disk="256k")
    filled = lambda: os.statvfs(f"/proc/{it.process.pid}/root{log}").f_bavail == 0  # noqa: E731
    wait_for(filled, it.text)
    time.sleep(2)
    assert it.process.poll() is None
    talked = len(it.log("talk"))
    freed.touch()
    wait_for(lambda: len(it.log("talk")) > talked, it.text)
    wait_for(lambda: "still here" in it.log("fill"), it.text)
    assert "exited" not in it.text()
    it.stop()
