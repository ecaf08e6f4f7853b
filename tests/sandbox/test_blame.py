"""Whose fault the end of a bot is: its own, or that of a machine which has killed it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path

import pytest

from games.engine import MachineryError
from games.programs import Exit, ExitStatus
from submissions.sandbox import Jail, Limits, build, cgroups
from submissions.sandbox.native import state_folder
from submissions.sandbox.policy import TOOLCHAIN
from submissions.sandbox.recipe import Recipe
from submissions.sandbox.roots import pack
from tests.sandbox.sandboxes import LANGUAGES, MEGABYTE, jail, line_of, needs, needs_groups, needs_jail, needs_root
from tests.sandbox.test_memory import level
from tests.waiting import wait_for

__all__ = ["level"]
pytestmark = needs_jail

LIMIT = 64 * MEGABYTE
HOLDER = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static void *idle(void *nothing) { pause(); return nothing; }
static void hold(long size) { volatile char *it = malloc(size); for (long at = 0; at < size; at += 4096) it[at] = 1; }
int main(void)
{
    long size;
    (void)idle, (void)hold;
    while (scanf("%ld", &size) == 1) {
        DO
        puts("held");
        fflush(stdout);
    }
    return 0;
}
"""
HOLD = "hold(size);"

OWN_HAND = {
    "kill": "kill(getpid(), SIGKILL);",
    "its group": "kill(0, SIGKILL);",
    "raise": "raise(SIGKILL);",
    "tkill": "syscall(SYS_tkill, getpid(), SIGKILL);",
    "high bits": "syscall(SYS_kill, getpid(), 0x700000009);",
    "abort": "abort();",
    "a null pointer": "*(volatile int *)0 = 1;",
    "a timer": """
        timer_t it;
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
        struct itimerspec soon = {.it_value = {0, 1}};
        timer_create(CLOCK_MONOTONIC, &event, &it), timer_settime(it, 0, &soon, 0), pause();""",
    "its processor time": """
        struct rlimit least = {1, 1};
        if (setrlimit(RLIMIT_CPU, &least) && prlimit(0, RLIMIT_CPU, &least, 0)) abort();""",
}


def bot(code: str = HOLD) -> Jail:
    return jail("c", HOLDER.replace("DO", code), memory_bytes=LIMIT)


@pytest.mark.parametrize("way", OWN_HAND)
def test_who_ends_itself_is_to_blame(way: str, level: str) -> None:
    with bot(OWN_HAND[way]) as place:
        for end in (place.ask(b"1\n", seconds=60.0).exit, _told(place)):
            assert end.status is ExitStatus.SIGNALLED, end
            assert end.fault().kind == "crash"


def test_a_program_with_threads_cannot_hide_which_signal_a_timer_sends(level: str) -> None:
    """One of them could change it after process 1 has read it."""
    code = "timer_t it; struct sigevent event = {.sigev_signo = SIGALRM}; if (!timer_create(0, &event, &it)) return 1;"
    with jail("c", HOLDER.replace("DO", code), memory_bytes=LIMIT, threads=2) as place:
        assert place.ask(b"1\n", seconds=60.0).output == b"held\n"


def _told(place: Jail) -> Exit:
    process = place.start()
    os.write(process.stdin, b"1\n")
    return process.stop(60.0)


def test_who_is_killed_by_others_is_not(level: str) -> None:
    with bot() as place:
        process = place.start()
        os.write(process.stdin, b"1000\n")
        assert line_of(process) == b"held\n"
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(MachineryError):
            process.ended(60.0)
        assert process.stop().status is ExitStatus.KILLED
        assert place.ask(b"1000\n", seconds=60.0).output == b"held\n"


@contextmanager
def crowded(folder: Path, most: int) -> Iterator[None]:
    """Less memory for all in that group together."""
    limit = folder / ("memory.limit_in_bytes" if (folder / "memory.limit_in_bytes").exists() else "memory.max")
    before = limit.read_text()

    def is_lowered() -> bool:
        with suppress(OSError):  # the kernel gives up after a few attempts to make room
            limit.write_text(f"{most}")
        return limit.read_text() == f"{most}\n"

    wait_for(is_lowered)
    try:
        yield
    finally:
        limit.write_text(before if before.strip().isdigit() and int(before) < 1 << 60 else "-1")


READER = """
import os, sys
held = []
for size in map(int, sys.stdin):
    with open(os.path.dirname(sys.argv[0]) + "/data.bin", "rb", buffering=0) as file:
        while file.read(1 << 20): pass
    held.append(bytearray(size))
    for at in range(0, size, 4096): held[-1][at] = 1
    print("held", flush=True)
"""


@needs_groups
@needs_root
def test_a_limit_above_the_jails_is_the_machines() -> None:
    """Two bots that hold less than they may, where both together may not. Files that they read fill their groups."""
    program, limits = pack({"bot.py": READER.encode(), "data.bin": bytes(80 * MEGABYTE)}), Limits(memory_bytes=LIMIT)
    with ExitStack() as stack:
        bots = [stack.enter_context(Jail.open(program, needs("python"), limits)) for _ in range(2)]
        os.sync()
        for place in bots:
            with (place._root / "box" / "data.bin").open("rb") as file:  # nobody else has read it
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        processes = [place.start() for place in bots]
        for process in processes:
            os.write(process.stdin, b"0\n")
            assert line_of(process) == b"held\n"
        with crowded(cgroups.layout().folders[0], 60 * MEGABYTE):
            for process in processes:
                os.write(process.stdin, b"%d\n" % (35 * MEGABYTE))
            for process in processes:
                line_of(process)
        with pytest.raises(MachineryError):
            [process.ended(0.0) for process in processes]


@needs_groups
@needs_root
def test_a_container_out_of_memory_is_the_machines(level: str) -> None:
    """All of a jail is in a group with less memory than its bot may have."""
    own = cgroups._hierarchies()["memory"] / f"kibitz-test-{os.getpid()}"
    own.mkdir()
    try:
        with bot() as place, crowded(own, 30 * MEGABYTE):
            (own / "cgroup.procs").write_text(f"{place._first_pid}")
            with nullcontext() if place._group else pytest.raises(MachineryError):  # it has a group of its own
                place.ask(b"%d\n" % (40 * MEGABYTE), seconds=60.0)
            assert place.ask(b"%d\n" % (2 * MEGABYTE), seconds=60.0).output == b"held\n"
    finally:
        cgroups.clear(own)


@needs_groups
def test_who_goes_over_its_own_limit_is_to_blame(level: str) -> None:
    with bot() as place:
        for size in (LIMIT + LIMIT // 20, 4 * LIMIT):
            assert place.ask(b"%d\n" % size, seconds=60.0).exit.status is ExitStatus.MEMORY, size
        assert place.ask(b"%d\n" % (LIMIT - 4 * MEGABYTE), seconds=60.0).output == b"held\n"


def test_a_bot_stays_on_one_core_whoever_starts_it(level: str) -> None:
    cores = os.sched_getaffinity(0)
    with jail("python", "import os\nprint(len(os.sched_getaffinity(0)))", memory_bytes=LIMIT) as place:
        assert place.ask(b"", seconds=60.0).output == b"1\n"
    assert os.sched_getaffinity(0) == cores


MAPPER = """
import mmap, os, sys
size = int(sys.stdin.readline())
with open(NAME, "rb") as file:
    mapped = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    sum(mapped[at] for at in range(0, len(mapped), 4096))
block = bytearray(size << 20)
for at in range(0, len(block), 4096): block[at] = 1
os.write(1, b"held")
os._exit(0)
"""


@pytest.mark.parametrize("own", [True, False], ids=["its own", "of the system"])
def test_files_that_a_bot_maps_are_not_its_memory(own: bool, level: str) -> None:
    """Of its own, or of its runtime."""
    if own:
        name, files = "data.bin", {"data.bin": b"x" * (8 * MEGABYTE)}
    else:
        name, files = f"/usr/bin/python{sys.version_info[0]}.{sys.version_info[1]}", {}
    program = MAPPER.replace("NAME", f'os.path.dirname(sys.argv[0]) + "/{name}"' if own else repr(name))
    language, limits = needs("python"), Limits(memory_bytes=24 * MEGABYTE)
    with Jail.open(pack({"bot.py": program.encode(), **files}), language, limits) as place:
        for _ in range(5):
            assert place.ask(b"4\n", seconds=60.0).output == b"held"
            assert place.ask(b"4\n", seconds=60.0).exit.status is ExitStatus.EXITED
            assert place.ask(b"40\n", seconds=60.0).exit.status is ExitStatus.MEMORY


BOMB = """
import os
for number in range(20):
    if not os.fork():
        hoard = []
        while True: hoard.append(bytearray(b"x") * (1 << 20))
os.wait()
"""


def test_processes_of_a_build_that_take_memory_together_are_stopped(level: str) -> None:
    recipe = Recipe(TOOLCHAIN, ("/init",), ("/usr", "/dev/null"))
    with Jail(recipe, Limits(memory_bytes=4 * LIMIT, processes=64, scratch_bytes=MEGABYTE, open_files=256)) as place:
        end = place.run("/usr/bin/python3", "-I", "-S", "-c", BOMB).stop(60.0)
    assert end.status is ExitStatus.MEMORY, end
    assert end.peak_bytes < 8 * LIMIT, "twice what they may have"


@pytest.mark.parametrize(("slug", "source"), [("c", b'#error __FILE__\n#include "x.h"\n'), ("python", b"def\n")])
def test_no_log_of_a_build_names_a_folder_of_this_machine(slug: str, source: bytes, level: str) -> None:
    language = LANGUAGES[slug]
    made = build(language, source, f"mybot{language.extensions[0]}")
    assert made.log
    assert str(state_folder()) not in made.log
