"""The jail as the referee and the worker see it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from games import deadline
from games.engine import MachineryError
from games.options import Server
from games.programs import ExitStatus, pinned
from submissions.languages import LANGUAGES
from submissions.sandbox import Jail, Limits, Parcel, cgroups, slots, walls
from submissions.sandbox import native as compiled
from submissions.sandbox.native import state_folder
from submissions.sandbox.policy import STATIC, TOOLCHAIN
from submissions.sandbox.recipe import Recipe
from submissions.sandbox.roots import root_of
from tests.sandbox.prompt import undelayed
from tests.sandbox.sandboxes import (
    HELLO,
    LEVEL,
    MEGABYTE,
    artifact,
    hear,
    jail,
    line_of,
    needs,
    needs_groups,
    needs_jail,
    needs_namespaces,
    needs_root,
    nothing_left,
    play_hello,
    run,
)
from tests.waiting import unread, wait_for

pytestmark = needs_jail

SLEEPER = "#include <unistd.h>\nint main(void) { for (;;) pause(); }\n"
ECHO = HELLO["c"]


# one process


@pytest.mark.parametrize("slug", sorted(HELLO))
def test_a_bot_answers_line_by_line_and_ends_with_its_input(slug: str) -> None:
    needs(slug)
    play_hello(slug)


def test_the_end_of_the_bot_is_seen_at_once_on_its_pipes() -> None:
    with jail("c", "int main(void) { return 3; }") as place:
        process = place.start()
        assert hear(process) == (b"", b"")
        end = process.ended(60.0)
        assert end is not None
        assert (end.status, end.code) == (ExitStatus.EXITED, 3)
        assert process.ended(0) == end


def test_processor_time_is_read_while_it_runs_and_told_at_the_end() -> None:
    source = """
        #include <stdio.h>
        #include <time.h>
        int main(void) {
            while (clock() < CLOCKS_PER_SEC / 5) ;
            puts("done"); fflush(stdout);
            getchar();
            return 0;
        }"""
    with jail("c", source) as place:
        process = place.start()
        assert line_of(process) == b"done\n"
        used = process.cpu_seconds()
        assert used is not None
        assert 0.19 <= used < 0.4
        end = process.stop(60.0)
    assert 0.19 <= end.cpu_seconds < 0.4
    assert end.wall_seconds >= end.cpu_seconds * 0.9
    assert process.cpu_seconds() == end.cpu_seconds


def test_the_peak_of_memory_is_the_bots_not_ours() -> None:
    hoard = bytearray(64 * MEGABYTE)  # what a child started from here would be charged for
    end, _, _ = run("c", "int main(void) { return 0; }", grace=60.0)
    assert 0 < end.peak_bytes < MEGABYTE
    assert hoard
    end, _, _ = run("c", TOUCH.replace("PAGES", "512"), memory_bytes=128 * MEGABYTE, grace=60.0)  # 2 MB
    assert 2 * MEGABYTE <= end.peak_bytes < 3 * MEGABYTE


def test_stopping_gives_grace_then_kills_and_is_idempotent() -> None:
    with jail("c", SLEEPER) as place:
        process = place.start()
        started = time.monotonic()
        end = process.stop(0.2)
        assert time.monotonic() - started >= 0.2
        assert end.status is ExitStatus.KILLED
        assert process.stop(60.0) is end


def test_what_was_written_before_the_end_of_input_is_still_read() -> None:
    with jail("c", ECHO) as place:
        process = place.start()
        os.write(process.stdin, b"last\n")
        process.close_input()
        process.close_input()
        assert hear(process)[0] == b"got last\n"
        assert process.stop(60.0).status is ExitStatus.EXITED


def test_a_jail_starts_one_bot_after_the_other() -> None:
    with jail("c", ECHO) as place:
        pids = set()
        for word in (b"1\n", b"2\n", b"3\n"):
            process = place.start()
            pids.add(process.pid)
            os.write(process.stdin, word)
            assert line_of(process) == b"got " + word
        assert len(pids) == 3
        assert process.stop(60.0).status is ExitStatus.EXITED


def test_output_of_a_bot_that_is_never_read_does_no_harm() -> None:
    with jail("c", '#include <stdio.h>\nint main(void) { for (;;) puts("flood"); }') as place:
        process = place.start()
        wait_for(lambda: unread(process.stdout) >= 4096)  # a full pipe, or nearly
    play_hello()


# limits

TOUCH = """
    #include <stdio.h>
    #include <sys/mman.h>
    int main(void) {
        char *all = mmap(0, 128 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (long page = 0; page < PAGES; page++) {
            all[page * 4096] = 1;
            dprintf(1, "\\r%ld ", page + 1);
        }
        return 0;
    }"""


@needs_groups
def test_a_bot_is_not_charged_with_a_program_that_was_not_in_memory() -> None:
    """If the host has dropped the program from memory, reading it again is not charged to the bot."""
    peaks = []
    for _ in range(5):
        for program in filter(Path.is_file, (state_folder() / "roots").glob("*/box/bot")):
            with program.open("rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        end, _, _ = run("c", "int main(void) { return 0; }", grace=60.0)
        peaks.append(end.peak_bytes)
    assert max(peaks) < MEGABYTE


@pytest.mark.parametrize(("seconds", "slack"), [(0.1, 0.05), (1, 0.1)])
def test_the_processor_limit_does_not_depend_on_the_bots_consent(seconds: float, slack: float) -> None:
    """Process 1 reads the clock by which the bot is judged, so a busy machine changes nothing."""
    deaf = "#include <signal.h>\nint main(void) { signal(SIGXCPU, SIG_IGN); for (volatile int i = 0;; i++); }"
    with jail("c", deaf, cpu_seconds=seconds) as place, undelayed(place):
        for end in (place.start().ended(60.0), place.ask(b"", seconds=60.0).exit):
            assert end is not None
            assert end.status is ExitStatus.CPU
            assert seconds <= end.cpu_seconds < seconds + slack


def test_a_bot_just_below_its_processor_limit_is_not_accused() -> None:
    source = "#include <time.h>\nint main(void) { while (clock() < CLOCKS_PER_SEC * 9 / 10) ; return 0; }"
    with jail("c", source, cpu_seconds=1) as place:
        end = place.start().ended(60.0)
    assert end is not None
    assert (end.status, end.code) == (ExitStatus.EXITED, 0)


def test_how_a_bot_ended_is_told_even_when_process_1_is_late() -> None:
    """It has exited; process 1 is delayed, as on a busy machine. We wait for the reason."""
    with jail("c", "#include <stdio.h>\nint main(void) { getchar(); return 3; }") as place:
        process = place.start()
        first = parent_of(process.pid)
        os.kill(first, signal.SIGSTOP)
        held = threading.Timer(0.5, os.kill, (first, signal.SIGCONT))
        held.start()
        try:
            process.close_input()
            assert hear(process) == (b"", b"")
            end = process.ended(0.05)
        finally:
            held.join()
    assert end is not None
    assert (end.status, end.code) == (ExitStatus.EXITED, 3)


def test_a_bot_that_lives_on_is_not_waited_for() -> None:
    with jail("c", "#include <unistd.h>\nint main(void) { close(1); close(2); for (;;) pause(); }") as place:
        process = place.start()
        assert hear(process) == (b"", b"")
        assert process.ended(0.05) is None  # or it would wait for ever


# a process for every question


def test_a_question_gets_a_fresh_process_and_the_end_of_input() -> None:
    with jail("c", ECHO) as place:
        for word in (b"seven\n", b"eight\n"):
            answer = place.ask(word, seconds=60.0)
            assert (answer.output, answer.errors, answer.timed_out) == (b"got " + word, b"", False)
            assert answer.exit.status is ExitStatus.EXITED


def test_a_question_has_its_limits() -> None:
    with jail("c", SLEEPER) as place:
        started = time.perf_counter()
        answer = place.ask(b"", seconds=0.1)
        assert answer.timed_out
        assert time.perf_counter() - started >= 0.1
    with jail("c", '#include <stdio.h>\nint main(void) { for (;;) puts("flood"); }') as place:
        answer = place.ask(b"", seconds=60.0, output_bytes=1000)
        assert answer.exit.status is ExitStatus.OUTPUT
        assert len(answer.output) == 1000
    with jail("c", "#include <unistd.h>\nint main(void) { for (int i = 0; i < 9000; i++) write(2, \"debugging\", 9);"
              " write(1, \"dk\", 2); return 0; }") as place:  # fmt: skip
        answer = place.ask(b"", seconds=60.0, errors_bytes=100)
        assert (answer.exit.status, answer.output, len(answer.errors)) == (ExitStatus.EXITED, b"dk", 100)


def test_a_question_of_64_kilobytes_and_a_bot_that_does_not_read_it() -> None:
    with jail(
        "c", '#include <stdio.h>\nint main(void) { int n = 0; while (getchar() >= 0) n++; printf("%d", n); }'
    ) as place:
        assert place.ask(b"x" * 65_536, seconds=60.0).output == b"65536"
    with jail("c", "int main(void) { return 0; }") as place:
        assert place.ask(b"x" * 65_536, seconds=60.0).exit.status is ExitStatus.EXITED


def test_a_quick_succession_of_questions_never_fills_the_memory() -> None:
    """The kernel frees memory of dead processes late: nobody must be charged for it or fail to start because of it."""
    with pinned(), jail("c", ECHO, memory_bytes=4 * MEGABYTE) as place:  # on one core it is slowest
        for _ in range(3000):
            answer = place.ask(b"x\n", seconds=60.0)
            assert (answer.exit.status, answer.output) == (ExitStatus.EXITED, b"got x\n")


# the bot's user


@needs_root
def test_every_bot_has_a_host_user_of_its_own_and_is_never_root() -> None:
    with jail("c", SLEEPER) as one, jail("c", SLEEPER) as other:
        owners = {owner_of(place.start().pid) for place in (one, other)}
    assert len(owners) == 2
    assert all(slots.FIRST_USER <= owner < slots.FIRST_USER + slots.SLOTS for owner in owners)


def owner_of(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("Uid:")).split()[1])


def namespaces_of(pid: int, spaces: Sequence[str]) -> dict[str, str]:
    """Root in a container may not ask for those of other users' processes, but their user may."""
    owner = owner_of(pid)
    become = {"user": owner, "group": owner, "extra_groups": []} if os.geteuid() == 0 else {}
    links = [f"/proc/{pid}/ns/{space}" for space in spaces]
    said = subprocess.run(["readlink", *links], capture_output=True, text=True, check=True, **become).stdout.split()
    return dict(zip(spaces, said, strict=True))


@needs_namespaces
def test_the_bot_shares_no_namespace_with_us() -> None:
    spaces = ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup")
    with jail("c", SLEEPER) as place:
        pid = place.start().pid
        theirs = namespaces_of(pid, spaces)
    ours = {space: os.readlink(f"/proc/self/ns/{space}") for space in spaces}
    assert not set(theirs.items()) & set(ours.items())


@needs_namespaces
def test_a_bot_with_sockets_has_a_network_of_its_own() -> None:
    """Others may be together in one that is empty."""
    server = Server()
    with jail("c", SLEEPER) as one, jail("c", SLEEPER) as other, ExitStack() as stack:
        limits = Limits(memory_bytes=4 * MEGABYTE)
        clients = [Jail.open(artifact("c", SLEEPER), LANGUAGES["c"], limits, server) for _ in range(2)]
        for client in clients:
            stack.callback(client.close)
        nets = [namespaces_of(place.start().pid, ["net"])["net"] for place in (one, other, *clients)]
    assert len(set(nets[1:])) == 3
    assert not set(nets[2:]) & set(nets[:2])
    assert os.readlink("/proc/self/ns/net") not in nets


def test_the_bot_has_no_capability_and_cannot_get_one() -> None:
    with jail("c", SLEEPER) as place:
        lines = Path(f"/proc/{place.start().pid}/status").read_text().splitlines()
    status = dict(line.split(":\t", 1) for line in lines)
    sets = ["CapInh", "CapPrm", "CapEff", "CapAmb"]
    if LEVEL.name != "landlock" or os.geteuid() == 0:  # what cannot be given up is covered by no_new_privs
        sets.append("CapBnd")
    assert {status[name] for name in sets} == {"0" * 16}
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")


def test_ctrl_c_for_the_worker_does_not_reach_its_jails() -> None:
    with jail("c", SLEEPER) as place:
        ours = parent_of(place.start().pid)  # process 1, below bubblewrap if that built the walls
        if parent_of(ours) != os.getpid():
            ours = parent_of(ours)
        assert parent_of(ours) == os.getpid()
        assert os.getpgid(ours) != os.getpgid(0)
        assert os.getsid(ours) != os.getsid(0)


def test_signals_that_a_worker_ignores_are_not_ignored_by_the_bot() -> None:
    before = signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    try:
        end, _, _ = run("c", "#include <signal.h>\nint main(void) { raise(SIGUSR1); }", grace=60.0)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert (end.status, end.signal) == (ExitStatus.SIGNALLED, signal.SIGUSR1)


# leftovers


def test_two_hundred_jails_leave_nothing_behind() -> None:
    data = artifact("c", ECHO)
    with nothing_left():
        for _ in range(200):
            with Jail.open(data, LANGUAGES["c"], Limits(memory_bytes=4 * MEGABYTE)) as place:
                process = place.start()
                os.write(process.stdin, b"x\n")
                assert line_of(process) == b"got x\n"
                group = [folder / f"{place.slot.number}" for folder in groups()[:2]]
                assert all(path.is_dir() for path in group)
            assert not any(path.exists() for path in group)
    root = root_of(Parcel.of(data), (), walls.hostnames())
    assert sorted(path.name for path in root.iterdir()) == ["box", "etc", "init", "streams"]


def groups() -> list[Path]:
    try:
        return list(cgroups.layout().folders)
    except cgroups.Unavailable:
        return []


def test_a_jail_that_cannot_be_opened_leaves_nothing_behind() -> None:
    with nothing_left():
        for _ in range(5):
            with pytest.raises(MachineryError):
                Jail(Recipe(STATIC, ("/nothing-here",)), Limits())


def test_a_root_that_lost_a_part_is_made_again() -> None:
    data = artifact("c", ECHO + "// cleared away\n")
    with Jail.open(data, LANGUAGES["c"], Limits()):
        pass
    (root_of(Parcel.of(data), (), walls.hostnames()) / "init").unlink()
    with pytest.raises(MachineryError, match="could not be built"):
        Jail.open(data, LANGUAGES["c"], Limits())
    with Jail.open(data, LANGUAGES["c"], Limits()) as place:
        assert place.start().stop(60.0).code == 0


def test_a_jail_that_cannot_be_built_harms_no_other_one_of_the_same_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """All builds share theirs. When its folder was deleted, the other builds' mounts in it disappeared too, and
    compilers were ended in the middle of their work."""

    def broken(self: Jail) -> None:
        raise MachineryError("out of luck")

    write = Recipe(TOOLCHAIN, ("/bin/sh", "-c", "echo it is here > $HOME/note; cat $HOME/note"), ("/usr",))
    limits = Limits(memory_bytes=64 * MEGABYTE, processes=4, scratch_bytes=MEGABYTE, file_bytes=MEGABYTE)
    with Jail(write, limits) as place:
        monkeypatch.setattr(Jail, "_send_setup", broken)
        with pytest.raises(MachineryError, match="out of luck"):
            Jail(write, limits)
        assert hear(place.start())[0] == b"it is here\n"


@pytest.mark.parametrize("compiler", compiled.COMPILERS)
def test_process_1_may_be_built_by_either_compiler(compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    monkeypatch.setattr(compiled, "COMPILERS", (compiler,))
    compiled.native.cache_clear()
    try:
        assert compiled.native().compiler == compiler
        play_hello()
        with jail("c", ECHO) as place:
            assert place.ask(b"x\n", seconds=60.0).output == b"got x\n"
        end, _, _ = run("c", '#include <stdio.h>\nint main(void) { return !fopen("/etc/passwd", "r"); }', grace=60.0)
        assert (end.status, end.path) == (ExitStatus.VIOLATION, "/etc/passwd")
    finally:
        monkeypatch.undo()
        compiled.native.cache_clear()


WORKER = """
    import sys, time
    from submissions.languages import LANGUAGES
    from submissions.sandbox import Jail, Limits, cgroups
    place = Jail.open(sys.stdin.buffer.read(), LANGUAGES["c"], Limits(processes=8))
    process = place.start()
    try:
        groups = [folder / f"{place.slot.number}" for folder in cgroups.layout().folders]
    except cgroups.Unavailable:
        groups = []
    print(process.pid, *groups, flush=True)
    time.sleep(60)
"""
SWEEPER = "from submissions.sandbox import cgroups; print(cgroups.sweep(), *cgroups.layout().folders)"


def worker(script: str, state: Path) -> subprocess.Popen[bytes]:
    """Another worker, with a state folder that only this test knows, so nobody else sweeps it."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "KIBITZ_SANDBOX_DIR": str(state)},
    )  # fmt: skip


@pytest.fixture
def state():
    folder = Path(f"/tmp/kibitz-test-jail-{os.getpid()}")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def test_a_worker_that_is_killed_takes_its_jails_along(state: Path) -> None:
    forks = "fork();" if LEVEL.name != "landlock" else ""  # which ends a bot there
    source = (
        f"#include <unistd.h>\nint main(void) {{ {forks} setsid(); close(0); close(1); close(2); for (;;) pause(); }}"
    )
    victim = worker(WORKER, state)
    assert victim.stdin
    assert victim.stdout
    victim.stdin.write(artifact("c", source))
    victim.stdin.close()
    bot, *left = victim.stdout.readline().split()
    inside = parent_of(int(bot))
    pids = [int(bot), inside, parent_of(inside)]  # the bot, process 1, bubblewrap or the worker itself
    assert all(alive(pid) for pid in pids)
    victim.kill()
    victim.wait()
    victim.stdout.close()
    wait_for(lambda: not any(alive(pid) for pid in pids))
    if left:
        assert all(os.path.exists(path) for path in left), "its control groups cannot have gone by themselves"
        said, _ = worker(SWEEPER, state).communicate()
        swept, *folders = said.split()
        assert int(swept) == len(left)
        assert not any(os.path.exists(path) for path in left)
        for group in (it for folder in folders for it, *_ in os.walk(folder, topdown=False)):
            os.rmdir(group)


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/status").read_text().split("PPid:\t")[1].split()[0])


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # it may exit while we look
        return False


def test_sweeping_spares_jails_in_use() -> None:
    with jail("c", ECHO) as place:
        process = place.start()
        cgroups.sweep()
        os.write(process.stdin, b"still here\n")
        assert line_of(process) == b"got still here\n"


def test_workers_side_by_side_do_not_collide() -> None:
    data = artifact("c", ECHO)
    script = """
        import os, select, sys
        from submissions.languages import LANGUAGES
        from submissions.sandbox import Jail, Limits
        data = sys.stdin.buffer.read()
        for round in range(20):
            jails = [Jail.open(data, LANGUAGES["c"], Limits(memory_bytes=4 << 20)) for _ in range(4)]
            for place in jails:
                process = place.start()
                os.write(process.stdin, b"x\\n")
                assert select.select([process.stdout], [], [], 10)[0] and os.read(process.stdout, 99) == b"got x\\n"
            for place in jails:
                place.close()
        print("ok")
    """
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        )
        for _ in range(3)
    ]  # fmt: skip
    for worker in workers:
        assert worker.stdin
        worker.stdin.write(data)
        worker.stdin.close()
    for worker in workers:
        assert worker.stdout
        assert worker.stdout.read() == b"ok\n"
        assert worker.wait() == 0
        worker.stdout.close()


def test_process_1_dying_is_our_failure_not_the_bots() -> None:
    with jail("c", SLEEPER) as place:
        process = place.start()
        os.kill(parent_of(process.pid), signal.SIGKILL)
        with pytest.raises(MachineryError):
            process.ended(60.0)
        with pytest.raises(MachineryError):
            process.stop(0)
    play_hello()


@contextmanager
def beside_three() -> Iterator[None]:
    """Others want the same core, each in its own session."""
    busy = [sys.executable, "-I", "-S", "-c", "print(flush=True)\nwhile True: pass"]
    with ExitStack() as rivals:
        for _ in range(3):
            rival = rivals.enter_context(subprocess.Popen(busy, start_new_session=True, stdout=subprocess.PIPE))
            rivals.callback(rival.kill)
            assert rival.stdout
            assert rival.stdout.readline()
        yield


def test_time_that_others_took_of_the_core_is_given_back_for_a_question() -> None:
    """0.3 s of work take four times as long; on a busy machine up to 8 s, for which it would need 26 of them."""
    work = (
        "#include <stdio.h>\n#include <time.h>\n"
        "int main(void) { while (clock() < 3 * CLOCKS_PER_SEC / 10) { } return puts(\"23\") < 0; }"
    )  # fmt: skip
    with pinned(), jail("c", work) as place, beside_three():
        started = time.perf_counter()
        answer = place.ask(b"", seconds=0.8)
        took = time.perf_counter() - started
    assert (answer.output, answer.timed_out) == (b"23\n", False), answer
    assert took > 0.8, "else nothing was tested"


def test_a_bot_does_not_pay_for_process_1_that_waits_for_a_core() -> None:
    """It judges the bot's calls, and here it gives way to others. The bot works for a moment or sleeps."""
    source = (
        '#include <stdio.h>\n#include <unistd.h>\nint main(void) { int ends[2], time = 0; scanf("%d", &time);'
        ' for (int i = 0; i < 4; i++) pipe(ends); usleep(1000000 * time); return puts("23") < 0; }'
    )
    with pinned(), jail("c", source) as place, beside_three():
        os.setpriority(os.PRIO_PROCESS, place._first_pid, 19)
        with suppress(OSError):  # not in every kernel
            Path(f"/proc/{place._first_pid}/autogroup").write_text("19")
        assert [place.ask(b"0", seconds=0.1).output for _ in range(4)] == [b"23\n"] * 4
        assert place.ask(b"9", seconds=0.1).timed_out


@pytest.mark.parametrize("code", ["for (;;) { }", "for (;;) pause();"])
def test_who_does_not_answer_is_killed_on_a_busy_machine_too(code: str) -> None:
    """A busy bot gets as much of the core as its limit allows; a sleeping one gets no time back."""
    busy = [sys.executable, "-I", "-S", "-c", "while True: pass"]
    source = f"#include <unistd.h>\nint main(void) {{ {code} }}"
    with pinned(), jail("c", source) as place, undelayed(place):
        rival = subprocess.Popen(busy)
        started = time.perf_counter()
        try:
            answer = place.ask(b"", seconds=0.3)
        finally:
            took = time.perf_counter() - started  # from the question on: its own clock starts with its process
            rival.kill()
            rival.wait()
    assert answer.timed_out
    assert took >= 0.3
    # How long the busy one takes for its 0.3 s depends on who else wants the core, up to the last deadline.
    assert answer.exit.wall_seconds < 0.3 * deadline.PATIENCE + 0.2
    assert answer.exit.cpu_seconds < 0.4
