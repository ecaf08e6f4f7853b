"""Compile strangers' sources in a jail: no network, nothing of this machine except /usr, and a small scratch folder.

The source and the game's kit files are written into the scratch folder. The language's command runs there under limits
and leaves one file, the artifact. The compiler's output is kept, even on success.
"""

from __future__ import annotations

import math
import os
import re
import select
import shlex
import signal
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Protocol

from games.deadline import Deadline
from games.engine import MachineryError
from games.programs import Exit, ExitStatus
from games.recipe import Commands, Layout
from submissions.sandbox.jail import Jail
from submissions.sandbox.policy import TOOLCHAIN
from submissions.sandbox.process import JailedProcess
from submissions.sandbox.recipe import MEGABYTE, Limits, Recipe
from submissions.sandbox.roots import BOX, pack

LOG_BYTES = 64 * 1024
"""Of the compiler's output, the first and the last half of this are kept."""

MOST_TIMES, PER_TIME = 6.0, 10
"""A program of several files may take longer to build: once more for so many sources, up to so many times."""

PATIENCE = 3.0
"""A build on a busy machine gets back the time in which others had its core, up to so many times its limit."""

MOUNTS = ("/usr", "/dev/null", "/dev/urandom")

NICE = 2
"""How far a compiler's priority is below the worker's. Matches go first, but beside matches on every core it still gets
a quarter of one: otherwise the limit of seconds would end honest builds on a busy machine."""

DOES_NOT_COMPILE = "It does not compile."
"""A reason that the log explains."""
NO_PROGRAM = "The compiler reported success but left no program."
DYNAMIC = "The program needs shared libraries, and bots have none. In Pascal, do without the C library (cmem)."
LOADER = re.compile(rb"/ld-(?:linux|musl)[\w.-]*\.so")
"""Near the beginning of a program that is not linked statically."""


@dataclass(frozen=True, slots=True)
class BuildLimits:
    """The limits of a build. The first three are the language's (games.toolchains.Building)."""

    seconds: float  # wall clock
    cpu_seconds: float  # of its first process; any other may use up to three times that
    memory_bytes: int
    processes: int = 64
    scratch_bytes: int = 256 * MEGABYTE
    product_bytes: int = 64 * MEGABYTE  # also the largest file it may write
    longest: float = math.inf  # wall clock, however many sources it has

    def of(self, more: int) -> BuildLimits:
        """The limits with so many sources beside the first."""
        times = min(MOST_TIMES, 1 + more / PER_TIME)
        seconds = min(self.longest, times * self.seconds)
        return replace(self, seconds=seconds, cpu_seconds=times * self.cpu_seconds)

    def __str__(self) -> str:
        return f"Its limits are {self.cpu_seconds:g} s of processor time and {self.seconds:g} s by the clock."


@dataclass(frozen=True, slots=True)
class BuildResult:
    """The result of a build. It has an `artifact` exactly if it is `ok`."""

    ok: bool
    command: str  # as shown to people, ready to type
    toolchain: str
    log: str
    artifact: bytes | None
    seconds: float
    reason: str = ""  # one sentence, unless ok


class Language(Protocol):
    """What a build needs from a language (submissions.languages.Language)."""

    @property
    def name(self) -> str: ...
    @property
    def extensions(self) -> tuple[str, ...]: ...
    @property
    def product(self) -> str: ...
    @property
    def interpreted(self) -> bool: ...
    @property
    def run(self) -> tuple[str, ...]: ...
    @property
    def mounts(self) -> tuple[str, ...]: ...
    @property
    def tools(self) -> tuple[str, ...]: ...
    @property
    def build_limits(self) -> BuildLimits: ...
    def installed(self) -> bool: ...
    def toolchain(self) -> str: ...
    def compiled(self, filename: str, source: bytes, support: Collection[str]) -> tuple[str, bytes]: ...
    def build(self, source: str, support: Sequence[str]) -> list[Commands]: ...
    def build_folder(self, layout: Layout) -> list[Commands]: ...
    def lay_out(self, files: Mapping[str, bytes], entry: str, kit: Mapping[str, bytes]) -> Layout: ...


def build(
    language: Language,
    source: bytes,
    filename: str,
    support: Mapping[str, bytes] | None = None,
    *,
    limits: BuildLimits | None = None,
) -> BuildResult:
    """Build one source file with the game's kit files, which replace an entry of the same name.

    Raises MachineryError if the build could not be tried: no jail, or the language is not installed.
    """
    _demand(language)
    kit = dict(support or {})
    name, source = language.compiled(filename, source, kit)
    files = {**kit, name: source}
    kept = files if language.interpreted else {}
    return _built(language, files, language.build(name, sorted(kit)), kept, (limits or language.build_limits).of(0))


def build_folder(
    language: Language,
    files: Mapping[str, bytes],
    entry: str,
    support: Mapping[str, bytes] | None = None,
    *,
    limits: BuildLimits | None = None,
) -> BuildResult:
    """Build a program of several files, which keeps its folder when it runs. The kit's files replace the author's.

    `language` is that of the folder (`submissions.languages.in_folder`). Raises MachineryError as `build` does.
    """
    _demand(language)
    layout = language.lay_out(files, entry, support or {})
    attempts = language.build_folder(layout)
    more = 0 if language.interpreted else len(layout.more)
    return _built(language, layout.files, attempts, layout.files, (limits or language.build_limits).of(more))


def _demand(language: Language) -> None:
    if not language.installed():
        raise MachineryError(f"{language.name} is not installed on this machine")


def _built(
    language: Language,
    files: Mapping[str, bytes],
    attempts: list[Commands],
    kept: Mapping[str, bytes],
    limits: BuildLimits,
) -> BuildResult:
    """Run the commands in a folder of these files, until an attempt succeeds. The artifact holds what they leave, and
    the `kept` files."""
    started = time.monotonic()
    with _jail(language, limits) as jail:
        _store(jail, files)
        for commands in attempts:
            log, reason = _compile(jail, commands, limits)
            if reason != DOES_NOT_COMPILE:
                break
        made = {}
        if not reason and not language.interpreted:
            made[language.product], reason = _fetch(jail, language.product, limits.product_bytes)
            if not language.mounts and LOADER.search(made[language.product][:4096]):
                reason = DYNAMIC
    started_by = [word for word in language.run if "{" not in word]  # without the contest's memory limit
    return BuildResult(
        ok=not reason,
        command=" && ".join(map(_shown, [started_by] if language.interpreted else commands)),
        toolchain=language.toolchain(),
        log=clean(log, jail.box),
        artifact=None if reason else pack({**kept, **made}),
        seconds=time.monotonic() - started,
        reason=reason,
    )


def _shown(command: Sequence[str]) -> str:
    """The command as a person would type it in the entry's folder."""
    words = (re.sub(rf"{BOX}$", ".", word.replace(f"{BOX}/", "")) for word in command[1:])
    return shlex.join([PurePath(command[0]).name, *words])


def _jail(language: Language, limits: BuildLimits) -> Jail:
    tools = tuple(path for path in language.tools if Path(path).exists())
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": BOX, "TMPDIR": BOX, "LC_ALL": "C.UTF-8"}
    inside = Limits(
        memory_bytes=limits.memory_bytes,
        processes=limits.processes,
        cpu_seconds=limits.cpu_seconds,
        file_bytes=limits.product_bytes,
        scratch_bytes=limits.scratch_bytes,
        open_files=256,
        nice=NICE,
    )
    return Jail(Recipe(TOOLCHAIN, ("/init",), (*MOUNTS, *tools), environment), inside)


def _store(jail: Jail, files: Mapping[str, bytes]) -> None:
    words = [word for name, data in files.items() for word in (name, f"{len(data)}")]
    process = jail.run("/init", "store", *words)
    _, _, end = _converse(process, b"".join(files.values()), 0, 30.0)
    if end.status is not ExitStatus.EXITED or end.code:
        raise MachineryError(f"the sources could not be stored in the jail: {end}")


def _compile(jail: Jail, commands: Commands, limits: BuildLimits) -> tuple[bytes, str]:
    """Run one command after the other until one fails. Returns their output, and why it failed. Only the last compiles
    what an author wrote, so the limits are for each."""
    log = b""
    for command in commands:
        path = command[0] if command[0].startswith("/") else _which(command[0])
        process = jail.run(path, *command[1:])
        _, said, end = _converse(process, b"", LOG_BYTES, limits.seconds)
        log += said
        if reason := _why(end, said, limits):
            return log, reason
    return log, ""


def _which(program: str) -> str:
    for folder in ("/usr/local/bin", "/usr/bin"):
        if os.access(f"{folder}/{program}", os.X_OK):
            return f"{folder}/{program}"
    raise MachineryError(f"{program} is not installed on this machine")


def _fetch(jail: Jail, product: str, most: int) -> tuple[bytes, str]:
    """The built file, or the reason why there is none."""
    data, _, end = _converse(jail.run("/init", "emit", f"{BOX}/{product}"), b"", most + 1, 30.0)
    if len(data) > most:
        return b"", f"The built program is larger than {most // MEGABYTE} MB."
    if end.status is not ExitStatus.EXITED or end.code or not data:
        return b"", NO_PROGRAM
    return data, ""


SIGNS = {
    b"CPU time limit exceeded signal terminated": ExitStatus.CPU,  # gcc, about its own processes
    b"java.lang.OutOfMemoryError": ExitStatus.MEMORY,
    b"No space left on device": ExitStatus.OUTPUT,
    b"File size limit exceeded": ExitStatus.OUTPUT,
}
"""How compilers report that they exceeded a limit."""


def _why(end: Exit, log: bytes, limits: BuildLimits) -> str:
    """How a compiler ended, in one sentence; empty if all is well."""
    status = end.status
    if status is ExitStatus.EXITED:
        if end.code == 0:
            return ""
        status = next((told for sign, told in SIGNS.items() if sign in log), status)
    elif end.signal == signal.SIGXFSZ:
        status = ExitStatus.OUTPUT
    match status:
        case ExitStatus.EXITED:
            return DOES_NOT_COMPILE
        case ExitStatus.MEMORY:
            return f"The compiler needed more than {limits.memory_bytes // MEGABYTE} MB of memory."
        case ExitStatus.CPU:
            return f"The compiler needed more than {limits.cpu_seconds:g} s of processor time. {limits}"
        case ExitStatus.OUTPUT:
            most = f"{limits.product_bytes // MEGABYTE} MB into a file, or {limits.scratch_bytes // MEGABYTE} MB in all"
            return f"The compiler wrote more than {most}."
        case ExitStatus.KILLED:
            return f"The compiler was not done after {limits.seconds:g} s. {limits}"
        case _:
            return f"The compiler was ended by signal {end.signal}."


def _converse(process: JailedProcess, data: bytes, most: int, seconds: float) -> tuple[bytes, bytes, Exit]:
    """Write `data` and read both streams to their ends. Standard output is cut after `most` bytes. The log is both
    streams as they arrived, with its middle left out beyond `most`. Raises MachineryError if others had its core."""
    output, log = bytearray(), Excerpt(most)
    started = time.perf_counter()
    deadline = Deadline(process, started, seconds, fresh=True)
    poll = select.poll()
    poll.register(process.stdout, select.POLLIN)
    poll.register(process.stderr, select.POLLIN)
    if data:
        poll.register(process.stdin, select.POLLOUT)
    else:
        process.close_input()
    open_streams = 2
    while open_streams and (left := deadline.left()) > 0:
        if (now := time.perf_counter()) >= started + PATIENCE * seconds:
            process.stop(0.0)
            raise MachineryError(f"others had the processor: a compiler was not done in {now - started:.0f} seconds")
        for fd, _ in poll.poll(1000 * left):
            if fd == process.stdin:
                try:
                    data = data[os.write(fd, data[:65_536]) :]
                except BrokenPipeError:
                    data = b""
                if not data:
                    poll.unregister(fd)
                    process.close_input()
            elif piece := os.read(fd, 65_536):
                log.add(piece)
                if fd == process.stdout and len(output) < most:
                    output += piece
            else:
                poll.unregister(fd)
                open_streams -= 1
    return bytes(output), log.text(), process.stop(max(0.0, deadline.left()))


class Excerpt:
    """The beginning and the end of a stream of any length."""

    def __init__(self, size: int) -> None:
        self._half = size // 2
        self._head = bytearray()
        self._tail = bytearray()
        self._left_out = 0

    def add(self, piece: bytes) -> None:
        room = self._half - len(self._head)
        if room > 0:
            self._head += piece[:room]
            piece = piece[room:]
        self._tail += piece
        if (surplus := len(self._tail) - self._half) > 0:
            del self._tail[:surplus]
            self._left_out += surplus

    def text(self) -> bytes:
        gap = f"\n[… {self._left_out} bytes left out …]\n".encode() if self._left_out else b""
        return bytes(self._head) + gap + bytes(self._tail)


def clean(log: bytes, box: str = BOX) -> str:
    """A compiler's output as text, without the jail's folder, wherever that is, and without control characters."""
    text = log.decode("utf-8", "replace").replace(f"{box}/", "").replace(box, BOX).replace("\r\n", "\n")
    return "".join(char if char in "\n\t" or char.isprintable() else "�" for char in text)
