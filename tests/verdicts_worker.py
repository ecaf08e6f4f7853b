"""Makes runs at one place: started by verdicts.py as the place's user. Reads a run from each line of standard input and
writes what became of it. Needs no package, so that other users can run it with the system's Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from games.debug import DebugLog
from games.engine import Fault, MachineryError
from games.pipes import LinePipes
from games.programs import ExitStatus, pinned
from submissions.languages import LANGUAGES
from submissions.sandbox import Jail, Limits, cgroups

LOOPS = {"busy": 4, "crowded": 12}
# They end with this process, however it ends.
BUSY = """
import os, sys
while os.getppid() == int(sys.argv[1]):
    for _ in range(1_000_000): pass
"""
READER = """
import os, sys
while True:
    for folder, _, files in os.walk("/usr/lib"):
        if os.getppid() != int(sys.argv[1]):
            sys.exit()
        for name in files:
            try:
                with open(f"{folder}/{name}", "rb") as file:
                    file.read()
                    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            except OSError:
                pass
"""


@contextmanager
def circumstance(name: str, stack: ExitStack) -> Iterator[None]:
    """Others on the bot's core, also such as were asked before, readers of the disk, or less memory for all jails."""
    loops = [BUSY] * LOOPS.get(name, 0) + [READER] * (name == "page cache")
    for loop in loops:
        command = [sys.executable, "-I", "-S", "-c", loop, f"{os.getpid()}"]
        other = stack.enter_context(subprocess.Popen(command, start_new_session=True))
        stack.callback(other.kill)
    if name == "short of memory":
        with suppress(cgroups.Unavailable, OSError):
            limit = cgroups.layout().folders[0] / cgroups.layout().memory_limit
            limit.write_text(f"{40 << 20}")
            stack.callback(limit.write_text, "-1" if cgroups.layout().version == 1 else "max")
    yield


def move(pid: int, over: threading.Event) -> None:
    """From core to core, as often as possible."""
    cores = sorted(os.sched_getaffinity(0))
    while not over.wait(0.002):
        cores.append(cores.pop(0))
        with suppress(OSError):
            for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
                os.sched_setaffinity(int(child), {cores[0]})


def spin(stack: ExitStack, program: bytes) -> None:
    """Let a bot compute while it is not asked."""
    rival = stack.enter_context(Jail.open(program, LANGUAGES["c"], Limits(memory_bytes=8 << 20))).start()
    os.write(rival.stdin, b"1000 0 0 0\n")


def make(job: dict[str, Any]) -> str:
    language, question = LANGUAGES[job["language"] or "c"], job["question"].encode()
    seconds = 5.0 if job["language"] else job["seconds"]
    memory = language.memory_floor if job["language"] else job["memory"]
    over = threading.Event()
    with ExitStack() as stack:
        stack.enter_context(pinned(job["core"]))
        stack.enter_context(circumstance(job["circumstance"], stack))
        place = stack.enter_context(Jail.open(Path(job["program"]).read_bytes(), language, Limits(memory_bytes=memory)))
        if job["circumstance"] == "rivals":
            for _ in range(3):
                spin(stack, Path(job["spender"]).read_bytes())
        if job["circumstance"] == "moved":
            mover = threading.Thread(target=move, args=(place._first_pid, over))
            mover.start()
            stack.callback(mover.join)
            stack.callback(over.set)
        return _lasting(place, question, seconds) if time.time_ns() % 2 else _asked(place, question, seconds)


def _asked(place: Jail, question: bytes, seconds: float) -> str:
    answer = place.ask(question, seconds=seconds)
    if answer.timed_out:
        return f"timeout: {answer.exit}"
    end = answer.exit
    return "ok" if end.status is ExitStatus.EXITED and not end.code and answer.output else f"{end.fault().kind}: {end}"


def _lasting(place: Jail, question: bytes, seconds: float) -> str:
    pipes = LinePipes(place.start(), DebugLog())
    try:
        pipes.ask(question, time.perf_counter(), seconds, 0)
    except Fault as fault:
        return f"{fault.kind}: {fault.detail}"
    finally:
        with suppress(MachineryError):
            pipes.close(0, 0.0)
    return "ok"


def main() -> None:
    for line in sys.stdin:
        try:
            became = make(json.loads(line))
        except MachineryError as error:
            became = f"machine: {error}"
        print(json.dumps(became), flush=True)


if __name__ == "__main__":
    main()
