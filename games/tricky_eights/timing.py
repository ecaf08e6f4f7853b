"""Processor time by function, as the kits' harness reports it (docs/rulings.md, Tricky Eights 6).

The Utah problem limits each of six functions. The referee only sees lines, and one answer may follow several functions.
So the harness of the kits adds to an answer what its functions used:

    dk cpu StartRound 31 TakeCard 512

whole milliseconds of processor time since the answer before, without those that used less than ten. A report can only
make the limit stricter than the wall limit for the lines, so a program that reports nothing, or too little, gains no
time that a program without the kit does not have.
"""

from __future__ import annotations

import re
from math import inf

from games.debug import ours
from games.engine import Fault, FaultKind

FUNCTIONS = ("StartGame", "StartRound", "TakeCard", "EndTakes", "PlayCard", "EndRound")

ONE_FUNCTION = "than one function may"
"""The end of the detail of a fault that a report shows."""

MOST = 2 * len(FUNCTIONS)
"""Calls in one report: between two answers hardly any function is called twice."""

_MARK = b" cpu "
_NAMES = frozenset(name.encode() for name in FUNCTIONS)
_MS = re.compile(rb"[0-9]{1,9}")


class FunctionTimes:
    """What one bot's functions used in a game, and whether each kept to its limit."""

    __slots__ = ("_limit_ms", "_spent")

    def __init__(self, seconds: float = inf) -> None:
        self._limit_ms = 1000 * seconds
        self._spent: dict[str, list[int]] = {}

    def strip(self, line: bytes) -> bytes:
        """Return an answer without its report, which is counted. Raises Fault(TIMEOUT) when a function took too
        long."""
        answer, used = _split(line)
        for name, ms in used:
            self._spent.setdefault(name, []).append(ms)
        for name, ms in used:
            if ms > self._limit_ms:
                raise Fault(FaultKind.TIMEOUT, f"used more processor time in {name} {ONE_FUNCTION}", line)
        return answer

    def account(self) -> str:
        """Return where the time went, a line for each function, for the bot's owner. Blank without a report."""
        if not self._spent:
            return ""
        lines = [ours("Processor time by function, in calls of 10 ms and more:")]
        for name in FUNCTIONS:
            if times := self._spent.get(name):
                calls = "1 call" if len(times) == 1 else f"{len(times)} calls"
                lines.append(ours(f"{name:<10} {sum(times):>7,} ms in {calls}, {max(times):,} ms at most"))
        return "".join(f"{line}\n" for line in lines)


def _split(line: bytes) -> tuple[bytes, list[tuple[str, int]]]:
    """Split a line into the answer, and the functions with their milliseconds. The answer is all of it if what follows
    `cpu` is no report. Takes a time in proportion to the line, which may have 64 KB of anything."""
    answer, mark, report = line.replace(b"\t", b" ").rpartition(_MARK)
    words = report.rstrip(b" \r").split()
    names, times = words[::2], words[1::2]
    good = mark and 0 < len(names) == len(times) <= MOST
    if not (good and _NAMES.issuperset(names) and all(map(_MS.fullmatch, times))):
        return line, []
    return answer.rstrip(b" "), [(name.decode(), int(ms)) for name, ms in zip(names, times, strict=True)]
