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
