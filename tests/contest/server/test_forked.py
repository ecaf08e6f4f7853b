"""Forks of a process that has loaded the portal: they run in its place, and keep nothing of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long("more")

ROOT = Path(__file__).resolve().parents[3]
START = """
import os, signal, sys, time
sys.path.insert(0, {root!r})
from contest.server.forked import Forked, is_stale, preload

def end(process):
    said = process.stdout.readall().decode()
    while process.poll() is None:
        time.sleep(0.01)
    print(repr(process.returncode), repr(said))
"""


@pytest.fixture
def run():
    """Run lines in a process without threads, and return what it prints."""

    def lines(text):
        script = START.format(root=str(ROOT)) + text
        done = subprocess.run(
            [sys.executable, "-c", script], check=False, capture_output=True, text=True, timeout=60,
            env=os.environ | {"DJANGO_SETTINGS_MODULE": "contest.settings"},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return lines


def test_what_it_says_and_how_it_ends(run):
    said = run("""
def fine():
    print(sys.argv, os.getsid(0) == os.getpid())
    print("to standard error", file=sys.stderr)
def sorry():
    sys.exit("no such port")
def broken():
    raise ValueError("two")
def killed():
    os.kill(os.getpid(), signal.SIGKILL)
for main in (fine, sorry, broken, killed, lambda: sys.exit(7)):
    end(Forked(main, ["it", "--does"]))
""")
    assert said[0].startswith("0 ")
    assert "['it', '--does'] True" in said[0]
    assert "to standard error" in said[0]
    assert said[1] == r"1 'no such port\n'"
    assert said[2].startswith("1 'Traceback")
    assert said[3:] == ["-9 ''", "7 ''"]


def test_it_has_no_other_descriptors_nor_our_signal_handlers_nor_our_cleanups(run):
    said = run("""
kept, closed = os.pipe()
signal.signal(signal.SIGTERM, lambda *_: print("ours"))
def main():
    descriptors = sorted(map(int, os.listdir("/proc/self/fd")))
    print(descriptors == [0, 1, 2, kept, max(descriptors)], signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)
try:
    end(Forked(main, ["it"], descriptors=[kept]))
finally:
    print("once")
""")
    assert said == [r"0 'True True\n'", "once"]


def test_a_process_with_threads_is_not_forked(run):
    said = run("""
import threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
try:
    Forked(print, ["it"])
except RuntimeError as error:
    print(error)
""")
    assert said == ["a process with threads cannot be forked: they may hold locks"]


def test_changed_code_is_noticed(run, tmp_path):
    said = run(f"""
from contest.server import forked
from pathlib import Path
forked.ROOT = Path({str(tmp_path)!r})
source = forked.ROOT / "fresh.py"
source.write_text("x = 1")
sys.path.insert(0, str(forked.ROOT))
preload(["fresh"])
print(is_stale())
source.write_text("x = 1  # another release")
print(is_stale())
""")
    assert said == ["False", "True"]


def test_the_portal_can_be_loaded_without_a_thread_a_connection_or_a_file(run, tmp_path):
    """What load() imports is shared by all forks, so nothing may be opened at its import."""
    (tmp_path / "var").mkdir(mode=0o700)
    said = run(f"""
os.environ["VAR_DIR"] = {str(tmp_path / "var")!r}
import django, threading
django.setup()
from contest.server.programs import load
before = len(os.listdir("/proc/self/fd"))
load()
from django.db import connections
print(threading.active_count(), len(os.listdir("/proc/self/fd")) - before)
print([each.connection for each in connections.all(initialized_only=True)])
""")
    assert said[0] == "1 0"
    assert set(said[1]) <= set("[None, ]")


def test_its_signals_wait_until_it_has_its_own(run):
    said = run("""
process = Forked(lambda: time.sleep(60), ["it"])
process.send_signal(signal.SIGTERM)
end(process)
""")
    assert said == ["-15 ''"]
