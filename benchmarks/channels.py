"""What two bots of one match could tell each other, channel by channel.

    python -m benchmarks.channels [--seconds 25] [--policy java] [CHANNEL…]

Two jails are open at once, with different bots of the same language. One is given random bits and tries to send them
through the channel, the other one reads a number (channels.c). What the numbers mean is learnt from the first half of
the bits, and the second half is read: a channel carries what is right beyond chance (mutual information), times the
number of bits in a second. Each is tried with both bots on one core, and on two. The bots are C programs behind the
walls of an interpreter, which are the most permissive. `KIBITZ_SANDBOX_WALLS=landlock` and `KIBITZ_CGROUP=off` choose
another level than this machine's.

What cannot be told from chance counts as nothing: the longer a channel is tried, the less that is (`MOST` after 25
seconds). A channel whose receiver always reads the same number is given up sooner.

Then all numbers that the kernel hands out are tried at once, in matches of every protocol and behind the walls of a C
program, too: the sender makes the kernel count on, the receiver tells its numbers. They have a target for each match.

Channels named `cpu-…` and `cache-line-…` use the processor that two bots share. Their figures are printed and have no
target. Exit status 1 if any other channel carries more than one bit in a second, or in a match.
"""

from __future__ import annotations

import argparse
import math
import operator
import os
import random
import select
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from games.engine import MachineryError
from games.options import Server
from games.programs import ExitStatus, pinned
from submissions.languages import LANGUAGES, Language
from submissions.sandbox import Jail, JailedProcess, Limits, Parcel, build, probe

SOURCE = Path(__file__).with_suffix(".c")
MOST = 1.0  # bits per second
SOON = 0.3  # seconds after which a channel without any difference is given up
DEVIATIONS = 4  # of chance; beyond that something came through
PROCESSOR = ("cpu-", "cache-line-")
OF_OTHERS = ("clock-of-process", "state-of-process")
PROTOCOLS = {"questions": 16, "lines": 8, "tcp": 8}
"""The bits tried in a match, in which a bot is started for every question, once, or once as a TCP client. One process
can have few numbers."""
PROCESSES = ("process", "parent", "session", "group", "thread", "first-thread")
"""Numbers of processes, which `landlock` does not hide (docs/security.md)."""
FILES = {
    "python": ("lib/python3*/antigravity.py", "lib/python3*/*.py"),
    "javascript": ("bin/node", "bin/node"),
    "java": ("lib/libsyslookup.so", "lib/*"),
}
"""For each language, patterns below the folder of its runtime: a file that nobody else uses, and many files."""


class Sender:
    """A language whose bots are C programs: the walls are those of the language."""

    def __init__(self, language: Language, words: Sequence[str]) -> None:
        self._language, self._words = language, tuple(words)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._language, name)

    def run_within(self, memory_bytes: int) -> tuple[str, ...]:
        return ("/box/bot", *self._words)

    def environment_within(self, memory_bytes: int) -> dict[str, str]:
        return {}


@dataclass(frozen=True)
class Found:
    """What came through a channel. `ended` says what ended a bot that tried it."""

    right: float
    tried: int
    bits_per_second: float
    ended: str = ""


def parcels() -> tuple[Parcel, Parcel]:
    """Two different bots that can send and receive."""
    made = []
    for number in range(2):
        source = SOURCE.read_bytes() + b'\nconst char *const program = "%d";\n' % number
        result = build(LANGUAGES["c"], source, "mybot.c")
        assert result.artifact is not None, result.log
        made.append(Parcel.of(result.artifact))
    return made[0], made[1]


def channels() -> list[str]:
    """The names of all channels."""
    with Jail.open(parcels()[0], LANGUAGES["c"], Limits(memory_bytes=16 << 20)) as jail:
        return jail.ask(b"", seconds=5.0).output.decode().split()


def files_of(slug: str) -> list[str]:
    """Files that bots of that language can read: first one for many bits, then one for each bit."""
    prefix = Path(LANGUAGES[slug].run[0]).parent.parent
    first, others = (sorted(prefix.glob(pattern)) for pattern in FILES[slug])
    return [str(path) for path in [*first[:1], *(it for it in others if it.is_file())][:150]]


def attempt(channel: str, slug: str, bots: tuple[Parcel, Parcel], seconds: float, cores: Sequence[int]) -> Found:
    """Send random bits through a channel for that long. `cores` are those of the two bots."""
    random_bits = random.Random(f"{channel} {slug}")
    files = files_of(slug)
    with ExitStack() as stack:
        processes: list[JailedProcess] = []
        for role, bot, core in zip(("send", "receive"), bots, cores, strict=True):
            if channel in OF_OTHERS and processes:
                files = [f"{processes[0].pid}"]
            stack.enter_context(pinned(core))
            language: Any = Sender(LANGUAGES[slug], (channel, role, *files))
            limits = Limits(memory_bytes=256 << 20)
            processes.append(stack.enter_context(Jail.open(bot, language, limits)).start())
        sent: list[int] = []
        received: list[int] = []
        started = time.perf_counter()
        try:
            while (took := time.perf_counter() - started) < seconds or len(sent) < 40:
                if took > SOON and len(sent) >= 100 and len(set(received[5:])) == 1:
                    break
                bit = random_bits.getrandbits(1)
                _ask(processes[0], b"%d\n" % bit)
                received.append(int(_ask(processes[1], b"r\n")))
                sent.append(bit)
        except _Ended as end:
            return Found(0.5, len(sent), 0.0, str(end))
        took = time.perf_counter() - started
    right = learnt(sent, received)
    half = len(sent) - len(sent) // 2
    return Found(right, len(sent), information(right, half) * len(sent) / took)


def twice(channel: str, slug: str, bots: tuple[Parcel, Parcel], seconds: float, cores: Sequence[int]) -> Found:
    """The same, and once more if something came through: the lower result counts."""
    found = attempt(channel, slug, bots, seconds, cores)
    if found.bits_per_second > 0:
        found = min(found, attempt(channel, slug, bots, seconds, cores), key=lambda it: it.bits_per_second)
    return found


def numbers(
    slug: str, protocol: str, bots: tuple[Parcel, Parcel], seconds: float, cores: Sequence[int]
) -> dict[str, Found]:
    """Send random bits by whatever makes the kernel count on. What every number of the receiver carries, in a match."""
    random_bits, length = random.Random(f"numbers {slug}"), PROTOCOLS[protocol]
    sent: list[int] = []
    told: dict[str, list[tuple[int, int]]] = {}  # each number, and its distance from the one before
    with ExitStack() as stack:
        jails = []
        for role, bot, core in zip(("send", "receive"), bots, cores, strict=True):
            stack.enter_context(pinned(core))
            jails.append(stack.enter_context(opened_for_numbers(slug, role, bot, protocol)))
        started = time.perf_counter()
        while time.perf_counter() - started < seconds or len(sent) < 6 * length:
            try:
                talks = [talk_with(jail, protocol) for jail in jails]
                last = numbers_in(talks[1](b"r\n"))
                for _ in range(length):
                    bit = random_bits.getrandbits(1)
                    talks[0](b"%d\n" % bit)
                    now = numbers_in(talks[1](b"r\n"))
                    for name in now.keys() | told.keys():
                        value = now.get(name, 0)
                        told.setdefault(name, [(0, 0)] * len(sent)).append((value, value - last.get(name, 0)))
                    sent.append(bit)
                    last = now
            except _Ended as end:
                return {f"{end}": Found(0.5, len(sent), 0.0, str(end))}
    half = len(sent) - len(sent) // 2
    right = {name: max(learnt(sent, series) for series in zip(*found, strict=True)) for name, found in told.items()}
    return {name: Found(it, len(sent), information(it, half) * length) for name, it in right.items()}


def opened_for_numbers(slug: str, role: str, bot: Parcel, protocol: str) -> Jail:
    language: Any = LANGUAGES[slug]
    may = ",".join([*language.policy.allow, *(name for name, _ in language.policy.soft)]) or "-"
    server = Server() if protocol == "tcp" else None
    return Jail.open(bot, Sender(language, ("numbers", role, may)), Limits(memory_bytes=256 << 20), server)


def talk_with(jail: Jail, protocol: str) -> Callable[[bytes], bytes]:
    """Ask and hear the answer, in a new match of that protocol."""
    process = None if protocol == "questions" else jail.start()

    def talk(command: bytes) -> bytes:
        if process is None:
            answer = jail.ask(command, seconds=10.0)
            said = answer.output
            if answer.exit.status is not ExitStatus.EXITED:
                raise _Ended(f"{answer.exit.status} {answer.exit.call}".strip())
        else:
            said = _ask(process, command)
        for listener in jail.listeners:
            with suppress(BlockingIOError):
                while True:
                    listener.accept()[0].close()
        return said

    return talk


def numbers_in(line: bytes) -> dict[str, int]:
    return {name: int(value) for name, value in (word.split("=") for word in line.decode().split())}


class _Ended(Exception):
    """A bot ended; the text says how."""


def _ask(process: JailedProcess, command: bytes) -> bytes:
    try:
        os.write(process.stdin, command)
    except BrokenPipeError:
        raise _Ended(_why(process)) from None
    line, deadline = b"", time.monotonic() + 10
    while not line.endswith(b"\n"):
        if not select.select([process.stdout], [], [], deadline - time.monotonic())[0]:
            raise _Ended("it hangs")
        piece = os.read(process.stdout, 100)
        if not piece:
            raise _Ended(_why(process))
        line += piece
    return line


def _why(process: JailedProcess) -> str:
    end = process.stop(1.0)
    return f"{end.status} {end.call}".strip()


def learnt(sent: Sequence[int], received: Sequence[int]) -> float:
    """How many bits of the second half are right if read as the first half suggests: by a threshold, or by parity."""
    half = len(sent) // 2
    first, rest = (list(zip(received[part], sent[part], strict=True)) for part in (slice(half), slice(half, None)))
    marks = sorted({it for it, _ in first})
    readings: list[Reading] = [partial(operator.lt, mark) for mark in marks[:: max(1, len(marks) // 50)]]
    readings += [partial(operator.eq, mark) for mark in statistics.multimode(it for it, _ in first)[:3]]
    if len(marks) > 1:
        readings.append(partial(operator.and_, 1))
    best = max(readings, key=lambda it: abs(_share(it, first) - 0.5))
    right = _share(best, rest)
    return right if _share(best, first) >= 0.5 else 1 - right


Reading = Callable[[int], int]


def _share(reading: Reading, pairs: Sequence[tuple[int, int]]) -> float:
    return sum(reading(it) == bit for it, bit in pairs) / max(1, len(pairs))


def information(right: float, tried: int) -> float:
    """Bits in a bit, of which so many were right: 0 if that may be chance."""
    if not tried or right - 0.5 < DEVIATIONS * 0.5 / math.sqrt(tried):
        return 0.0
    wrong = 1 - right
    return 1.0 + sum(it * math.log2(it) for it in (right, wrong) if it)


def report(options: argparse.Namespace) -> int:
    """Try every channel at the level of this process, print a line for each, and return how many carry too much."""
    probe().demand()
    print(f"sandbox: {probe()}; walls of {LANGUAGES[options.policy].name}")
    bots, names, most = parcels(), options.channels or channels(), 0
    cores = sorted(os.sched_getaffinity(0))
    places = [(cores[0], cores[0]), (cores[0], cores[1])] if len(cores) > 1 else [(cores[0], cores[0])]
    for name in names:
        found = [twice(name, options.policy, bots, options.seconds, place) for place in places]
        highest = max(it.bits_per_second for it in found)
        bad = highest > MOST and not name.startswith(PROCESSOR)
        most += bad
        told = "   ".join(_told(it, one == other) for it, (one, other) in zip(found, places, strict=True))
        print(f"{name:<22} {told}{'  TOO MUCH' if bad else ''}", flush=True)
    for slug in () if options.channels else dict.fromkeys((options.policy, "c")):
        for protocol in PROTOCOLS:
            every = [numbers(slug, protocol, bots, options.seconds, place) for place in places]
            for name in sorted(set().union(*every)):
                found = [it[name] for it in every if name in it]
                highest = max(it.bits_per_second for it in found)
                bad = highest > MOST and not (probe().name == "landlock" and name in PROCESSES)
                most += bad
                if highest or options.every:
                    print(f"{slug} {protocol:<10} {name:<36} {highest:6.1f} bits a match{'  TOO MUCH' if bad else ''}")
            print(f"{slug} {protocol:<10} {len(every[0])} numbers tried", flush=True)
    return most


def _told(found: Found, together: bool) -> str:
    where = "one core" if together else "two cores"
    if found.ended:
        return f"{where:<9} {found.ended:<33}"
    return f"{where:<9} {found.right:6.1%} of {found.tried:<5} {found.bits_per_second:9.1f} bit/s"


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seconds", type=float, default=25.0, help="for each channel and placement")
    arguments.add_argument("--policy", default="python", choices=sorted(FILES), help="whose walls")
    arguments.add_argument("--every", action="store_true", help="print also numbers that carry nothing")
    arguments.add_argument("channels", nargs="*", metavar="CHANNEL")
    options = arguments.parse_args()
    try:
        return 1 if report(options) else 0
    except MachineryError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
