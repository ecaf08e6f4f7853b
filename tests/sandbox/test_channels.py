"""What one bot could tell another: the short form of benchmarks/channels.py, and what the filter answers instead."""

from __future__ import annotations

import os
import socket
import threading
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks import channels
from games.options import Server
from games.programs import ExitStatus
from submissions.languages import LANGUAGES, Language
from submissions.sandbox import Jail, Limits, Parcel, policy, walls
from submissions.sandbox.policy import Policy
from submissions.sandbox.walls import Walls
from tests.sandbox.sandboxes import artifact, jail, needs, needs_jail, needs_namespaces, needs_root, nothing_left, run
from tests.sandbox.test_landlock import state
from tests.sandbox.test_probe import ask

__all__ = ["state"]
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


SHARED = """
    import json, os
    from benchmarks import channels
    bots, core = channels.parcels(), max(os.sched_getaffinity(0))
    names = ("timers", "signals", "messages", "descriptors")
    found = {name: channels.twice(name, "python", bots, 0.1, (core, core)) for name in names}
    print(json.dumps([[name, it.right, it.ended] for name, it in found.items() if it.bits_per_second or it.ended]))
"""


@pytest.mark.long("sandbox")
@BOTH
@needs_root
def test_bots_of_a_worker_that_is_not_root_share_nothing_of_its_user(wall: Walls, state: Path) -> None:
    """What the kernel counts for all programs of a user."""
    assert ask(state, user=54321, script=SHARED, KIBITZ_SANDBOX_WALLS=wall.value, KIBITZ_CGROUP="off") == []


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


@BOTH
def test_a_pipe_of_a_bot_is_like_any_other(wall: Walls, monkeypatch: pytest.MonkeyPatch) -> None:
    """EINVAL 22, EFAULT 14, EAGAIN 11, EPIPE 32."""
    monkeypatch.setattr(walls, "are", lambda: wall)
    source = r"""
        #define _GNU_SOURCE
        #include <errno.h>
        #include <fcntl.h>
        #include <signal.h>
        #include <stdio.h>
        #include <unistd.h>
        int main(void) {
            int ends[2], failed = pipe(ends); char text[9] = "";
            printf("%d %d %d ", failed, ends[0], ends[1]);
            printf("%d ", (int)write(ends[1], "news", 4)), close(ends[1]);
            printf("%d ", (int)read(ends[0], text, 9)), printf("%s ", text);
            printf("%d ", (int)read(ends[0], text, 9)), close(ends[0]);
            printf("%d ", pipe2(ends, O_CLOEXEC | O_NONBLOCK)), printf("%d ", fcntl(ends[1], F_GETFD));
            read(ends[0], text, 9), printf("%d ", errno), close(ends[0]), signal(SIGPIPE, SIG_IGN);
            write(ends[1], "x", 1), printf("%d ", errno);
            pipe2(ends, O_APPEND), printf("%d ", errno), pipe((int *)8), printf("%d", errno);
            return 0;
        }"""
    with jail("c", source) as place:
        assert [place.ask(b"", seconds=60.0).output for _ in range(2)] == [b"0 3 4 4 4 news 0 0 1 11 32 22 14"] * 2


def count_on() -> None:
    """Make the kernel count on, as others do meanwhile."""
    ends = [*os.pipe(), *os.pipe(), *(it.detach() for it in socket.socketpair()), os.memfd_create("x")]
    threading.Thread(target=os.getpid).start()
    for fd in ends:
        os.close(fd)


@BOTH
@pytest.mark.parametrize("protocol", channels.PROTOCOLS)
@pytest.mark.parametrize("slug", ["c", "python"])
def test_no_number_of_a_bot_counts_what_others_do(
    wall: Walls, slug: str, protocol: str, monkeypatch: pytest.MonkeyPatch, bots: tuple[Parcel, Parcel]
) -> None:
    monkeypatch.setattr(walls, "are", lambda: wall)
    with channels.opened_for_numbers(slug, "receive", bots[0], protocol) as place:
        talk, told = channels.talk_with(place, protocol), []
        for makes in (0, 0, 40):
            for _ in range(makes):
                count_on()
            told.append(channels.numbers_in(talk(b"r\n")))
    steps = [{name: now[name] - before[name] for name in now} for before, now in pairwise(told)]
    unlike = {name for name in steps[0] if steps[0][name] != steps[1][name]} - {"low-bits-of-the-clock"}
    assert len(steps[0]) >= 35
    assert unlike - set(channels.PROCESSES if wall is Walls.LANDLOCK else ()) == set()


@pytest.mark.long("sandbox")
@needs_namespaces
@pytest.mark.parametrize("protocol", channels.PROTOCOLS)
@pytest.mark.parametrize("slug", ["c", "python", "java", "javascript"])
def test_no_number_carries_anything(slug: str, protocol: str, bots: tuple[Parcel, Parcel], core: int) -> None:
    needs(slug)
    found = channels.numbers(slug, protocol, bots, 1.0, (core, core))
    assert {name: it for name, it in found.items() if it.bits_per_second or it.ended} == {}


@needs_namespaces
def test_the_benchmark_sees_a_number_that_counts(
    monkeypatch: pytest.MonkeyPatch, bots: tuple[Parcel, Parcel], core: int
) -> None:
    monkeypatch.setattr(policy, "_hiding", lambda _: {})
    monkeypatch.setattr(policy, "_COMPILED", {})
    found = channels.numbers("python", "questions", bots, SECONDS, (core, core))
    assert found["pair-by-fstat"].bits_per_second > 0, found


@needs_namespaces
def test_a_stream_forgets_when_it_was_used_for_another_question() -> None:
    source = (
        "#include <stdio.h>\n#include <sys/stat.h>\nint main(void) { struct stat it; for (int i = 1; i < 3; i++)"
        ' fstat(i, &it), printf("%ld %ld ", it.st_atime, it.st_mtime); fputs("x", stderr); return 0; }'
    )
    with jail("c", source) as place:
        assert [place.ask(b"x", seconds=60.0).output for _ in range(3)] == [b"0 0 0 0 "] * 3


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


CALLS = {
    "look-ups": 'fopen("/etc/localtime", "r")',
    "pipes": "pipe(ends)",
    "sysinfo": "sysinfo(&it)",
    "its input": "fstat(0, &about)",  # as `while (!reader.ready())` of Java does
}


@BOTH
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_who_makes_many_calls_that_we_answer_waits_and_is_not_blamed(
    wall: Walls, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walls, "are", lambda: wall)
    source = (
        "#include <stdio.h>\n#include <sys/stat.h>\n#include <sys/sysinfo.h>\n#include <unistd.h>\n"
        "int main(void) { int ends[2]; struct sysinfo it; struct stat about; (void)ends, (void)it, (void)about;"
        f" for (int i = 0; i < 12000; i++) {call}; return 0; }}"
    )
    end, _, complained = run("c", source)
    assert (end.status, end.code) == (ExitStatus.EXITED, 0), (end, complained)


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
