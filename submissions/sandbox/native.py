"""The compiled part of the sandbox: process 1 (init/) and the names of this machine's system calls.

This machine's C compiler makes both once, into a cache. So the repository contains no binaries, and a new processor or
kernel needs no new table.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from games.engine import MachineryError

SIGNALS = sorted(set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP})
"""All signals that somebody may have ignored or blocked. Jails start with all of them reset."""

SOURCES = tuple(sorted(Path(__file__).with_name("init").glob("*.[ch]")))
FLAGS = ("-std=gnu11", "-O2", "-Wall", "-Wextra", "-static")
COMPILERS = ("musl-gcc", "gcc")
"""For process 1, the first one installed. Each jail starts it twice, and musl makes that three times as fast. glibc
first asks the processor for its model, which costs a virtual machine a trip to the host each time."""


JAILS = 0x6FFF_FFFF
"""The group of all bots, where the worker is root and gives them users of their own. It lets them pass into the state
folder and owns nothing else."""


@dataclass(frozen=True, slots=True)
class Native:
    """Process 1, ready to run, and the system calls by name."""

    init: Path
    compiler: str  # the one of COMPILERS that built it
    numbers: dict[str, int]

    def name(self, number: int) -> str:
        for name, known in self.numbers.items():
            if known == number:
                return name
        return f"system call {number}"


@cache
def state_folder() -> Path:
    """The folder for files the sandbox can recreate: owned by us, entered by the bots' users alone, listed by nobody.

    Bots' users must be able to enter it, so it cannot be in a home folder. Raises MachineryError if somebody else
    created it first.
    """
    folder = Path(os.environ.get("KIBITZ_SANDBOX_DIR") or f"{tempfile.gettempdir()}/kibitz-jails-{os.geteuid()}")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    about = folder.lstat()
    if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.geteuid() or about.st_mode & 0o022:
        raise MachineryError(f"{folder} is not a folder that only we can write to")
    _admit_bots(folder)
    for name in ("slots", "roots", "native"):
        passable(folder / name)
    return folder


def _admit_bots(folder: Path) -> None:
    """Let bots' users pass through a folder, and nobody else.

    Names below it cannot be guessed, but every user of the machine can read them in /proc/PID/mountinfo of a bot.
    """
    if os.geteuid():
        folder.chmod(0o700)  # bots run as our own user
        return
    try:
        os.chown(folder, 0, JAILS)
    except OSError as error:
        raise MachineryError(f"{folder} cannot be given to the group of bots: {error.strerror}") from error
    folder.chmod(0o710)


def passable(folder: Path) -> Path:
    """Create a folder that others can pass through but not list, whatever the mask of this process is."""
    folder.mkdir(mode=0o700, exist_ok=True)
    folder.chmod(0o711)
    return folder


@cache
def native() -> Native:
    """Compile process 1 unless it is cached. Raises MachineryError with the compiler's output."""
    sources = [path.read_bytes() for path in SOURCES]
    compiler = next(filter(shutil.which, COMPILERS), "gcc")
    version = _output("gcc", "--version").encode()
    key = hashlib.sha256(b"\0".join([*sources, version, repr((compiler, FLAGS)).encode()])).hexdigest()[:24]
    folder = state_folder() / "native" / key
    if not _complete(folder):
        with (state_folder() / "native" / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not _complete(folder):
                _compile(compiler, folder)
    return Native(folder / "init", compiler, json.loads((folder / "calls.json").read_text()))


def launch(words: Sequence[str], *, user: int, inner: int, errors: int, nice: int = 0, network: int = -1) -> int:
    """Start the program that builds a jail and return its process id. Raises MachineryError if it cannot be started.

    It becomes host user `user` (0: it keeps ours, which is then not root). Process 1 gets the descriptor `inner` as
    number 3. Errors before it runs are written to `errors`. `nice` lowers its priority, and that of everything in the
    jail. `network`: the one in which it is to start. This uses posix_spawn, so the worker's size does not matter. All
    signals are reset, because Python ignores some and a bot would inherit that. It gets its own session: Ctrl-C tells
    the worker to finish its match and must not reach the jail.
    """
    words = [str(native().init), "launch", f"{user}", f"{JAILS}", f"{nice}", f"{network}", *words]
    actions = [
        (os.POSIX_SPAWN_DUP2, inner, 3),
        (os.POSIX_SPAWN_DUP2, errors, 2),
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        *([(os.POSIX_SPAWN_DUP2, network, network)] if network >= 0 else []),
    ]
    try:
        return os.posix_spawn(words[0], words, {}, file_actions=actions, setsid=True, setsigmask=(), setsigdef=SIGNALS)
    except OSError as error:
        raise MachineryError(f"the jail could not be started: {error}") from error


def _complete(folder: Path) -> bool:
    return (folder / "init").exists() and (folder / "calls.json").exists()


def _compile(compiler: str, folder: Path) -> None:
    passable(folder)
    parts = [str(path) for path in SOURCES if path.suffix == ".c"]
    _output(compiler, *FLAGS, *_headers(compiler), "-o", str(folder / "init.new"), *parts)
    (folder / "init.new").chmod(0o755)
    (folder / "init.new").replace(folder / "init")
    macros = _output("gcc", "-dM", "-E", "-include", "sys/syscall.h", "-xc", os.devnull)
    names = re.findall(r"^#define __NR_(\w+) (\d+)$", macros, re.MULTILINE)
    (folder / "calls.new").write_text(json.dumps({name: int(number) for name, number in names}))
    (folder / "calls.new").replace(folder / "calls.json")


def _headers(compiler: str) -> list[str]:
    """Include paths for the kernel's headers, after the C library's own: musl-gcc only knows those of musl."""
    if compiler == "gcc":
        return []
    return ["-idirafter", "/usr/include", "-idirafter", f"/usr/include/{_output('gcc', '-dumpmachine').strip()}"]


def _output(*command: str) -> str:
    """The output of a compiler. Raises MachineryError with its error, or if it is not installed."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        raise MachineryError(f"gcc is needed to build the sandbox's process 1: {error}") from error
    if run.returncode:
        raise MachineryError(f"the sandbox's process 1 could not be compiled: {run.stderr.strip()[-2000:]}")
    return run.stdout
