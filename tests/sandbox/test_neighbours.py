"""A bot reaches nobody: no bot in another jail, not its worker, not its own next process, and no network."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from games.programs import ExitStatus
from submissions.languages import LANGUAGES
from submissions.sandbox import Jail, Limits, walls
from submissions.sandbox.calls import HOSTILE, PATHS, PROBING
from submissions.sandbox.policy import Policy
from submissions.sandbox.recipe import Recipe
from submissions.sandbox.roots import Parcel
from submissions.sandbox.walls import Walls
from tests.sandbox.sandboxes import (
    artifact,
    jail,
    line_of,
    needs_jail,
    needs_namespaces,
    nothing_left,
    play_hello,
)

pytestmark = needs_jail

BOTH = pytest.mark.parametrize("wall", [pytest.param(Walls.NAMESPACES, marks=needs_namespaces), Walls.LANDLOCK])

OPEN = Policy("open", allow=(*HOSTILE, *PATHS, *PROBING), soft=(("reboot", 1), ("kexec_load", 1)))
"""A filter that allows as much as possible, to test the walls behind it: they must hold on their own."""


# the network


@needs_namespaces
def test_a_socket_that_slipped_through_would_reach_nothing() -> None:
    """Not our own listener, no abstract name, no outside address: the network namespace is empty."""
    ours = socket.create_server(("0.0.0.0", 0))
    named = socket.socket(socket.AF_UNIX)
    named.bind(b"\0kibitz-%d" % os.getpid())
    named.listen()
    source = f"""
        import socket
        def attempt(family, address):
            try:
                socket.socket(family).connect(address)
            except OSError as error:
                return error.strerror
            return "CONNECTED"
        print(attempt(socket.AF_INET, ("127.0.0.1", {ours.getsockname()[1]})))
        print(attempt(socket.AF_INET, ("{_own_address()}", {ours.getsockname()[1]})))
        print(attempt(socket.AF_UNIX, "\\0kibitz-{os.getpid()}"))
    """
    with ours, named, opened(source) as place:
        said = place.ask(b"", seconds=60.0).output.decode().splitlines()
    assert said == ["Connection refused", "Network is unreachable", "Connection refused"]


def _own_address() -> str:
    """An address of this machine other than its loopback, or an unused one."""
    try:
        return next(
            address[4][0] for address in socket.getaddrinfo(socket.gethostname(), 1, socket.AF_INET)
            if not str(address[4][0]).startswith("127.")
        )  # fmt: skip
    except (OSError, StopIteration):
        return "192.0.2.1"


# another bot


@contextmanager
def opened(source: str, memory: int = 64 << 20) -> Iterator[Jail]:
    """A Python bot in a jail with that filter."""
    language, text = LANGUAGES["python"], "\n".join(line[8:] for line in source.split("\n"))
    recipe = Recipe(OPEN, language.run, language.mounts)
    with Jail(recipe, Limits(memory_bytes=memory, processes=8), Parcel.of(artifact("python", text))) as place:
        yield place


MEET = """
        import ctypes, os, socket, sys, fcntl
        libc, listening = ctypes.CDLL(None, use_errno=True), socket.socket(socket.AF_UNIX)
        libc.shmat.restype = ctypes.c_void_p

        def channels(create):
            flags = 0o1666 if create else 0o666
            yield "shared memory", libc.shmget(4711, 4096, flags) >= 0
            yield "semaphores", libc.semget(4711, 1, flags) >= 0
            yield "messages", libc.msgget(4711, flags) >= 0
            yield "keys", (libc.syscall(248, b"user", b"kibitz", b"x", 1, -4) if create
                           else libc.syscall(249, b"user", b"kibitz", None, -4)) >= 0
            name = "\\0kibitz"
            try:
                listening.bind(name) if create else socket.socket(socket.AF_UNIX).connect(name)
                yield "abstract socket", True
            except OSError:
                yield "abstract socket", False
            for path in ("/dev/shm/kibitz", "/tmp/kibitz", "/box/kibitz", "/usr/kibitz", "/kibitz"):
                try:
                    open(path, "w" if create else "r").close()
                    yield path, True
                except OSError:
                    yield path, False

        for line in sys.stdin:
            if line == "processes\\n":
                print(sorted(pid for pid in range(1, 70000) if libc.kill(pid, 0) == 0 or ctypes.get_errno() == 1)
                      == [1, os.getpid()], flush=True)
            else:
                print(*[name for name, done in channels(line == "leave\\n") if done], sep=", ", flush=True)
    """


@needs_namespaces
def test_two_bots_at_once_share_nothing_even_without_the_filter() -> None:
    with nothing_left(), opened(MEET) as one, opened(MEET) as two:
        first, second = one.start(), two.start()
        os.write(first.stdin, b"leave\n")
        left = line_of(first).decode()
        assert "shared memory, semaphores, messages" in left, "else this test tries nothing"
        assert "abstract socket" in left
        assert "/" not in left, "there is nowhere to write to"
        os.write(second.stdin, b"look\n")
        assert line_of(second) == b"\n"
        for process in (first, second):
            os.write(process.stdin, b"processes\n")
            assert line_of(process) == b"True\n", "it sees process 1 of its jail, and itself"
    with opened(MEET) as third:
        process = third.start()
        os.write(process.stdin, b"look\n")
        assert line_of(process) == b"\n", "what was left is gone with its jail"


# its own next process, in games that start a process for every question

CHANNELS = {
    "memory": ("it++;", "it"),
    "a variable of the environment": ('setenv("NOTE", "x", 1);', 'getenv("NOTE") != 0'),
    "a file": ('open("note", O_WRONLY | O_CREAT, 0600);', '!access("note", F_OK)'),
    "shared memory": ('open("/dev/shm/note", O_RDWR | O_CREAT, 0600);', 'open("/dev/shm/note", O_RDONLY) >= 0'),
    "shared memory of System V": ("shmget(7, 4096, IPC_CREAT | 0600);", "shmget(7, 4096, 0600) >= 0"),
    "a queue of messages": ("msgget(7, IPC_CREAT | 0600);", "msgget(7, 0600) >= 0"),
    "a semaphore": ("semget(7, 1, IPC_CREAT | 0600);", "semget(7, 1, 0600) >= 0"),
    "a file in memory": ('memfd_create("note", 0);', 'fcntl(3, F_GETFD) >= 0'),
    "a key": ('syscall(SYS_add_key, "user", "note", "x", 1, -4);',
              'syscall(SYS_request_key, "user", "note", 0, -4) >= 0'),
    "an abstract socket": ("socket(AF_UNIX, SOCK_STREAM, 0);", "socket(AF_UNIX, SOCK_STREAM, 0) < 0"),
    "a lock on its program": ('flock(open("bot", O_RDONLY), LOCK_EX);',
                              'flock(open("bot", O_RDONLY), LOCK_NB | LOCK_EX)'),
    "a record lock": ("struct flock l = {.l_type = F_WRLCK}; fcntl(0, F_SETLK, &l);", "0"),
    "a daemon": ("if (!fork()) { setsid(); for (;;) pause(); }", "kill(-1, 0) == 0 && !kill(3, 0)"),
    "a thread": ("pthread_t t; pthread_create(&t, 0, rest, 0);", "0"),
    "its own limits": ("setrlimit(RLIMIT_NOFILE, &(struct rlimit){9, 9});",
                       "getrlimit(RLIMIT_NOFILE, &r) || r.rlim_cur == 9"),
    "the mask of new files": ("umask(0123);", "umask(0) == 0123"),
    "ignored signals": ("signal(SIGTERM, SIG_IGN); signal(SIGCHLD, SIG_IGN);", "signal(SIGTERM, SIG_DFL) == SIG_IGN"),
    "blocked signals": ("sigset_t s; sigfillset(&s); sigprocmask(0, &s, 0);",
                        "sigprocmask(0, 0, &seen) || sigismember(&seen, SIGTERM)"),
    "an alarm": ("alarm(1);", "alarm(0) > 0"),
    "its priority": ("nice(7);", "getpriority(PRIO_PROCESS, 0) == 7"),
    "its name": ('prctl(PR_SET_NAME, "note");', 'prctl(PR_GET_NAME, name) || !strcmp(name, "note")'),
    "its group": ("setpgid(0, 0);", "0"),
    "its folder": ('chdir("/");', "0"),
    "the pipe of its input": ("fcntl(0, F_SETPIPE_SZ, 1 << 20);", "fcntl(0, F_GETPIPE_SZ) == 1 << 20"),
    "the flags of its input": ("fcntl(0, F_SETFL, O_NONBLOCK);", "(fcntl(0, F_GETFL) & O_NONBLOCK) != 0"),
    "the execution domain": ("personality(0x0040000);", "personality(0xffffffff) == 0x0040000"),
}  # fmt: skip
CARRIER = """
    #define _GNU_SOURCE
    INCLUDES
    static int it;
    static void *rest(void *nothing) { pause(); return nothing; }
    int main(void) {
        struct rlimit r; sigset_t seen; char name[32]; int channel, leave;
        (void)r, (void)seen, (void)name, (void)rest;
        if (scanf("%d %d", &channel, &leave) != 2) return 9;
        switch (channel) { CASES }
        return 8;
    }"""
HEADERS = """fcntl pthread signal stdio stdlib string sys/file sys/ipc sys/mman sys/msg sys/personality sys/prctl
    sys/resource sys/sem sys/shm sys/socket sys/stat sys/syscall unistd"""


def carrier() -> str:
    """A program that leaves a note through channel N for `N 1`, and looks for one for `N 0`."""
    cases = "".join(
        f'case {number}: if (leave) {{ {leave} }} else puts({look} ? "FOUND" : "nothing"); return 0;'
        for number, (leave, look) in enumerate(CHANNELS.values())
    )
    includes = "".join(f"#include <{name}.h>\n" for name in HEADERS.split())
    return CARRIER.replace("INCLUDES", includes).replace("CASES", cases)


@BOTH
def test_a_process_per_question_carries_nothing_over(wall: Walls, monkeypatch: pytest.MonkeyPatch) -> None:
    """One process leaves a note in every possible way, the next one looks for it: a violation, or nothing found."""
    monkeypatch.setattr(walls, "are", lambda: wall)
    with nothing_left(), jail("c", carrier()) as place:
        for number, name in enumerate(CHANNELS):
            left = place.ask(b"%d 1\n" % number, seconds=60.0).exit
            assert left.status in (ExitStatus.EXITED, ExitStatus.VIOLATION), (name, left)
            looked = place.ask(b"%d 0\n" % number, seconds=60.0)
            assert looked.output in (b"nothing\n", b""), name
            assert looked.output or looked.exit.status is ExitStatus.VIOLATION, (name, looked)
    play_hello()
