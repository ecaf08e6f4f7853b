"""Talking to processes with every bad habit. All of them are real."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from time import perf_counter

import pytest

from games.deadline import PROMPT, Deadline
from games.debug import DebugLog
from games.engine import Fault, FaultKind
from games.pipes import FLOOD, ROOM, LinePipes
from games.programs import LocalProgram

SOON = 10  # seconds: what must not be waited for lasts 20 or more, and a machine may stall
PRELUDE = """
import os, sys, time, signal
def read():
    line = b""
    while not line.endswith(b"\\n"):
        byte = os.read(0, 1)
        if not byte: sys.exit(0)
        line += byte
    return line
def write(data):
    while data: data = data[os.write(1, data):]
"""


class Pipes(LinePipes):
    """Pipes with a debug log."""

    def __init__(self, code: str) -> None:
        self.log = DebugLog()
        self.process = LocalProgram([sys.executable, "-I", "-S", "-c", PRELUDE + code]).start()
        super().__init__(self.process, self.log)

    def put(self, question: bytes, seconds: float, place: int) -> bytes:
        """`ask`, starting now."""
        return self.ask(question, perf_counter(), seconds, place)

    def said(self) -> str:
        return "".join(piece.text for piece in self.log.pieces())


@pytest.fixture
def start() -> Iterator[Callable[[str], Pipes]]:
    started: list[Pipes] = []

    def make(code: str) -> Pipes:
        started.append(Pipes(code))
        return started[-1]

    yield make
    for pipes in started:
        pipes.close(99, 0.0)


def refused(pipes: Pipes, kind: FaultKind, detail: str, seconds: float = 5.0, question: bytes = b"?\n") -> Fault:
    with pytest.raises(Fault, match=detail) as caught:
        pipes.put(question, seconds, 1)
    assert caught.value.kind is kind
    return caught.value


def test_question_and_answer(start: Callable[[str], Pipes]) -> None:
    pipes = start("while True: write(read().upper())")
    for question in (b"one\n", b"two\n", b"three\n"):
        assert pipes.put(question, 5, 0) == question.strip().upper()


def test_several_lines_are_one_question(start: Callable[[str], Pipes]) -> None:
    pipes = start("read(); read(); write(read())")
    assert pipes.put(b"a\nb\nc\n", 5, 0) == b"c"


# Line k answers question k, whenever it arrives


def test_lines_written_ahead_wait_for_their_question(start: Callable[[str], Pipes]) -> None:
    pipes = start("write(b'1\\n2\\n3\\n')\nwhile True: read(); write(b'later\\n')")
    assert [pipes.put(b"?\n", 5, 0) for _ in range(6)] == [b"1", b"2", b"3", b"later", b"later", b"later"]


def test_lines_written_ahead_count_after_the_end(start: Callable[[str], Pipes]) -> None:
    pipes = start("write(b'1\\n2\\n')")
    assert pipes.process.ended(5) is not None
    assert pipes.put(b"?\n", 5, 0) == b"1"
    assert pipes.put(b"?\n", 5, 0) == b"2"
    refused(pipes, FaultKind.CRASH, "exited with status 0 without an answer")
    refused(pipes, FaultKind.CRASH, "exited with status 0 without an answer")


def test_answers_of_one_that_never_reads_count(start: Callable[[str], Pipes]) -> None:
    """More questions than fit into the pipe, for a process that does not read them."""
    pipes = start("for number in range(400): write(b'%d\\n' % number)\ntime.sleep(30)")
    question = b"x" * 1000 + b"\n"
    assert [pipes.put(question, 5, 0) for _ in range(400)] == [b"%d" % number for number in range(400)]
    refused(pipes, FaultKind.TIMEOUT, "did not answer in time, and did not read its input", 0.1)


def test_one_that_closed_its_input_may_still_answer(start: Callable[[str], Pipes]) -> None:
    pipes = start("os.close(0)\nfor _ in range(3): time.sleep(0.05); write(b'yes\\n')\ntime.sleep(30)")
    assert [pipes.put(b"?\n", 5, 0) for _ in range(3)] == [b"yes"] * 3
    refused(pipes, FaultKind.TIMEOUT, "did not answer in time", 0.1)


def test_a_late_line_is_dropped(start: Callable[[str], Pipes]) -> None:
    pipes = start("read(); read(); write(b'late\\n'); time.sleep(0.1); write(b'second\\n')\nwhile True: write(read())")
    refused(pipes, FaultKind.TIMEOUT, "did not answer in time", 0.1)
    assert pipes.put(b"?\n", 5, 0) == b"second"
    assert pipes.put(b"third\n", 5, 0) == b"third"


def test_two_late_lines_are_dropped(start: Callable[[str], Pipes]) -> None:
    pipes = start("read(); read(); read(); write(b'late\\nlater\\nthird\\n')\nwhile True: write(read())")
    refused(pipes, FaultKind.TIMEOUT, "did not answer in time", 0.1)
    refused(pipes, FaultKind.TIMEOUT, "did not answer in time", 0.1)
    assert pipes.put(b"?\n", 5, 0) == b"third"
    assert pipes.put(b"fourth\n", 5, 0) == b"fourth"


# Time


@pytest.mark.parametrize(
    ("code", "detail"),
    [
        ("read(); time.sleep(30)", "did not answer in time"),
        ("read(); os.kill(os.getpid(), signal.SIGSTOP)", "did not answer in time"),
        ("read(); write(b'd9'); time.sleep(30)", "did not end its line in time"),
        ("read()\nwhile True: write(b'x'); time.sleep(0.05)", "did not end its line in time"),
    ],
)
def test_the_deadline_holds(start: Callable[[str], Pipes], code: str, detail: str) -> None:
    pipes = start(code)
    started = time.monotonic()
    refused(pipes, FaultKind.TIMEOUT, detail, 0.3)
    assert 0.3 <= time.monotonic() - started < SOON
    started = time.monotonic()
    pipes.close(2, 0.0)
    assert time.monotonic() - started < SOON


def test_a_deadline_that_is_shorter_than_most_answers_holds_too(start: Callable[[str], Pipes]) -> None:
    pipes = start("read(); write(b'a\\n'); read(); time.sleep(0.015); write(b'b\\n')")
    assert pipes.put(b"?\n", 5.0, 1) == b"a"
    refused(pipes, FaultKind.TIMEOUT, "did not answer in time", 0.003)


@pytest.mark.parametrize("work", ["pass", "os.write(2, b'y' * 65536)", "write(b'x'); time.sleep(0.001)"])
def test_the_deadline_holds_for_the_busy(start: Callable[[str], Pipes], work: str) -> None:
    """Time used by other programs on this machine is given back, but no more."""
    pipes = start(f"write(read())\nread()\nwhile True: {work}")
    pipes.put(b"?\n", 5, 0)
    before = pipes.process.cpu_seconds()
    started = time.monotonic()
    refused(pipes, FaultKind.TIMEOUT, "in time", 0.3)
    assert 0.3 <= time.monotonic() - started < SOON
    used = pipes.process.cpu_seconds()
    assert before is not None
    assert used is not None
    assert used - before < 0.4


BUSY = "while True: pass"
WORK = "until = time.process_time() + {seconds}\nwhile time.process_time() < until: pass\nwrite(b'done\\n')\nread()"


@pytest.fixture
def crowded(start: Callable[[str], Pipes]) -> Callable[[str], Pipes]:
    """Starts a bot on a core on which three opponents compute all the time."""
    core = {max(os.sched_getaffinity(0))}

    def make(code: str) -> Pipes:
        opponents = [start(f"write(read())\n{BUSY}") for _ in range(3)]
        pipes = start(f"write(read())\nread()\n{code}")
        for each in (*opponents, pipes):
            each.put(b"ready\n", 20, 0)
            os.sched_setaffinity(each.process._popen.pid, core)
        return pipes

    return make


def test_opponents_cannot_use_up_the_clock_of_a_bot(crowded: Callable[[str], Pipes]) -> None:
    """It needs 60 % of its limit, and gets a quarter of a core."""
    pipes = crowded(WORK.format(seconds=0.3))
    started = time.monotonic()
    assert pipes.put(b"?\n", 0.5, 0) == b"done"
    assert time.monotonic() - started > 0.5, "nobody was in its way: this has shown nothing"


def test_one_that_computes_too_long_is_late_among_busy_opponents(crowded: Callable[[str], Pipes]) -> None:
    refused(crowded(WORK.format(seconds=1.0)), FaultKind.TIMEOUT, "did not answer in time", 0.3)


def test_threads_in_each_others_way_get_nothing_back(start: Callable[[str], Pipes]) -> None:
    """These compute without Python's lock, so all of them are always waiting for the core."""
    pipes = start(
        "import hashlib, threading\n"
        "write(read()); read()\n"
        "work = lambda: hashlib.pbkdf2_hmac('sha256', b'', b'', 10**9)\n"
        "for _ in range(8): threading.Thread(target=work).start()"
    )
    pipes.put(b"ready\n", 20, 0)
    os.sched_setaffinity(pipes.process._popen.pid, {max(os.sched_getaffinity(0))})
    before = pipes.process.cpu_seconds()
    refused(pipes, FaultKind.TIMEOUT, "did not answer in time", 0.4)
    used = pipes.process.cpu_seconds()
    assert before is not None
    assert used is not None
    assert used - before < 0.5


@pytest.mark.parametrize(
    "code", ["time.sleep(30)", "read()", "os.kill(os.getpid(), signal.SIGSTOP)", "while True: time.sleep(0.02)"]
)
def test_one_that_waits_gets_nothing_back(crowded: Callable[[str], Pipes], code: str) -> None:
    pipes = crowded(code)
    started = time.monotonic()
    refused(pipes, FaultKind.TIMEOUT, "did not answer in time", 0.4)
    assert 0.4 <= time.monotonic() - started < 2, "it would be 4 seconds with all that can be given back"


def test_patience_has_an_end() -> None:
    """A process that is always waiting for a core. This test needs only the contract of the scheduler's counters."""

    class Starved:
        def cpu_seconds(self) -> float:
            return 0.0

        def waiting_seconds(self) -> float:
            return 2 * perf_counter()

    started = perf_counter()
    deadline = Deadline(Starved(), started, 0.2)  # longer than we ourselves wait for a core
    while (left := deadline.left()) > 0:
        time.sleep(left)
    assert 2.0 <= perf_counter() - started < SOON


def test_a_bot_does_not_pay_for_a_referee_that_waited_for_a_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer may have been there all the time. From our first look on, its own clocks tell."""

    class Idle:
        def cpu_seconds(self) -> float:
            return 0.0

        def waiting_seconds(self) -> float:
            return 0.0

    now = 100.0
    monkeypatch.setattr("games.deadline.perf_counter", lambda: now)
    answered, thinking = Deadline(Idle(), now, 2.0), Deadline(Idle(), now, 2.0)
    assert thinking.left() == pytest.approx(PROMPT)
    now += 0.1
    assert answered.spent() == pytest.approx(PROMPT)
    assert thinking.left() == pytest.approx(2.0 - PROMPT)
    now += 0.5
    assert thinking.left() == pytest.approx(1.5 - PROMPT)
    assert thinking.spent() == pytest.approx(0.5 + PROMPT)


def test_an_unfinished_line_is_shown_as_the_answer(start: Callable[[str], Pipes]) -> None:
    pipes = start("read(); write(b'd9'); time.sleep(30)")
    assert refused(pipes, FaultKind.TIMEOUT, "did not end its line", 0.3).answer == b"d9"


def test_an_answer_byte_by_byte_is_an_answer(start: Callable[[str], Pipes]) -> None:
    pipes = start("read()\nfor byte in b'd9\\n': write(bytes([byte])); time.sleep(0.05)\nread()")
    assert pipes.put(b"?\n", 5, 0) == b"d9"


def test_a_large_question_does_not_block(start: Callable[[str], Pipes]) -> None:
    pipes = start("time.sleep(30)")
    started = time.monotonic()
    refused(pipes, FaultKind.TIMEOUT, "did not read its input", 0.2, b"x" * (1 << 20) + b"\n")
    assert time.monotonic() - started < SOON


def test_a_large_question_reaches_a_slow_reader_whole(start: Callable[[str], Pipes]) -> None:
    pipes = start(
        "count = 0\n"
        "while True:\n"
        "    data = os.read(0, 65536)\n"
        "    count += len(data)\n"
        "    time.sleep(0.005)\n"
        "    if data.endswith(b'\\n'): write(b'%d\\n' % count); count = 0\n"
    )
    assert pipes.put(b"x" * (1 << 20) + b"\n", 5, 0) == b"%d" % ((1 << 20) + 1)
    assert pipes.put(b"short\n", 5, 0) == b"6"


# Ends


@pytest.mark.parametrize(
    ("code", "detail", "answer"),
    [
        ("read()", "exited with status 0 without an answer", None),
        ("read(); sys.exit(7)", "exited with status 7 without an answer", None),
        ("read(); os.kill(os.getpid(), 11)", "was ended by signal 11", None),
        ("read(); write(b'd9')", "exited with status 0 in the middle of a line", b"d9"),
        ("read(); os.close(1); time.sleep(30)", "closed its output", None),
        ("read(); write(b'd'); os.close(1); time.sleep(30)", "closed its output in the middle of a line", b"d"),
    ],
)
def test_the_end_is_noticed_at_once(
    start: Callable[[str], Pipes], code: str, detail: str, answer: bytes | None
) -> None:
    pipes = start(code)
    started = time.monotonic()
    caught = refused(pipes, FaultKind.CRASH, f"^crash: {detail}$", 20)
    assert caught.answer == answer
    assert time.monotonic() - started < SOON


def test_what_was_written_completely_counts(start: Callable[[str], Pipes]) -> None:
    pipes = start("read(); write(b'd9\\n'); os._exit(3)")
    assert pipes.put(b"?\n", 5, 0) == b"d9"
    refused(pipes, FaultKind.CRASH, "exited with status 3 without an answer")


def test_a_child_that_holds_the_output_open_does_not_hide_the_end(start: Callable[[str], Pipes]) -> None:
    pipes = start("read()\nif os.fork() == 0: time.sleep(30)\nos._exit(4)")
    refused(pipes, FaultKind.CRASH, "exited with status 4", 0.3)


def test_the_last_words_of_a_crash_are_kept(start: Callable[[str], Pipes]) -> None:
    pipes = start("read(); raise RuntimeError('a bug of mine')")
    refused(pipes, FaultKind.CRASH, "exited with status 1")
    assert "RuntimeError: a bug of mine" in pipes.said()


# Floods


@pytest.mark.parametrize(
    "code",
    [
        "read()\nwhile True: write(b'x' * 65536)",
        "read(); write(b'x' * (10 << 20) + b'\\n')",
        "read(); write(b'\\0' * (1 << 20) + b'\\n')",
        f"read(); write(b'x' * ({FLOOD} + 1) + b'\\n')",
    ],
)
def test_too_much_that_is_no_answer_is_a_flood(start: Callable[[str], Pipes], code: str) -> None:
    pipes = start(code)
    caught = refused(pipes, FaultKind.OUTPUT, "wrote more than 65536 bytes that are not an answer")
    assert caught.answer
    assert len(caught.answer) <= 1000
    refused(pipes, FaultKind.OUTPUT, "wrote more than")


def test_a_long_line_within_the_limit_is_an_answer(start: Callable[[str], Pipes]) -> None:
    pipes = start(f"read(); write(b'x' * {FLOOD} + b'\\n'); read()")
    assert pipes.put(b"?\n", 5, 0) == b"x" * FLOOD


def test_nul_bytes_are_passed_on(start: Callable[[str], Pipes]) -> None:
    assert start("read(); write(b'\\0d9\\0\\n')").put(b"?\n", 5, 0) == b"\0d9\0"


def test_endless_lines_ahead_do_not_grow(start: Callable[[str], Pipes]) -> None:
    pipes = start("while True: write(b'd9\\n' * 1000)")
    for _ in range(50_000):
        assert pipes.put(b"?\n", 5, 0) == b"d9"
        assert len(pipes._unread) <= 2 * FLOOD


# Standard error


def test_standard_error_never_blocks_the_answer(start: Callable[[str], Pipes]) -> None:
    pipes = start("while True: os.write(2, b'z' * 500000 + b'end'); write(read())")
    for number in range(5):
        assert pipes.put(b"?\n", 5, number) == b"?"
    assert pipes.log.dropped > 2_000_000


def test_standard_error_keeps_its_place(start: Callable[[str], Pipes]) -> None:
    pipes = start("while True: line = read(); os.write(2, line); write(line)")
    for place in (4, 9, 15):
        pipes.put(b"%d\n" % place, 5, place)
    assert [(piece.index, piece.text) for piece in pipes.log.pieces()] == [(4, "4\n"), (9, "9\n"), (15, "15\n")]


def test_the_last_words_are_kept(start: Callable[[str], Pipes]) -> None:
    pipes = start("write(read()); sys.stdin.buffer.read(); os.write(2, b'w' * 200000 + b'goodbye')")
    pipes.put(b"?\n", 5, 0)
    pipes.finish(b"endround\n")
    pipes.close(7, 1.0)
    assert pipes.log.pieces()[-1].index == 7
    assert pipes.said().endswith("goodbye")


def test_standard_error_does_not_block_one_that_is_not_asked(start: Callable[[str], Pipes]) -> None:
    """More than a pipe usually holds."""
    pipes = start(f"write(read()); os.write(2, b'w' * {ROOM - 10} + b'goodbye')")
    pipes.put(b"?\n", 5, 0)
    assert pipes.process.ended(5) is not None
    pipes.listen(3)
    assert pipes.said().endswith("goodbye")


def test_standard_error_is_read_between_hands(start: Callable[[str], Pipes]) -> None:
    pipes = start(f"write(read()); os.write(2, b'hello'); os.write(2, b'w' * {3 * ROOM} + b'goodbye')")
    pipes.put(b"?\n", 5, 0)
    deadline = time.monotonic() + 30
    while pipes.process.ended(0.01) is None and time.monotonic() < deadline:
        pipes.listen(3)
    pipes.listen(4)
    assert pipes.process.ended(0) is not None
    assert pipes.said().startswith("hello")
    assert pipes.said().endswith("goodbye")
    assert {piece.index for piece in pipes.log.pieces()} <= {0, 3, 4}
    refused(pipes, FaultKind.CRASH, "exited with status 0 without an answer")


def test_closing_standard_error_is_no_fault(start: Callable[[str], Pipes]) -> None:
    pipes = start("os.close(2)\nwhile True: time.sleep(0.01); write(read())")
    assert [pipes.put(b"?\n", 5, 0) for _ in range(3)] == [b"?"] * 3


# Ending it


def test_one_that_stays_is_killed_after_its_grace(start: Callable[[str], Pipes]) -> None:
    pipes = start("write(read()); time.sleep(30)")
    pipes.put(b"?\n", 5, 0)
    pipes.finish(b"")
    started = time.monotonic()
    pipes.close(1, 0.3)
    assert 0.3 <= time.monotonic() - started < SOON


def test_one_that_goes_is_not_waited_for(start: Callable[[str], Pipes]) -> None:
    pipes = start("while True: write(read())")
    pipes.put(b"?\n", 5, 0)
    pipes.finish(b"endround\n")
    started = time.monotonic()
    pipes.close(1, 30.0)
    assert time.monotonic() - started < SOON


def test_finishing_with_a_full_pipe_does_not_block(start: Callable[[str], Pipes]) -> None:
    pipes = start("write(b'1\\n'); time.sleep(30)")
    pipes.put(b"x" * (1 << 20), 5, 0)
    started = time.monotonic()
    pipes.finish(b"y" * (1 << 20))
    pipes.close(1, 0.1)
    assert time.monotonic() - started < SOON, "it sleeps longer than that"


def test_the_first_reason_stays(start: Callable[[str], Pipes]) -> None:
    """A flood stays a flood, even if the process has ended since."""
    pipes = start(f"read(); write(b'x' * ({FLOOD} + 1) + b'\\n')")
    refused(pipes, FaultKind.OUTPUT, "wrote more than")
    assert pipes.process.ended(5) is not None
    for _ in range(3):
        refused(pipes, FaultKind.OUTPUT, "wrote more than")
