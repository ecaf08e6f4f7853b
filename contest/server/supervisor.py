"""Run the portal's processes together: start them, restart those that die, and leave nothing behind.

Theory of operation. The supervisor is one thread with one loop. Every process gets its own session, so that Ctrl-C in
the terminal reaches only the supervisor, and a parent-death signal, so that no process outlives the supervisor, even if
it is killed; contest/server/killer.py takes care of what these processes started. The supervisor is also the reaper of
its grandchildren (PR_SET_CHILD_SUBREAPER): after it has stopped its children, it kills everything that is left below
it. The processes' output goes to log files; the terminal shows only warnings and errors, with the name of the process.

A process that cannot start ends everything, with its last words: whoever starts the portal is there to read them. Once
it has worked for QUICK_DEATH seconds, nobody may be there, and the other processes do their work without it. So it is
tried again, with growing pauses, for ever; the board (contest/server/parts.py) and one line a minute tell of it. For
the same reason no disk that is full and no lack of memory may end the loop.
"""

import os
import re
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import BinaryIO, cast

from contest.server.complaints import Complaints
from contest.server.forked import Forked, is_stale
from contest.server.killer import LIBC, PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG, descendants
from contest.server.log_file import LogFile
from contest.server.parts import WORDS, Board, Trouble

QUICK_DEATH = 10.0  # seconds; a process that ends sooner "could not start"
QUICK_DEATHS = 4  # in a row, after which it is in trouble; if it has never worked, everything stops
CHECK_PAUSE = 1.0  # seconds between two looks whether a process in trouble is well again
LONGEST_PAUSE = 30.0  # seconds between restarts
GRACE = 2.5  # seconds that a process has to end by itself
LAST_CALL = 4.0  # seconds after which everything is killed
LAST_MOMENT = 0.6  # least seconds for processes that the others need, however long those took
NOTEWORTHY = re.compile(r"\b(WARNING|ERROR|CRITICAL|Traceback)\b")


def die_with_parent(death_signal: signal.Signals) -> None:
    """Ask the kernel to send us this signal when our parent dies. It survives exec."""
    parent = os.getppid()
    LIBC.prctl(PR_SET_PDEATHSIG, int(death_signal))
    if os.getppid() != parent:  # it died before the call
        os.kill(os.getpid(), death_signal)


def give_way(steps: int) -> None:
    """Lower the priority of this process, of its children, and of its session where the kernel weighs sessions."""
    with suppress(OSError):
        os.nice(steps)
    if os.getsid(0) != os.getpid():
        return  # the session is somebody's terminal
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(f"{steps}")


def prepare_child(stop_signals: Sequence[signal.Signals]) -> None:
    """Between fork and exec: accept the stop signals, and die with the supervisor."""
    for number in stop_signals:
        # A shell that starts the portal in the background ignores SIGINT and SIGQUIT, which children inherit.
        signal.signal(number, signal.SIG_DFL)
    die_with_parent(stop_signals[-1])


@dataclass(frozen=True, slots=True)
class Program:
    """How to start one of the portal's processes."""

    name: str
    command: Sequence[str]
    # If given, this is called in a fork of this process, in which the command is only sys.argv and its title. What it
    # needs should have been loaded before (contest/server/forked.py). If code has changed since, the command is run.
    main: Callable[[], object] | None = None
    ready: Callable[[int], bool] = lambda pid: True  # polled until true; must answer within about a second
    # Sent one after the other, GRACE seconds apart. The last one is also sent if the supervisor is killed.
    stop_signals: Sequence[signal.Signals] = (signal.SIGTERM,)
    stop_last: bool = False  # only after the others have ended
    quiet: bool = False  # its warnings go to the log file only
    descriptors: Sequence[int] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


class Child:
    """A program with its current process, its log and its quick deaths."""

    def __init__(self, program: Program, log_folder: Path) -> None:
        self.program = program
        self.log = LogFile(log_folder / f"{program.name}.log")
        self.process: subprocess.Popen[bytes] | Forked | None = None
        self.output: BinaryIO | FileIO | None = None
        self.partial = b""
        self.last_lines: deque[str] = deque(maxlen=12)
        self.started_at = 0.0
        self.quick_deaths = 0
        self.has_worked = False  # for QUICK_DEATH seconds at least, once
        self.how = ""  # it ended the last time
        self.trouble_since = 0.0  # Unix time of the death with which its trouble began; 0 if it is well
        self.look_at = 0.0  # when to look whether it is well again
        self.start_at = 0.0  # when to restart it
        self.is_ready = False

    def start(self) -> None:
        program = self.program
        self.last_lines.clear()
        if program.main and not is_stale():
            self.process = Forked(
                program.main,
                program.command[2 if program.command[1] == "-m" else 1 :],
                descriptors=program.descriptors,
                environment=program.environment,
                prepare=lambda: prepare_child(program.stop_signals),
            )
            self.output = self.process.stdout
        else:
            self.process = subprocess.Popen(
                program.command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={**os.environ, **program.environment},
                pass_fds=program.descriptors,
                start_new_session=True,
                preexec_fn=lambda: prepare_child(program.stop_signals),
            )
            self.output = cast(BinaryIO, self.process.stdout)
        os.set_blocking(self.output.fileno(), False)
        self.started_at = time.monotonic()
        self.is_ready = False

    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def asks_ready(self) -> bool:
        return self.process is not None and self.running() and self.program.ready(self.process.pid)

    def read(self) -> list[str] | None:
        """Its new output as whole lines, also written to its log. None once it has closed its output."""
        assert self.output is not None
        data = self.output.read(65536)
        if data is None:
            return []
        self.log.append(data)
        *whole, self.partial = (self.partial + data).split(b"\n")
        if not data and self.partial:
            whole, self.partial = [self.partial], b""
        lines = [line.decode("utf-8", errors="replace").rstrip() for line in whole]
        self.last_lines.extend(lines)
        return lines if data or lines else None

    def died(self, now: float, how: str) -> None:
        """Count its death and schedule the restart."""
        lived_long = now - self.started_at >= QUICK_DEATH
        self.has_worked |= lived_long
        self.quick_deaths = 1 if lived_long else self.quick_deaths + 1
        self.how = how
        self.start_at = now + min(LONGEST_PAUSE, 0.5 * 2 ** min(self.quick_deaths - 1, 10))
        if self.quick_deaths >= QUICK_DEATHS:
            self.trouble_since = self.trouble_since or time.time()

    def is_well_again(self, now: float) -> bool:
        """Whether it was in trouble, and has worked for long enough since."""
        if not self.trouble_since or now - self.started_at < QUICK_DEATH or now < self.look_at:
            return False
        self.look_at = now + CHECK_PAUSE
        if not self.asks_ready():
            return False
        self.trouble_since = 0.0
        return True

    def trouble(self, now: float) -> Trouble:
        words = next((line for line in reversed(self.last_lines) if line), "")[:WORDS]
        next_try = time.time() + max(0.0, self.start_at - now)
        return Trouble(self.program.name, self.quick_deaths, self.how, self.trouble_since, next_try, words)

    def signal(self, number: signal.Signals, *, whole_group: bool = False) -> None:
        if self.process is None:
            return
        try:
            if whole_group:
                os.killpg(self.process.pid, number)
            elif self.running():
                self.process.send_signal(number)
        except (ProcessLookupError, PermissionError):  # it is gone, or what is left of its group is not ours
            pass


class Supervisor:
    """Keeps programs running until it is asked to stop or one of them cannot start."""

    def __init__(self, log_folder: Path, say: Callable[[str], None], board: Path | None = None) -> None:
        self.log_folder = log_folder
        self.say = say
        self.conditions = Complaints(lambda key, line: say(f"{key:<8} WARNING {line}"))
        self.board = Board(board) if board else None
        self.children: list[Child] = []
        self.selector = selectors.DefaultSelector()
        self.stopping = False
        self.impatient = False
        self.failure = ""
        self.look_at = 0.0  # when to look at the logs
        self.attended = 0  # the process whose end `attend` waits for
        log_folder.mkdir(parents=True, exist_ok=True)
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1)

    def start(self, program: Program) -> Child:
        child = Child(program, self.log_folder)
        self.children.append(child)
        self._launch(child)
        return child

    def request_stop(self) -> None:
        """Stop at the next turn of the loop. A second request skips the grace period. Safe in a signal handler."""
        self.impatient = self.stopping
        self.stopping = True

    def until_ready(self, seconds: float) -> bool:
        """Run the loop until all programs are ready. False if it is stopping instead; `failure` may say why."""
        deadline = time.monotonic() + seconds
        while not self.stopping:
            if all(child.is_ready for child in self.children):
                return True
            self._turn(0.05)
            for child in self.children:
                child.is_ready = child.is_ready or child.asks_ready()
            if time.monotonic() > deadline:
                slow = [child for child in self.children if not child.is_ready]
                self._fail(slow[0], f"was not ready after {seconds:.0f} seconds")
        return False

    def attend(self, process: Forked, hear: Callable[[str], None]) -> bool:
        """Run the loop until this process has ended, and hear its lines. False if it failed, or we are stopping."""
        os.set_blocking(process.stdout.fileno(), False)
        self.attended = process.pid
        ended, rest = False, b""
        while not self.stopping and not ended:
            ended = process.poll() is not None  # asked first, so that its last words are read
            *lines, rest = (rest + (process.stdout.read(65536) or b"")).split(b"\n")
            for line in lines:
                hear(line.decode(errors="replace"))
            self._turn(0.05)
        return ended and process.poll() == 0

    def run(self) -> None:
        """Run the loop until a stop is requested or a program cannot start."""
        while not self.stopping:
            self._turn(0.2)

    def stop(self) -> None:
        """Stop all programs within about five seconds, however busy they are."""
        self.stopping = True
        began = time.monotonic()
        self._stop_wave([child for child in self.children if not child.program.stop_last], began)
        # A program that the others need (the broker) gets at least a moment to write its snapshot.
        patience = max(LAST_CALL - (time.monotonic() - began), LAST_MOMENT)
        self._stop_wave([child for child in self.children if child.program.stop_last], time.monotonic(), patience)
        self._kill_descendants()
        for child in self.children:
            child.log.close()

    def _stop_wave(self, children: list[Child], began: float, patience: float = LAST_CALL) -> None:
        for attempt, deadline in enumerate((began + min(GRACE, patience), began + patience)):
            for child in children:
                if attempt < len(child.program.stop_signals):
                    child.signal(child.program.stop_signals[attempt])
            self._await_end(children, deadline)
        for child in children:
            child.signal(signal.SIGKILL, whole_group=True)

    def _await_end(self, children: list[Child], deadline: float) -> None:
        while any(child.running() for child in children) and time.monotonic() < deadline and not self.impatient:
            self._turn(0.05)

    def _turn(self, seconds: float) -> None:
        """Read output for up to this long, then handle deaths and due restarts."""
        for key, _ in self.selector.select(seconds):
            self._pass_on(key.data)
        self._reap_adopted()
        now = time.monotonic()
        for child in self.children:
            if child.process is not None and not child.running():
                self._bury(child, now)
            elif child.process is None and not self.stopping and now >= child.start_at:
                self._launch(child)
            elif child.is_well_again(now):
                self.conditions.content(child.program.name)
                self._tell()
        if now >= self.look_at:
            self.look_at = now + CHECK_PAUSE
            self._tell_of_logs()

    def _launch(self, child: Child) -> None:
        try:
            child.start()
        except (OSError, subprocess.SubprocessError) as error:  # no memory, no process left, no such program
            child.started_at = time.monotonic()
            child.last_lines.append(f"it could not be started: {error}")
            self._count_death(child, child.started_at, "no process")
            return
        assert child.output is not None
        self.selector.register(child.output, selectors.EVENT_READ, child)

    def _tell_of_logs(self) -> None:
        failing = [child for child in self.children if child.log.error and not child.log.retry()]
        if not failing:
            self.conditions.content("logs")
            return
        names = ", ".join(child.program.name for child in failing)
        why = failing[0].log.error
        self.conditions.complain("logs", f"nothing can be written into {self.log_folder} for {names}: {why}")

    def _pass_on(self, child: Child) -> None:
        lines = child.read()
        if lines is None:
            self._close(child)
            return
        for line in lines:
            if NOTEWORTHY.search(line) and not child.program.quiet and not child.trouble_since:
                self.say(f"{child.program.name:<8} {line}")

    def _close(self, child: Child) -> None:
        if child.output is not None:
            self.selector.unregister(child.output)
            child.output.close()
            child.output = None

    def _bury(self, child: Child, now: float) -> None:
        assert child.process is not None
        if child.output is not None:
            child.read()  # its last words
        self._close(child)
        code = child.process.returncode or 0
        child.signal(signal.SIGKILL, whole_group=True)  # what it left behind
        child.process = None
        if not self.stopping:
            how = f"signal {signal.Signals(-code).name}" if code < 0 else f"status {code}"
            self._count_death(child, now, how)

    def _count_death(self, child: Child, now: float, how: str) -> None:
        child.died(now, how)
        if not child.trouble_since:
            pause = child.start_at - now
            self.say(f"{child.program.name:<8} ended with {how}; starting it again in {pause:.1f} s")
        elif child.has_worked:
            self.conditions.complain(child.program.name, str(child.trouble(now)))
            self._tell()
        else:
            what = f"ended {child.quick_deaths} times in a row right after its start, the last time with {how}"
            self._fail(child, what)

    def _tell(self) -> None:
        """Write on the board who is in trouble."""
        if self.board:
            now = time.monotonic()
            self.board.write([child.trouble(now) for child in self.children if child.trouble_since])

    def _fail(self, child: Child, what: str) -> None:
        words = "\n".join(f"    {line}" for line in child.last_lines)
        self.failure = f"{child.program.name} {what}. Its last words ({child.log.path}):\n{words}"
        self.stopping = True

    def _reap_adopted(self) -> None:
        """Reap dead processes that the kernel reparented to the supervisor."""
        ours = {child.process.pid for child in self.children if child.process is not None} | {self.attended}
        while True:
            try:
                dead = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return
            if dead is None or dead.si_pid in ours:
                return
            os.waitpid(dead.si_pid, os.WNOHANG)

    def _kill_descendants(self) -> None:
        """Kill all remaining descendants, such as jails with their own sessions, and wait until they are gone."""
        deadline = time.monotonic() + 1
        while (left := descendants(os.getpid())) and time.monotonic() < deadline:
            for pid in left:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            try:
                while os.waitpid(-1, os.WNOHANG) != (0, 0):
                    pass
            except ChildProcessError:
                return
            time.sleep(0.01)
