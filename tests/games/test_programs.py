"""Plain processes of the command line, started and ended for real. Real clocks: tests/clocks/test_programs.py."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from games.engine import FaultKind
from games.programs import Answer, Exit, ExitStatus, LocalProcess, LocalProgram, pinned, signal_of
from tests.waiting import state_of, wait_for


def python(code: str) -> LocalProcess:
    return LocalProgram([sys.executable, "-I", "-S", "-c", code]).start()


def read_all(fd: int) -> bytes:
    os.set_blocking(fd, True)
    data = b""
    while chunk := os.read(fd, 65536):
        data += chunk
    return data


def test_a_process_reads_writes_and_ends() -> None:
    process = python("import sys; sys.stdout.write(sys.stdin.read().upper()); sys.stderr.write('bye')")
    os.write(process.stdin, b"hello")
    process.close_input()
    process.close_input()
    assert read_all(process.stdout) == b"HELLO"
    assert read_all(process.stderr) == b"bye"
    end = process.stop()
    assert (end.status, end.code) == (ExitStatus.EXITED, 0)
    assert process.stop() == end, "stopping twice does no harm"


def test_the_folder_and_the_environment_can_be_given(tmp_path: Path) -> None:
    code = "import os; print(os.getcwd(), os.environ.get('BOT'))"
    program = LocalProgram([sys.executable, "-I", "-S", "-c", code], tmp_path, {"BOT": "yes"})
    process = program.start()
    assert read_all(process.stdout).split() == [str(tmp_path).encode(), b"yes"]
    process.stop()


@pytest.mark.parametrize(
    ("code", "signal"), [(0, 0), (3, 0), (-11, 11), (0xC000_0005, 11), (0xC000_0409, 6), (0xFFFF_FFFF, 0)]
)
def test_windows_has_codes_where_other_systems_have_signals(code: int, signal: int) -> None:
    assert signal_of(code) == signal


@pytest.mark.parametrize(
    ("code", "status", "number", "detail"),
    [
        ("raise SystemExit(3)", ExitStatus.EXITED, 3, "exited with status 3 without an answer"),
        ("import os; os.kill(os.getpid(), 11)", ExitStatus.SIGNALLED, 11, "was ended by signal 11"),
        ("import os; os.abort()", ExitStatus.SIGNALLED, 6, "was ended by signal 6"),
    ],
)
def test_how_it_ended_is_told(code: str, status: ExitStatus, number: int, detail: str) -> None:
    process = python(code)
    end = process.ended(60)
    assert end is not None
    assert end.status is status
    assert number in (end.code, end.signal)
    assert end.fault().kind is FaultKind.CRASH
    assert end.fault().detail == detail
    assert end.wall_seconds > 0
    assert end.peak_bytes > 0
    process.stop()


def test_a_stopped_process_is_killed_too() -> None:
    process = python("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)")
    wait_for(lambda: state_of(process._popen.pid) == "T")
    assert process.stop(0.1).status is ExitStatus.KILLED


def test_what_it_started_goes_with_it() -> None:
    process = python(
        "import os, time\n"
        "child = os.fork()\n"
        "if not child: time.sleep(300)\n"
        "print(child, flush=True)\n"
    )  # fmt: skip
    os.set_blocking(process.stdout, True)
    child = int(os.read(process.stdout, 100))
    process.stop(60)
    wait_for(lambda: state_of(child) == "Z", lambda: "a grandchild is left")


def test_the_processor_clock_counts_what_a_process_used() -> None:
    process = python(
        "import time\nwhile time.process_time() < 0.05: pass\nprint(flush=True)\nimport sys; sys.stdin.read()"
    )
    os.set_blocking(process.stdout, True)
    os.read(process.stdout, 10)
    used = process.cpu_seconds()
    assert used is not None
    assert used >= 0.05
    assert process.stop(60).cpu_seconds >= used
    assert process.cpu_seconds() is None


@pytest.mark.parametrize(
    ("end", "kind", "detail"),
    [
        (Exit(ExitStatus.MEMORY), FaultKind.MEMORY, "went over its memory limit"),
        (Exit(ExitStatus.OUTPUT), FaultKind.OUTPUT, "flooded its output"),
        (Exit(ExitStatus.VIOLATION, call="openat", path="/box/x"), FaultKind.VIOLATION, "openat /box/x"),
        (Exit(ExitStatus.VIOLATION, call="socket"), FaultKind.VIOLATION, "socket"),
        (Exit(ExitStatus.CPU), FaultKind.TIMEOUT, "used up its processor time"),
        (Exit(ExitStatus.KILLED), FaultKind.CRASH, "closed its output"),
    ],
)
def test_every_end_is_one_fault(end: Exit, kind: FaultKind, detail: str) -> None:
    assert (end.fault().kind, end.fault().detail) == (kind, detail)


def test_pinning_is_undone() -> None:
    before = os.sched_getaffinity(0)
    with pinned():
        assert len(os.sched_getaffinity(0)) == 1
        child = python("import os; print(len(os.sched_getaffinity(0)))")
        assert read_all(child.stdout).strip() == b"1"
        child.stop()
    assert os.sched_getaffinity(0) == before
    core = max(before)
    with pinned(core):
        assert os.sched_getaffinity(0) == {core}
    assert os.sched_getaffinity(0) == before


# One question to a new process


def ask(code: str, question: bytes = b"2\n9 2 0\n", **limits: Any) -> Answer:
    return LocalProgram([sys.executable, "-I", "-S", "-c", code]).ask(question, **{"seconds": 60, **limits})


def test_a_question_reaches_a_fresh_process_whole_and_all_it_says_is_the_answer() -> None:
    code = "import sys; print(sys.stdin.read().split(), end=''); sys.stderr.write('bye'); sys.exit(3)"
    answer = ask(code)
    assert (answer.output, answer.errors, answer.timed_out) == (b"['2', '9', '2', '0']", b"bye", False)
    assert (answer.exit.status, answer.exit.code) == (ExitStatus.EXITED, 3)
    assert answer.exit.cpu_seconds > 0
    large = b"7 " * 30_000
    assert ask("import sys; print(len(sys.stdin.read()))", large).output == b"60000\n"
    assert ask("print(23)", large).output == b"23\n", "it need not read"


def test_too_much_output_is_a_flood_and_too_much_on_standard_error_is_dropped() -> None:
    answer = ask("import os\nwhile True: os.write(1, b'x' * 4096)")
    assert (answer.exit.status, len(answer.output), answer.timed_out) == (ExitStatus.OUTPUT, 64 * 1024, False)
    assert ask("print('x' * 99)", output_bytes=99).exit.status is ExitStatus.OUTPUT
    assert ask("print('x' * 98)", output_bytes=99).exit.status is ExitStatus.EXITED
    answer = ask("import os\nfor _ in range(99): os.write(2, b'y' * 4096)\nprint(23)", errors_bytes=1000)
    assert (answer.output, answer.errors) == (b"23\n", b"y" * 1000)


def test_what_it_leaves_behind_holds_nobody_up_and_goes() -> None:
    code = "import os, time\nchild = os.fork()\nif child: print(child)\nelse: time.sleep(300)"
    answer = ask(code)
    assert not answer.timed_out
    wait_for(lambda: state_of(int(answer.output)) == "Z")
