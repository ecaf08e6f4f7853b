"""Processor time cannot be hidden: whatever a bot starts counts, for charges, for limits and for deadlines."""

from __future__ import annotations

import os

import pytest

from games.programs import ExitStatus
from submissions.sandbox import cgroups
from tests.sandbox.prompt import undelayed
from tests.sandbox.sandboxes import jail, line_of, needs_groups, needs_jail, needs_namespaces
from tests.sandbox.test_memory import no_groups

pytestmark = needs_jail

WORK = 0.12
"""Processor seconds of each process below that works."""

WAYS = {
    "a child that its parent waits for": "if (!fork()) work(); wait(0);",
    "a child that nobody waits for": "if (!fork()) work(); until_all_are_gone();",
    "a child whose parent ignores its end": "signal(SIGCHLD, SIG_IGN); if (!fork()) work(); while (wait(0) > 0);",
    "a child whose parent does not care": """
        struct sigaction act = {.sa_flags = SA_NOCLDWAIT};
        sigaction(SIGCHLD, &act, 0);
        if (!fork()) work();
        while (wait(0) > 0);""",
    "an orphan": "if (!fork()) { if (!fork()) work(); _exit(0); } wait(0); until_all_are_gone();",
    "an orphan of a session of its own": """
        if (!fork()) { setsid(); if (!fork()) work(); _exit(0); }
        until_all_are_gone();""",
    "a child that borrows the memory": "if (!vfork()) work(); wait(0);",
    "a child that sends no signal": "if (!syscall(SYS_clone, 0, 0, 0, 0, 0)) work(); waitpid(-1, 0, __WALL);",
    "a sibling": "if (!syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0)) work(); until_all_are_gone();",
    "a thread that has ended": "pthread_t it; pthread_create(&it, 0, thread, 0); pthread_join(it, 0);",
    "a thread of a child": """
        if (!fork()) { pthread_t it; pthread_create(&it, 0, thread, 0); pthread_join(it, 0); _exit(0); }
        wait(0);""",
}
PROGRAM = """
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static void think(clockid_t clock)
{
    struct timespec t;
    do
        clock_gettime(clock, &t);
    while (t.tv_sec * 1e9 + t.tv_nsec < %d);
}
static void work(void) { think(CLOCK_PROCESS_CPUTIME_ID); _exit(0); }
static int held[2];
static void until_all_are_gone(void) { close(held[1]); if (read(held[0], held, 1) < 0) _exit(1); pipe(held); }
static void *thread(void *nothing) { think(CLOCK_THREAD_CPUTIME_ID); return nothing; }
int main(void)
{
    (void)thread, (void)work, (void)until_all_are_gone;
    if (pipe(held)) return 1;
    WAY
    puts("done");
    fflush(stdout);
    getchar();
    return 0;
}
""".replace("%d", f"{int(WORK * 1e9)}")

levels = pytest.mark.parametrize("level", [pytest.param("groups", marks=needs_groups), "none"])


@pytest.fixture(autouse=True)
def _level(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.node.callspec.params["level"] == "none":
        monkeypatch.setattr(cgroups, "layout", no_groups)


@needs_namespaces
@levels
@pytest.mark.parametrize("way", WAYS)
def test_all_that_a_bot_starts_counts(way: str, level: str) -> None:
    with jail("c", PROGRAM.replace("WAY", WAYS[way]), memory_bytes=32 << 20, processes=4, threads=4) as place:
        process = place.start()
        assert line_of(process) == b"done\n"
        used = process.cpu_seconds()
        end = process.stop(60.0)
        answer = place.ask(b"\n", seconds=60.0)
    assert end.status is ExitStatus.EXITED, end
    assert used is not None
    for seconds in (used, end.cpu_seconds, answer.exit.cpu_seconds):
        assert WORK - 0.03 <= seconds < 2 * WORK, "hundredths of a second where there are no control groups"


@needs_namespaces
@levels
@pytest.mark.parametrize("way", WAYS)
def test_a_limit_is_for_all_of_them(way: str, level: str) -> None:
    source = PROGRAM.replace("WAY", f"for (int n = 0; n < 9; n++) {{ {WAYS[way]} }}")
    limits = {"memory_bytes": 32 << 20, "processes": 24, "threads": 24, "cpu_seconds": 1.5 * WORK}
    with jail("c", source, **limits) as place, undelayed(place):
        end = place.ask(b"\n", seconds=60.0).exit
    assert end.status is ExitStatus.CPU, end
    assert end.cpu_seconds < 2 * WORK + 0.1


@needs_namespaces
@levels
def test_a_process_that_competes_with_its_own_child_gains_no_time(level: str) -> None:
    source = PROGRAM.replace("WAY", "if (!fork()) for (;;); for (;;);")
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        with jail("c", source, memory_bytes=32 << 20, processes=4) as place, undelayed(place):
            answer = place.ask(b"", seconds=WORK)
    finally:
        os.sched_setaffinity(0, cores)
    assert answer.timed_out
    assert answer.exit.cpu_seconds < WORK + 0.1, "together they get what one would get"
