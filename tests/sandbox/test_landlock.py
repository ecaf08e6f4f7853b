"""Jails without namespaces, as in an ordinary container: what the host would show and allow, and they do not."""

from __future__ import annotations

import os
import shutil
import socket
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.programs import Exit, ExitStatus
from submissions.sandbox import Jail, Limits, landlock, walls
from submissions.sandbox.policy import TOOLCHAIN
from submissions.sandbox.recipe import Recipe
from tests.sandbox.sandboxes import (
    MEGABYTE,
    hear,
    jail,
    needs_jail,
    needs_landlock,
    needs_root,
    nothing_left,
    play_hello,
    run,
)
from tests.sandbox.test_probe import ask
from tests.sandbox.test_tcp import CLIENTS

pytestmark = [needs_jail, needs_landlock]


@pytest.fixture(autouse=True)
def _without_namespaces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "are", lambda: walls.Walls.LANDLOCK)


@pytest.fixture
def state() -> Iterator[Path]:
    """A state folder of an unprivileged worker."""
    folder = Path(f"/tmp/kibitz-test-landlock-{os.getpid()}")
    folder.mkdir(mode=0o711)
    if os.geteuid() == 0:
        os.chown(folder, 54321, 54321)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


# names of the host

OUTSIDE = (
    *("/etc/passwd", "/etc", "/home", "/root", "/var/lib", "/proc/self/status", "/proc/1", "/sys/class", "/dev/null"),
    *("../../../../../etc/hostname", "./../../../../../../var/log", "/usr/../etc/passwd", "/usr/lib/../../proc/self"),
)
LOOK = """
import os
def there(call, *arguments, **named):
    try:
        call(*arguments, **named)
    except OSError as error:
        assert error.errno == 2 or call is os.statvfs, (call, arguments, error)  # which is refused altogether
        return False
    return True
usr = os.open("/usr", os.O_RDONLY)
for path in {outside!r}:
    found = [there(call, path) for call in (os.stat, os.lstat, os.readlink, os.statvfs, os.listxattr)]
    found += [os.access(path, os.F_OK), there(os.stat, "../" + path, dir_fd=usr)]
    if any(found):
        print(path, found)
inside = there(os.stat, "/usr/bin"), there(os.stat, "bin", dir_fd=usr), there(os.stat, ".")
print("own", there(os.stat, __file__), *inside)
"""


def test_a_bot_looks_up_nothing_but_its_own() -> None:
    end, said, complained = run("python", LOOK.format(outside=OUTSIDE), memory_bytes=64 * MEGABYTE, grace=60.0)
    assert (end.status, said) == (ExitStatus.EXITED, b"own True True True True\n"), complained


def compile_with(script: str) -> tuple[bytes, bytes, Exit]:
    """Use a script as the compiler. Returns its output on both streams, and how it ended. Nothing of it is left."""
    limits = Limits(processes=64, scratch_bytes=4 * MEGABYTE, file_bytes=64 * MEGABYTE)
    with nothing_left(), Jail(Recipe(TOOLCHAIN, ("/init",), ("/usr",)), limits) as place:
        scratch = landlock.scratches() / f"{place.slot.number}"
        assert scratch.is_dir()
        process = place.run("/usr/bin/python3", "-c", textwrap.dedent(script))
        process.close_input()
        said, complained = hear(process)
        end = process.stop(0.0)
    assert not scratch.exists()
    return said, complained, end


def test_a_build_may_look_up_as_much_as_it_needs() -> None:
    """A bot that makes so many calls in a second is ended, because they take its match's time."""
    script = 'import os\nprint(sum(os.path.exists("/usr/include/missing.h") for _ in range(25_000)))'
    said, complained, end = compile_with(script)
    assert (end.status, said) == (ExitStatus.EXITED, b"0\n"), complained


def test_a_build_looks_up_and_opens_nothing_but_its_own() -> None:
    script = LOOK.format(outside=OUTSIDE).replace("__file__", "'/usr/bin'") + (
        "\nfor path in ('/etc/passwd', '/root/x', '/proc/self/maps', '../../../x'):\n"
        "    for mode in 'rw':\n        assert not there(open, path, mode), path\n"
        "assert not there(os.mkdir, '/home') and not there(os.chdir, '/etc')\n"
        "assert not there(os.execv, '/sbin/../../etc/init.d/ssh', ['x']) and not there(os.rename, '/home/x', 'x')\n"
        "os.mkdir('sub'); os.chdir('sub'); open('file', 'w').close()\n"
        "print(there(os.stat, '../sub/file'), there(os.stat, '../../../../../home'))\n"
    )
    said, complained, end = compile_with(script)
    assert (end.code, said) == (0, b"own True True True True\nTrue False\n"), complained


def test_a_link_does_not_lead_out_of_a_build() -> None:
    script = """
        import os
        os.symlink("/etc/passwd", "link")
        os.symlink("/etc", "folder")
        for path in ("link", "folder/passwd"):
            try:
                open(path)
            except OSError as error:
                print(type(error).__name__, end=" ")
    """
    assert compile_with(script)[0] in (b"PermissionError FileNotFoundError ", b"FileNotFoundError FileNotFoundError ")


# what a build may use


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("one file", "open('x', 'wb').write(bytes(16 << 20))"),
        ("many files", "for n in range(9999): open(str(n), 'w').close()"),
        ("many folders", "import os\nfor n in range(9999): os.mkdir(str(n))"),
        ("a deep folder", "import os\nfor n in range(3000): os.mkdir('d'); os.chdir('d')"),
        (
            "a hidden folder",
            "import os\nos.mkdir('d'); f = open('d/x', 'wb'); os.chmod('d', 0); f.write(bytes(16 << 20))",
        ),
    ],
)
@pytest.mark.parametrize("goes_on", [False, True])
def test_a_compile_bomb_does_not_fill_the_disk(name: str, script: str, goes_on: bool) -> None:
    _, complained, end = compile_with(script + ("\nimport time; time.sleep(600)" if goes_on else ""))
    assert end.status is ExitStatus.OUTPUT, (name, end, complained)


def test_what_a_killed_worker_left_is_swept_up() -> None:
    limits = Limits(scratch_bytes=MEGABYTE)
    with Jail(Recipe(TOOLCHAIN, ("/init",), ("/usr",)), limits) as place:
        ours = landlock.scratches() / f"{place.slot.number}"
        left = next(ours.with_name(f"{n}") for n in range(4096) if not ours.with_name(f"{n}").exists())
        (left / "deep" / "deeper").mkdir(parents=True)
        (left / "deep" / "file").write_text("x")
        (left / "deep" / "link").symlink_to("/usr")
        landlock.sweep()
        assert not left.exists()
        assert ours.is_dir(), "this one is in use"


def test_a_build_that_writes_less_is_let_alone() -> None:
    script = "open('x', 'wb').write(bytes(3 << 20))\nfor n in range(99): open(str(n), 'w').close()"
    assert compile_with(script)[2].status is ExitStatus.EXITED


FORKS = """
    import json, os, select, time
    from submissions.languages import LANGUAGES
    from submissions.sandbox import Jail, Limits, landlock, probe
    from submissions.sandbox.recipe import Recipe
    from submissions.sandbox.policy import TOOLCHAIN
    bomb = "\\n".join((
        "import os, time",
        "count = 0",
        "while count < 5000:",
        "    try:",
        "        if os.fork() == 0:",
        "            time.sleep(600)",
        "            os._exit(0)",
        "    except OSError:",
        "        break",
        "    count += 1",
        "print(count, flush=True)",
    ))
    limits = Limits(processes=8, scratch_bytes=1 << 20, memory_bytes=8 << 30)
    with Jail(Recipe(TOOLCHAIN, ("/init",), ("/usr",)), limits) as jail:
        process = jail.run("/usr/bin/python3", "-c", bomb)
        end = process.ended(60.0)
        count = int(os.read(process.stdout, 99))
    print(json.dumps([probe().name, str(end.status), count, landlock.ROOM]))
"""


@needs_root
def test_a_fork_bomb_in_a_build_of_an_unprivileged_worker_ends(state: Path) -> None:
    """Its processes count for its user, who has others; there are no control groups."""
    name, status, count, room = ask(
        state, user=54321, script=FORKS, KIBITZ_SANDBOX_WALLS="landlock", KIBITZ_CGROUP="off"
    )
    assert (name, status) == ("landlock", "exited")
    assert 8 <= count <= 8 + room + 8, "those of the user who ended meanwhile make room"
    play_hello()


MEDDLING = """
    import json, os, sys
    from pathlib import Path
    from submissions.sandbox import Jail, Limits
    from submissions.sandbox.native import native, state_folder
    from submissions.sandbox.recipe import Recipe
    from submissions.sandbox.policy import TOOLCHAIN
    victim = state_folder() / "of the portal"
    victim.write_text("x")
    victim.chmod(0o600)
    priority = os.getpriority(os.PRIO_PROCESS, 0)
    script = "\\n".join((
        "import ctypes, json, mmap, os, threading, time",
        "libc = ctypes.CDLL(None, use_errno=True)",
        f"victim, worker, numbers = {os.fsencode(victim)!r}, {os.getpid()}, {native().numbers!r}",
        "def call(name, *words):",
        "    failed = libc.syscall(numbers.get(name, 452), *words) < 0",
        "    return name if not failed else ''",
        "open('own', 'w').close()",
        "os.chmod('own', 0o751)",
        "own = os.path.realpath('own').encode()",
        "done = [",
        "    call('fchmodat2', -100, victim, 0o777, 0),",
        "    call('lsetxattr', victim, b'user.x', b'y', 1, 0),",
        "    call('setpriority', 0, worker, 19),",
        "    call('sched_setaffinity', worker, 8, bytes([1, 0, 0, 0, 0, 0, 0, 0])),",
        "    call('sched_setscheduler', worker, 5, bytes(4)),",
        "    call('rt_sigqueueinfo', worker, 0, (ctypes.c_int * 32)(0, 0, -1)),",
        "    call('fcntl', os.open('own', os.O_RDONLY), 8, worker),",
        "]",
        "name = ctypes.create_string_buffer(own, 4096)",
        "def change():",
        "    while time.monotonic() < end:",
        "        name.value = victim",
        "        name.value = own",
        "end = time.monotonic() + 1.5",
        "threading.Thread(target=change).start()",
        "while time.monotonic() < end:",
        "    call('fchmodat', -100, name, 0o666)",
        "end = time.monotonic() + 1.5",
        "thread = threading.Thread(target=change)",
        "thread.start()",
        "seen = set()",
        "while time.monotonic() < end:",
        "    fd = libc.syscall(numbers['openat'], -100, name, os.O_PATH)",
        "    if fd >= 0:",
        "        seen.add(os.fstat(fd).st_size)",
        "        os.close(fd)",
        "done += [str(size) for size in seen]",
        "os.chmod('own', 0o751)",
        "print(json.dumps([*filter(None, done), oct(os.stat('own').st_mode)]), flush=True)",
    ))
    with Jail(Recipe(TOOLCHAIN, ("/init",), ("/usr",)), Limits(processes=8, scratch_bytes=1 << 20)) as jail:
        process = jail.run("/usr/bin/python3", "-c", script)
        end = process.ended(60.0)
        said = os.read(process.stdout, 9999) or os.read(process.stderr, 9999)
    about = victim.stat()
    changed = [os.listxattr(victim), os.getpriority(os.PRIO_PROCESS, 0) - priority, os.sched_getscheduler(0)]
    print(json.dumps([said.decode().strip(), oct(about.st_mode), *changed]))
"""


@needs_root
def test_a_build_of_an_unprivileged_worker_changes_nothing_of_the_workers(state: Path) -> None:
    """Landlock does not forbid it: modes and attributes of files, priorities and processors of other processes."""
    found = ask(state, user=54321, script=MEDDLING, KIBITZ_SANDBOX_WALLS="landlock")
    assert found == ['["0", "0o100751"]', "0o100600", [], 0, os.SCHED_OTHER]


SHUT = """
    import json
    from submissions.sandbox import Jail, Limits, landlock
    from submissions.sandbox.recipe import Recipe
    from submissions.sandbox.policy import TOOLCHAIN
    script = "import os; os.makedirs('a/b'); open('a/b/c', 'w').close(); os.chmod('a/b', 0); os.chmod('.', 0)"
    with Jail(Recipe(TOOLCHAIN, ("/init",), ("/usr",)), Limits(processes=8, scratch_bytes=1 << 20)) as jail:
        end = jail.run("/usr/bin/python3", "-c", script).ended(60.0)
    print(json.dumps([end.code, [*map(str, landlock.scratches().iterdir())]]))
"""


@needs_root
def test_a_build_that_shuts_its_folder_leaves_nothing(state: Path) -> None:
    """Otherwise it would hold disk for ever, and no other build could have its slot."""
    _, left = ask(state, user=54321, script=SHUT, KIBITZ_SANDBOX_WALLS="landlock")
    assert left == []


# privileges, memory, network


def test_a_bot_has_no_capability_and_can_never_get_one() -> None:
    with jail("c", "#include <unistd.h>\nint main(void) { for (;;) pause(); }") as place:
        lines = Path(f"/proc/{place.start().pid}/status").read_text().splitlines()
    status = dict(line.split(":\t", 1) for line in lines)
    sets = ("CapInh", "CapPrm", "CapEff", "CapAmb", *(("CapBnd",) if os.geteuid() == 0 else ()))
    assert {status[name] for name in sets} == {"0" * 16}
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")


def test_the_owner_of_a_connection_is_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert landlock.owner_of(client.getsockname(), server.getsockname()) == os.geteuid()
        assert landlock.owner_of(server.getsockname(), ("127.0.0.1", 1)) is None


IN_DOCKER = """
    import ctypes, json, os, select
    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]
    from submissions.sandbox.bpf import ALLOW, assemble, deny
    code = assemble({438: deny(1)}, ALLOW, ALLOW)  # pidfd_getfd: not permitted, as in Docker's own filter
    assert ctypes.CDLL(None).prctl(38, 1, 0, 0, 0) == 0
    assert ctypes.CDLL(None).prctl(22, 2, ctypes.byref(Program(len(code) // 8, code))) == 0, "no seccomp"
    from games.options import Server
    from submissions.languages import LANGUAGES
    from submissions.sandbox import Jail, Limits, build
    said = []
    for slug in ("c", "python"):
        language = LANGUAGES[slug]
        result = build(language, CLIENTS[slug].encode(), f"mybot{language.extensions[0]}")
        limits = Limits(memory_bytes=max(4 << 20, language.memory_floor))
        with Jail.open(result.artifact, language, limits, Server('cards.example', (4567, 14567))) as jail:
            process = jail.start()
            assert select.select(jail.listeners, [], [], 10)[0]
            connection, _ = jail.listeners[0].accept()
            connection.sendall(b"x")
            connection.settimeout(10)
            said.append(connection.recv(99).decode())
            connection.close()
            said.append(process.stop(60.0).code)
    print(json.dumps(said))
"""


def test_a_client_is_connected_in_a_container_that_hides_its_socket_from_us(state: Path) -> None:
    script = textwrap.dedent(IN_DOCKER).replace("CLIENTS", repr(CLIENTS))
    user = 54321 if os.geteuid() == 0 else None
    assert ask(state, user=user, script=script, KIBITZ_SANDBOX_WALLS="landlock") == ["got x", 0, "got x", 0]


def test_guessing_the_secret_of_process_1_leads_nowhere() -> None:
    """Its calls carry it where the kernel ignores it; the same call with another number is the bot's."""
    source = """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        int main(void) {
            for (long guess = 0; guess < 999; guess++)
                if (syscall(SYS_newfstatat, AT_FDCWD, "/etc/passwd", (char[512]){0}, 0, guess, guess) == 0) return 1;
            return syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_PATH, 0, 1L, 1L) >= 0;
        }"""
    end, _, _ = run("c", source, grace=60.0)
    assert (end.status, end.call, end.path) == (ExitStatus.VIOLATION, "openat", "/etc/passwd")
