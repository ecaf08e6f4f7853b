"""Talking to processes with every bad habit. Real clocks: tests/clocks/test_pipes.py."""

import signal
from collections.abc import Callable, Iterator

import pytest

from games.deadline import PATIENCE, PROMPT, STEP, TABLE, Deadline
from games.engine import FaultKind, MachineryError
from games.pipes import FLOOD, ROOM
from games.programs import ExitStatus
from tests.games.talking import LONG, Pipes, processes, refused
from tests.waiting import late_when, state_of, wait_for

pytestmark = pytest.mark.promise

SHORT = 0.1
"""Seconds, for those who never answer."""


@pytest.fixture
def start() -> Iterator[Callable[[str], Pipes]]:
    with processes() as make:
        yield make


@pytest.fixture(autouse=True)
def reasons_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the machine takes to end a process whose output has ended."""
    monkeypatch.setattr("games.pipes.GRACE", LONG)


def test_question_and_answer(start: Callable[[str], Pipes]) -> None:
    pipes = start("while True: write(read().upper())")
    for question in (b"one\n", b"two\n", b"three\n"):
        assert pipes.put(question) == question.strip().upper()


def test_several_lines_are_one_question(start: Callable[[str], Pipes]) -> None:
    pipes = start("read(); read(); write(read())")
    assert pipes.put(b"a\nb\nc\n") == b"c"


# Line k answers question k, whenever it arrives


def test_lines_written_ahead_wait_for_their_question(start: Callable[[str], Pipes]) -> None:
    pipes = start("write(b'1\\n2\\n3\\n')\nwhile True: read(); write(b'later\\n')")
    assert [pipes.put() for _ in range(6)] == [b"1", b"2", b"3", b"later", b"later", b"later"]


def test_lines_written_ahead_count_after_the_end(start: Callable[[str], Pipes]) -> None:
    pipes = start("write(b'1\\n2\\n')")
    assert pipes.process.ended(LONG) is not None
    assert pipes.put() == b"1"
    assert pipes.put() == b"2"
    refused(pipes, FaultKind.CRASH, "exited with status 0 without an answer")
    refused(pipes, FaultKind.CRASH, "exited with status 0 without an answer")


def test_answers_of_one_that_never_reads_count(start: Callable[[str], Pipes]) -> None:
    """More questions than fit into the pipe, for a process that does not read them."""
    pipes = start("for number in range(400): write(b'%d\\n' % number)\ntime.sleep(300)")
    question = b"x" * 1000 + b"\n"
    assert [pipes.put(question) for _ in range(400)] == [b"%d" % number for number in range(400)]
    refused(pipes, FaultKind.TIMEOUT, "did not answer in time, and did not read its input", SHORT)


def test_one_that_closed_its_input_may_still_answer(start: Callable[[str], Pipes]) -> None:
    pipes = start("os.close(0)\nfor _ in range(3): time.sleep(0.05); write(b'yes\\n')\ntime.sleep(300)")
    assert [pipes.put() for _ in range(3)] == [b"yes"] * 3
    refused(pipes, FaultKind.TIMEOUT, "did not answer in time", SHORT)


def test_a_late_line_is_dropped(start: Callable[[str], Pipes]) -> None:
    pipes = start("read(); read(); write(b'late\\n'); time.sleep(0.1); write(b'second\\n')\nwhile True: write(read())")
    refused(pipes, FaultKind.TIMEOUT, "did not answer in time", SHORT)
    assert pipes.put() == b"second"
    assert pipes.put(b"third\n") == b"third"


# Time


@pytest.mark.parametrize(
    ("code", "detail"),
    [
        ("read(); time.sleep(300)", "did not answer in time"),
        ("read(); os.kill(os.getpid(), signal.SIGSTOP)", "did not answer in time"),
        ("read()\nwhile True: pass", "did not answer in time"),
        ("read()\nwhile True: os.write(2, b'y' * 65536)", "did not answer in time"),
        ("read()\nwhile True: write(b'x'); time.sleep(0.01)", "in time"),
    ],
)
def test_the_deadline_holds(start: Callable[[str], Pipes], code: str, detail: str) -> None:
    pipes = start(code)
    refused(pipes, FaultKind.TIMEOUT, detail, SHORT)
    pipes.close(2, 0.0)


@pytest.mark.parametrize(
    ("code", "answer"),
    [("read(); write(b'd9'); time.sleep(300)", b"d9"), ("read()\nfor _ in range(9): write(b'x')\nread()", b"x" * 9)],
)
def test_an_unfinished_line_is_shown_as_the_answer(
    start: Callable[[str], Pipes], code: str, answer: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipes = start(code)
    late_when(monkeypatch, lambda: pipes._unread == answer)
    assert refused(pipes, FaultKind.TIMEOUT, "did not end its line in time").answer == answer


class Clocks:
    """Those of a process and of this machine, as a test sets them."""

    def __init__(self) -> None:
        self.now, self.used, self.waited, self.does, self.own = 100.0, 0.0, 0.0, "S", 0.0
        self.paused = False

    def pause(self, paused: bool) -> None:
        self.paused = paused

    def __call__(self) -> float:
        return self.now

    def cpu_seconds(self) -> float:
        return self.used

    def waiting(self) -> tuple[float, str]:
        return self.waited, self.does

    def until_late(
        self, deadline: Deadline, *, works: float = 0.0, waits: float = 0.0, oversleeps: float = 0.0
    ) -> float:
        """Its time until it is late, if of each second it works and waits so much, and we come so much too late."""
        began = self.now
        while (left := deadline.left()) > 0:
            self.now += left + oversleeps
            self.used += works * (left + oversleeps)
            self.waited += waits * (left + oversleeps)
            self.own += oversleeps
        return self.now - began


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    made = Clocks()
    monkeypatch.setattr("games.deadline.perf_counter", made)
    monkeypatch.setattr("games.deadline._own_wait", lambda: made.own)
    return made


@pytest.mark.parametrize(
    ("does", "works", "waits", "lasts"),
    [
        ("R", 0.25, 0.75, 8.0),  # three others have its core
        ("R", 0.04, 0.96, 50.0),  # twenty-four
        ("R", 1.0, 0.0, 2.0),
        ("SRRRRRRR", 1.0, 7.0, 2.0),  # eight threads in each other's way
        ("S", 0.0, 0.0, 2.0),  # it sleeps
        ("S", 0.25, 0.25, 2.0 / 0.75),
        ("D", 0.25, 0.0, 8.0),  # it waits for the disk
        ("S" * 64, 0.03, 0.9, 2.0),  # its threads wake up together for a moment
    ],
)
def test_only_what_others_took_is_given_back(
    clocks: Clocks, does: str, works: float, waits: float, lasts: float
) -> None:
    clocks.does = does
    deadline = Deadline(clocks, clocks.now, 2.0, fresh=True)
    assert clocks.until_late(deadline, works=works, waits=waits) == pytest.approx(lasts, abs=3 * STEP / (works or 1))


def test_a_wait_that_is_not_over_is_given_back_when_it_is(clocks: Clocks) -> None:
    """The kernel counts it when the process gets a core."""
    deadline = Deadline(clocks, clocks.now, 0.3, fresh=True)
    clocks.does = "R"
    while clocks.now < 101.0:
        left = deadline.left()
        assert left > 0
        clocks.now += left
    clocks.waited = clocks.now - 100.0
    assert clocks.until_late(deadline, works=1.0) == pytest.approx(0.3, abs=3 * STEP)


def test_others_of_the_match_that_compute_are_paused_once_they_have_taken_too_much(clocks: Clocks) -> None:
    spins, sleeps = Clocks(), Clocks()
    spins.does = clocks.does = "R"
    for each in (spins, sleeps, clocks):
        TABLE.bots.add(each)
    deadline = Deadline(clocks, clocks.now, 0.3, fresh=True)
    clocks.until_late(deadline, works=0.6, waits=0.4)
    assert not spins.paused
    deadline = Deadline(clocks, clocks.now, 0.3)
    clocks.until_late(deadline, works=0.3, waits=0.7)
    assert [spins.paused, sleeps.paused, clocks.paused] == [True, False, False]
    deadline.close()
    assert not spins.paused


def test_patience_has_an_end_and_that_is_not_the_bots_fault(clocks: Clocks) -> None:
    deadline = Deadline(clocks, clocks.now, 0.2, fresh=True)
    clocks.does = "R"
    with pytest.raises(MachineryError):
        clocks.until_late(deadline, waits=1.0)
    assert clocks.now == pytest.approx(100 + 0.2 * PATIENCE, abs=0.1)


def test_a_machine_that_stands_still_is_given_back(clocks: Clocks) -> None:
    """However often, and at any moment. Time for which we wait for a core is not: the bot's own clocks tell."""
    deadline = Deadline(clocks, clocks.now, 0.5)
    for _ in range(3):
        clocks.now += deadline.left() + 100.0
        assert deadline.left() > 0
    assert clocks.until_late(deadline) == pytest.approx(0.5, abs=2 * PROMPT)
    crowded = Deadline(clocks, clocks.now, 0.5, fresh=True)
    clocks.does = "R"
    assert clocks.until_late(crowded, works=0.5, waits=0.5, oversleeps=0.1) == pytest.approx(1.25, abs=0.25)


def test_a_bot_does_not_pay_for_a_referee_that_waited_for_a_core(clocks: Clocks) -> None:
    """Its answer may have been there all the time."""
    answered, early = Deadline(clocks, clocks.now, 2.0), Deadline(clocks, clocks.now, 2.0)
    clocks.now += early.left() + 0.04
    assert answered.spent() == pytest.approx(PROMPT)
    assert early.left() > 0
    clocks.now, clocks.own = clocks.now + 0.5, 0.5
    assert early.spent() == pytest.approx(PROMPT)
    again = Deadline(clocks, clocks.now, 2.0, after=early)
    clocks.now, clocks.own = clocks.now + 0.015, 0.51
    assert again.spent() == pytest.approx(0.005)


def test_an_answer_that_we_saw_too_late_is_late_if_it_took_too_long(clocks: Clocks) -> None:
    cases = (0.5, 0.5, 0.5, True), (0.5, 0.25, 0.5, False), (0.5, 0.0, 0.5, False), (0.1, 0.0, 0.05, True)
    for passes, works, own, missed in cases:
        clocks.used = 0.0
        deadline = Deadline(clocks, clocks.now, 0.3, fresh=True)
        while (left := deadline.left()) > 0.015:
            clocks.now += left
        clocks.now, clocks.own, clocks.used = clocks.now + passes, clocks.own + own, works
        assert deadline.missed() is missed, (passes, works, own)


def test_an_answer_byte_by_byte_is_an_answer(start: Callable[[str], Pipes]) -> None:
    pipes = start("read()\nfor byte in b'd9\\n': write(bytes([byte])); time.sleep(0.05)\nread()")
    assert pipes.put() == b"d9"


def test_a_large_question_does_not_block(start: Callable[[str], Pipes]) -> None:
    pipes = start("time.sleep(300)")
    refused(pipes, FaultKind.TIMEOUT, "did not read its input", SHORT, b"x" * (1 << 20) + b"\n")


def test_a_large_question_reaches_a_slow_reader_whole(start: Callable[[str], Pipes]) -> None:
    pipes = start(
        "count = 0\n"
        "while True:\n"
        "    data = os.read(0, 65536)\n"
        "    count += len(data)\n"
        "    time.sleep(0.005)\n"
        "    if data.endswith(b'\\n'): write(b'%d\\n' % count); count = 0\n"
    )
    assert pipes.put(b"x" * (1 << 20) + b"\n") == b"%d" % ((1 << 20) + 1)
    assert pipes.put(b"short\n") == b"6"


# Ends


@pytest.mark.parametrize(
    ("code", "detail", "answer"),
    [
        ("read()", "exited with status 0 without an answer", None),
        ("read(); sys.exit(7)", "exited with status 7 without an answer", None),
        ("read(); os.kill(os.getpid(), 11)", "was ended by signal 11", None),
        ("read(); write(b'd9')", "exited with status 0 in the middle of a line", b"d9"),
        ("read(); os.close(1); time.sleep(300)", "closed its output", None),
        ("read(); write(b'd'); os.close(1); time.sleep(300)", "closed its output in the middle of a line", b"d"),
    ],
)
def test_the_end_is_noticed_at_once(
    start: Callable[[str], Pipes], code: str, detail: str, answer: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not at the deadline, when it would be a timeout."""
    if detail.startswith("closed"):
        monkeypatch.setattr("games.pipes.GRACE", SHORT)
    caught = refused(start(code), FaultKind.CRASH, f"^crash: {detail}$")
    assert caught.answer == answer


def test_what_was_written_completely_counts(start: Callable[[str], Pipes]) -> None:
    pipes = start("read(); write(b'd9\\n'); os._exit(3)")
    assert pipes.put() == b"d9"
    refused(pipes, FaultKind.CRASH, "exited with status 3 without an answer")


def test_a_child_that_holds_the_output_open_does_not_hide_the_end(start: Callable[[str], Pipes]) -> None:
    pipes = start("write(read())\nif os.fork() == 0: time.sleep(300)\nos._exit(4)")
    pipes.put()
    wait_for(lambda: state_of(pipes.process._popen.pid) == "Z")
    refused(pipes, FaultKind.CRASH, "exited with status 4", SHORT)


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
    assert pipes.put() == b"x" * FLOOD


def test_nul_bytes_are_passed_on(start: Callable[[str], Pipes]) -> None:
    assert start("read(); write(b'\\0d9\\0\\n')").put(b"?\n") == b"\0d9\0"


def test_endless_lines_ahead_do_not_grow(start: Callable[[str], Pipes]) -> None:
    pipes = start("while True: write(b'd9\\n' * 1000)")
    for _ in range(50_000):
        assert pipes.put() == b"d9"
        assert len(pipes._unread) <= 2 * FLOOD


# Standard error


def test_standard_error_never_blocks_the_answer(start: Callable[[str], Pipes]) -> None:
    pipes = start("while True: os.write(2, b'z' * 500000 + b'end'); write(read())")
    for number in range(5):
        assert pipes.put(b"?\n", place=number) == b"?"
    assert pipes.log.dropped > 2_000_000


def test_standard_error_keeps_its_place(start: Callable[[str], Pipes]) -> None:
    pipes = start("while True: line = read(); os.write(2, line); write(line)")
    for place in (4, 9, 15):
        pipes.put(b"%d\n" % place, place=place)
    assert [(piece.index, piece.text) for piece in pipes.log.pieces()] == [(4, "4\n"), (9, "9\n"), (15, "15\n")]


def test_the_last_words_are_kept(start: Callable[[str], Pipes]) -> None:
    pipes = start("write(read()); sys.stdin.buffer.read(); os.write(2, b'w' * 200000 + b'goodbye')")
    pipes.put()
    pipes.finish(b"endround\n")
    pipes.close(7, LONG)
    assert pipes.log.pieces()[-1].index == 7
    assert pipes.said().endswith("goodbye")


def test_standard_error_is_read_between_hands(start: Callable[[str], Pipes]) -> None:
    pipes = start(f"write(read()); os.write(2, b'hello'); os.write(2, b'w' * {3 * ROOM} + b'goodbye')")
    pipes.put()

    def ended() -> bool:
        pipes.listen(3)
        return pipes.process.ended(0) is not None

    wait_for(ended)
    pipes.listen(4)
    assert pipes.said().startswith("hello")
    assert pipes.said().endswith("goodbye")
    assert {piece.index for piece in pipes.log.pieces()} <= {0, 3, 4}
    refused(pipes, FaultKind.CRASH, "exited with status 0 without an answer")


def test_closing_standard_error_is_no_fault(start: Callable[[str], Pipes]) -> None:
    pipes = start("os.close(2)\nwhile True: time.sleep(0.01); write(read())")
    assert [pipes.put() for _ in range(3)] == [b"?"] * 3


# Ending it


def test_one_that_stays_is_killed_after_its_grace(start: Callable[[str], Pipes]) -> None:
    pipes = start("write(read()); time.sleep(300)")
    pipes.put()
    pipes.finish(b"")
    pipes.close(1, SHORT)
    assert pipes.process.stop().signal == signal.SIGKILL


def test_one_that_goes_is_not_waited_for(start: Callable[[str], Pipes]) -> None:
    pipes = start("while True: write(read())")
    pipes.put()
    pipes.finish(b"endround\n")
    pipes.close(1, 3600.0)
    assert pipes.process.stop().status is ExitStatus.EXITED


def test_finishing_with_a_full_pipe_does_not_block(start: Callable[[str], Pipes]) -> None:
    pipes = start("write(b'1\\n'); time.sleep(300)")
    pipes.put(b"x" * (1 << 20))
    pipes.finish(b"y" * (1 << 20))
    pipes.close(1, SHORT)
    assert pipes.process.stop().signal == signal.SIGKILL, "it was not waited for until it ended"


def test_the_first_reason_stays(start: Callable[[str], Pipes]) -> None:
    """A flood stays a flood, even if the process has ended since."""
    pipes = start(f"read(); write(b'x' * ({FLOOD} + 1) + b'\\n')")
    refused(pipes, FaultKind.OUTPUT, "wrote more than")
    assert pipes.process.ended(LONG) is not None
    for _ in range(3):
        refused(pipes, FaultKind.OUTPUT, "wrote more than")
