"""What one bot could tell another: the short form of benchmarks/channels.py, and what the filter answers instead."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from benchmarks import channels
from games.options import Server
from games.programs import ExitStatus
from submissions.languages import LANGUAGES, Language
from submissions.sandbox import Jail, Limits, Parcel, walls
from submissions.sandbox.policy import Policy
from submissions.sandbox.walls import Walls
from tests.sandbox.prompt import undelayed
from tests.sandbox.sandboxes import artifact, jail, needs_jail, needs_namespaces, nothing_left, play_hello, run

pytestmark = needs_jail

BOTH = pytest.mark.parametrize("wall", [pytest.param(Walls.NAMESPACES, marks=needs_namespaces), Walls.LANDLOCK])
SECONDS = 0.1
"""For each channel. This finds what carries some hundred bits in a second; the benchmark takes longer."""


@pytest.fixture(scope="module")
def bots() -> tuple[Parcel, Parcel]:
    return channels.parcels()


@pytest.fixture
def core() -> int:
    return max(os.sched_getaffinity(0))


@BOTH
def test_no_channel_carries_anything(
    wall: Walls, monkeypatch: pytest.MonkeyPatch, bots: tuple[Parcel, Parcel], core: int
) -> None:
    monkeypatch.setattr(walls, "are", lambda: wall)
    names = [name for name in channels.channels() if not name.startswith(channels.PROCESSOR)]
    assert len(names) > 25
    with nothing_left():
        found = {name: channels.twice(name, "python", bots, SECONDS, (core, core)) for name in names}
    assert {name: it for name, it in found.items() if it.bits_per_second} == {}


class Leaky(Language):
    """A language with the host's files and without this filter: as it once was."""

    @property
    def runtime(self) -> None:
        return None

    @property
    def policy(self) -> Policy:
        return replace(super().policy, allow=("fadvise64", "flock"))


@needs_namespaces
@pytest.mark.parametrize("channel", ["fadvise", "flock"])
def test_the_benchmark_sees_a_channel_that_is_there(
    channel: str, monkeypatch: pytest.MonkeyPatch, bots: tuple[Parcel, Parcel], core: int
) -> None:
    monkeypatch.setitem(LANGUAGES, "python", Leaky(LANGUAGES["python"].recipe))
    found = channels.attempt(channel, "python", bots, SECONDS, (core, core))
    assert found.right > 0.9, found
    assert found.bits_per_second > 0, found  # as fast as a busy machine lets it


def test_what_is_right_by_chance_is_no_information() -> None:
    assert channels.information(0.51, 1000) == 0
    assert channels.information(1.0, 1000) == 1
    assert 0.4 < channels.information(0.9, 1000) < 0.6
    assert channels.learnt([0, 1] * 50, [3, 9] * 50) == 1
    assert channels.learnt([0, 1] * 50, [9, 3] * 50) == 1
    assert channels.learnt([0, 1] * 50, [5] * 100) == 0.5


CONSTANT = r"""
    #define _GNU_SOURCE
    #include <errno.h>
    #include <fcntl.h>
    #include <stdio.h>
    #include <sys/mman.h>
    #include <sys/statfs.h>
    #include <sys/syscall.h>
    #include <sys/sysinfo.h>
    #include <time.h>
    #include <unistd.h>
    int main(void) {
        struct sysinfo it; struct statfs disk; unsigned char in; int ends[2], made = 0; timer_t timer;
        static char page[8192] __attribute__((aligned(4096)));
        sysinfo(&it);
        printf("%lu %lu %u %ld %d\n", it.totalram, it.freeram, it.mem_unit, it.uptime, it.procs);
        printf("%d ", posix_fadvise(0, 0, 0, POSIX_FADV_DONTNEED));
        printf("%d ", mincore(page, 4096, &in) ? errno : 0);
        printf("%d ", madvise(page, 4096, 21) ? errno : 0);
        printf("%d ", madvise(page, 4096, MADV_WILLNEED) ? errno : 0);
        printf("%d ", madvise(page, 4096, MADV_DONTNEED) ? errno : 0);
        printf("%d ", statfs("/", &disk) ? errno : 0);
        printf("%ld ", syscall(SYS_membarrier, 1, 0, 0) < 0 ? (long)errno : 0);
        printf("%ld ", syscall(SYS_futex, page, 1, 1, 0, 0, 0) < 0 ? (long)errno : 0);
        printf("%ld\n", syscall(SYS_futex, page, 129, 1, 0, 0, 0) < 0 ? (long)errno : 0);
        while (!pipe(ends)) made++;
        printf("%d pipes, then %d; ", made, errno);
        printf("timer %d\n", timer_create(CLOCK_MONOTONIC, 0, &timer) ? errno : 0);
        return 0;
    }"""


@BOTH
def test_what_measures_the_machine_is_answered_with_constants(wall: Walls, monkeypatch: pytest.MonkeyPatch) -> None:
    """ENOSYS 38, EINVAL 22, EMFILE 24, EAGAIN 11."""
    monkeypatch.setattr(walls, "are", lambda: wall)
    _, said, _ = run("c", CONSTANT, grace=60.0)
    assert said.decode().splitlines() == [
        f"{1 << 30} {1 << 29} 1 0 1", "0 38 22 0 0 38 22 22 0", "16 pipes, then 24; timer 11",
    ]  # fmt: skip
    with jail("c", CONSTANT) as place:
        assert b"\n4 pipes, then 24" in place.ask(b"", seconds=60.0).output, "for one question, as many as Node needs"
        assert b"\n4 pipes, then 24" in place.ask(b"", seconds=60.0).output, "and for each as many"


def test_other_processes_of_the_host_are_unknown_without_namespaces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their clocks, groups and priorities; a program's own are known to it."""
    monkeypatch.setattr(walls, "are", lambda: Walls.LANDLOCK)
    source = r"""
        #define _GNU_SOURCE
        #include <errno.h>
        #include <sched.h>
        #include <stdio.h>
        #include <sys/resource.h>
        #include <time.h>
        #include <unistd.h>
        int main(void) {
            int pid; struct timespec t; cpu_set_t set; timer_t timer;
            for (struct sigevent *none = 0; scanf("%d", &pid) == 1; (void)none) {
                errno = 0; if (!pid) pid = getpid();
                int clock = clock_gettime(~(unsigned)pid << 3 | 2, &t) ? errno : 0;
                int resolution = clock_getres(~(unsigned)pid << 3 | 2, &t) ? errno : 0;
                int created = timer_create(~(unsigned)pid << 3 | 2, none, &timer) ? errno : 0;
                errno = 0; getpriority(PRIO_PROCESS, pid); int priority = errno;
                int group = getpgid(pid) < 0 ? errno : 0, session = getsid(pid) < 0 ? errno : 0;
                int cores = sched_getaffinity(pid, sizeof set, &set) < 0 ? errno : 0;
                int scheduler = sched_getscheduler(pid) < 0 ? errno : 0;
                printf("%d %d %d %d ", clock, resolution, created, priority);
                printf("%d %d %d %d\n", group, session, cores, scheduler);
                fflush(stdout);
            }
            return 0;
        }"""
    with jail("c", source) as place:
        answer = place.ask(b"%d 1 0" % os.getpid(), seconds=60.0)
    assert answer.output.decode().splitlines() == ["22 22 22 3 3 3 3 3"] * 2 + ["0 0 0 0 0 0 0 0"]


@BOTH
def test_what_a_process_set_on_dev_null_is_gone_for_the_next(wall: Walls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "are", lambda: wall)
    source = (
        '#include <fcntl.h>\n#include <stdio.h>\nint main(void) { int fd = open("/dev/null", O_RDWR);'
        ' printf("%d", fcntl(fd, F_GETFL) & O_NONBLOCK); fcntl(fd, F_SETFL, O_NONBLOCK); return fd < 0; }'
    )
    with jail("c", source) as place:
        assert [place.ask(b"", seconds=60.0).output for _ in range(3)] == [b"0"] * 3


@BOTH
@pytest.mark.parametrize("call", ['fopen("/etc/localtime", "r")', "pipe(ends)", "sysinfo(&it)"])
def test_who_floods_process_1_with_calls_is_ended(wall: Walls, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each costs the core some microseconds that no clock of the bot counts."""
    monkeypatch.setattr(walls, "are", lambda: wall)
    source = (
        "#include <stdio.h>\n#include <sys/sysinfo.h>\n#include <unistd.h>\n"
        "int main(void) { int ends[2]; struct sysinfo it; (void)ends, (void)it;"
        f" for (long i = 0; i < 1000000; i++) {call}; }}"
    )
    with nothing_left(), jail("c", source) as place, undelayed(place, bots=True):  # or it makes fewer in a second
        end = place.start().stop(60.0)
    assert end.status is ExitStatus.VIOLATION, end
    assert end.path == "more than 10000 such calls in a second"
    assert end.cpu_seconds < 2
    play_hello()


@BOTH
def test_a_tcp_client_has_a_bounded_number_of_sockets(wall: Walls, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has a number that the whole machine counts, so making many would be a signal. EMFILE is 24."""
    monkeypatch.setattr(walls, "are", lambda: wall)
    source = (
        "#include <errno.h>\n#include <stdio.h>\n#include <sys/socket.h>\n#include <unistd.h>\n"
        "int main(void) { int made = 0, fd; while ((fd = socket(AF_INET, SOCK_STREAM, 0)) >= 0) made++, close(fd);"
        ' printf("%d, then %d", made, errno); return 0; }'
    )
    with Jail.open(artifact("c", source), LANGUAGES["c"], Limits(memory_bytes=4 << 20), Server()) as place:
        assert place.ask(b"", seconds=60.0).output == b"64, then 24"
