"""One cell of the matrix: an attack by a language at this process's place. Run by worker.py."""

from __future__ import annotations

import os
import re
import select
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from games.engine import MachineryError
from games.programs import Exit, ExitStatus
from submissions.languages import LANGUAGES
from submissions.sandbox import Jail, JailedProcess, Limits, walls
from submissions.sandbox.native import native
from tests.sandbox.matrix.attacks import Attack, Script, compile_script
from tests.sandbox.matrix.witness import Witness, cold, descendants, facts, used_between, warm

MEGABYTE = 1 << 20
RAW = ("c", "cpp", "pascal", "python", "go", "rust", "perl", "php", "ruby", "haskell")
"""Languages that can make any system call: by themselves, or by a library that comes with them."""

SECONDS = 60.0
"""How long an attack may take on a busy machine. Those that can only be killed get PATIENCE."""
PATIENCE = 0.4

SLACK = 0.06
"""Seconds of processor time that may be missing in a charge: the kernel tells that of ended children in ticks of 10 ms.
An attack that hides time uses 0.3."""

HELD, BREACHED, UNEXPECTED, IMPOSSIBLE = "held", "breached", "unexpected", "impossible"


@dataclass(frozen=True, slots=True)
class Cell:
    """What became of an attack. `detail`: the breach, the reason, or the end."""

    result: str
    detail: str


@dataclass(slots=True)
class _Run:
    """What one program did."""

    end: Exit
    output: bytes
    errors: bytes
    hidden: float  # processor seconds used and not charged
    left: int  # processes that are still there
    cold: int  # pages of the library that were not in memory when it held
    calls: list[int] = field(default_factory=list)

    @property
    def finished(self) -> bool:
        return b"end" in self.output.splitlines()

    @property
    def unsupported(self) -> str:
        """Why the driver could not do it. Empty if it could."""
        return next((line[2:].decode() for line in self.output.splitlines() if line.startswith(b"u ")), "")


class Cells:
    """Runs attacks at this process's place. `artifacts` holds the built drivers by language."""

    def __init__(self, artifacts: dict[str, bytes], witness: Witness) -> None:
        self._artifacts = artifacts
        self._witness = witness
        self._jails: dict[tuple[str, Limits, str], Jail] = {}

    def close(self) -> None:
        while self._jails:
            self._jails.popitem()[1].close()

    def run(self, attack: Attack, slug: str) -> Cell:
        """Try an attack. Never raises: what the sandbox cannot do is a breach, because matches would stop."""
        raw = slug in RAW
        if not attack.script(raw=raw):
            return Cell(IMPOSSIBLE, _why_not(attack, slug))
        if attack.needs == "namespaces" and walls.are() is walls.Walls.LANDLOCK:
            return Cell(IMPOSSIBLE, f"{attack.name}: no namespaces at landlock, as docs/security.md says")
        try:
            return self._try(attack, slug, raw)
        except MachineryError as error:
            self.close()
            return Cell(BREACHED, f"the sandbox failed: {error}")
        except KeyError as error:
            return Cell(IMPOSSIBLE, f"the headers of this machine do not know the call {error}")

    def _try(self, attack: Attack, slug: str, raw: bool) -> Cell:
        list(self._witness.sees(b""))
        limits = _limits(attack, slug)
        jail = self._jail(slug, limits, "same")
        script = self._script(attack, jail, slug, limits, raw, later=False)
        known = [fact for name in attack.hides for fact in facts(name, attack.file)]
        run = self._perform(jail, script, attack, raw)
        known += [fact for name in attack.hides for fact in facts(name, attack.file)]
        breaches = list(self._breaches(attack, script, run, known))
        if attack.script(raw=raw, later=True) and not breaches:
            jail = self._jail(slug, limits, attack.where)
            script = self._script(attack, jail, slug, limits, raw, later=True)
            breaches += self._breaches(attack, script, self._perform(jail, script, attack, raw), known)
        if breaches:
            self.close()
            return Cell(BREACHED, "; ".join(dict.fromkeys(breaches)))
        if run.unsupported:
            return Cell(IMPOSSIBLE, f"{LANGUAGES[slug].name}: {run.unsupported}")
        ended = _verdict(run)
        if not any(ended == wanted or ended.startswith(f"{wanted} ") for wanted in attack.expect):
            return Cell(UNEXPECTED, f"{ended}: {run.output[-200:]!r} {run.errors[-300:]!r}")
        return Cell(HELD, ended)

    def _jail(self, slug: str, limits: Limits, which: str) -> Jail:
        key = slug, limits, which
        if key not in self._jails:
            if len(self._jails) > 12:
                self.close()
            self._jails[key] = Jail.open(self._artifacts[slug], LANGUAGES[slug], limits)
        return self._jails[key]

    def _script(self, attack: Attack, jail: Jail, slug: str, limits: Limits, raw: bool, *, later: bool) -> Script:
        limit = limits.memory_bytes // MEGABYTE
        words = self._witness.words(jail.slot.user) | {
            "over": (limit + 12) * MEGABYTE,
            "much": (3 * limit + 24) * MEGABYTE,
            "library": LANGUAGES[slug].run[0],
        }
        return compile_script(attack.script(raw=raw, later=later), words, native().numbers, raw=raw)

    def _perform(self, jail: Jail, script: Script, attack: Attack, raw: bool) -> _Run:
        before = descendants()
        process = jail.start()
        hidden, cold_pages = 0.0, 0
        library = _seen_by(process.pid, jail.recipe.command[0]) if attack.cools else ""
        if library:
            warm(library)
        until_held, hold, rest = script.lines.partition(b"\nh\n" if raw else b"\nhold\n")
        os.write(process.stdin, until_held + hold)
        streams = _Streams(process)
        if streams.read(_patience(attack), until=b"held\n"):
            used = used_between(before, descendants())
            hidden = used - (process.cpu_seconds() or 0.0)
            cold_pages = cold(library) if library else 0
            os.write(process.stdin, b"go on\n" + rest)
            streams.read(_patience(attack))
        process.close_input()
        end = process.stop(0.0 if streams.open else 2.0)
        after = descendants()
        used = used_between(before, after)
        left = len(after.keys() - before.keys())
        run = _Run(end, streams.said, streams.complained, max(hidden, used - end.cpu_seconds), left, cold_pages)
        run.calls = [int(line.split()[2]) for line in run.output.splitlines() if re.fullmatch(rb"c \d+ -?\d+", line)]
        return run

    def _breaches(self, attack: Attack, script: Script, run: _Run, known: list[bytes]) -> Iterator[str]:
        output = run.output + b"".join(_dumped(run.output))
        yield from self._witness.sees(output)
        if run.left:
            yield f"{run.left} processes are left"
        if run.hidden > SLACK:
            yield f"{run.hidden:.2f} s of processor time are not charged"
        if run.cold:
            yield f"{run.cold} pages of a shared file are no longer in memory"
        for number in script.forbidden:
            if len(run.calls) >= number and run.calls[number - 1] >= 0:
                yield f"call {number} succeeded with {run.calls[number - 1]}"
        for first, second in script.pairs:
            if len(run.calls) >= second and run.calls[first - 1] != run.calls[second - 1]:
                yield f"call {first} gave {run.calls[first - 1]}, call {second} {run.calls[second - 1]}"
        if attack.outlives and run.finished and (not run.calls or run.calls[-1] >= 0) and not run.unsupported:
            yield f"it lived on to its end ({_verdict(run)})"
        for fact in known:
            if fact in output:
                yield f"it said what is true of the host: {fact[:40]!r}"
                return


class _Streams:
    """What a program says, read until it ends."""

    def __init__(self, process: JailedProcess) -> None:
        self._said = {process.stdout: b"", process.stderr: b""}
        self._out, self._errors = process.stdout, process.stderr
        self._poll = select.poll()
        self.open = 0
        for fd in self._said:
            self._poll.register(fd, select.POLLIN)
            self.open += 1

    @property
    def said(self) -> bytes:
        return self._said[self._out]

    @property
    def complained(self) -> bytes:
        return self._said[self._errors]

    def read(self, seconds: float, until: bytes | None = None) -> bool:
        """Read until both streams end, the time is up, or it said `until`: then True."""
        deadline = time.monotonic() + seconds
        while self.open and (left := deadline - time.monotonic()) > 0:
            for fd, _ in self._poll.poll(1000 * left):
                data = os.read(fd, 65_536)
                if not data:
                    self._poll.unregister(fd)
                    self.open -= 1
                else:
                    self._said[fd] = (self._said[fd] + data)[-MEGABYTE:]
            if until is not None and self.said.endswith(until):
                return True
        return False


def _seen_by(pid: int, path: str) -> str:
    """A path by which this process sees a file that a bot sees. Empty: it may not look into the bot's root."""
    ours = path if walls.are() is walls.Walls.LANDLOCK else f"/proc/{pid}/root{path}"
    return ours if os.access(ours, os.R_OK) else ""


def _limits(attack: Attack, slug: str) -> Limits:
    language = LANGUAGES[slug]
    memory = attack.memory * MEGABYTE or max(16 * MEGABYTE, 3 * language.memory_floor)
    threads, seconds = max(1, attack.threads), attack.cpu or None
    return Limits(memory_bytes=memory, processes=attack.processes, threads=threads, cpu_seconds=seconds)


def _patience(attack: Attack) -> float:
    return PATIENCE if attack.expect[0] == "killed" else SECONDS


def _verdict(run: _Run) -> str:
    """How it ended, in the words of `expect`."""
    end = run.end
    match end.status:
        case ExitStatus.VIOLATION:
            return f"violation {end.call} {end.path}".rstrip()
        case ExitStatus.EXITED:
            return "harmless" if end.code == 0 and run.finished else f"crash with exit status {end.code}"
        case ExitStatus.SIGNALLED:
            return f"signal {end.signal}"
        case _:
            return str(end.status)


def _dumped(output: bytes) -> Iterator[bytes]:
    for line in output.splitlines():
        if line.startswith(b"d "):
            try:
                yield b"\n" + bytes.fromhex(line[2:].decode())
            except ValueError:
                continue


def _why_not(attack: Attack, slug: str) -> str:
    if slug in RAW:
        return "the attack is for languages that cannot make system calls"
    return f"{LANGUAGES[slug].name} cannot make raw calls, and its library has no equivalent"
