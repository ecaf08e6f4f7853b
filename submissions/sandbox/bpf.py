"""Compiles system-call filters: a table from call numbers to actions becomes classic BPF over `struct seccomp_data`.

It uses a binary search over ranges of numbers, so that the kernel computes its table of always-allowed calls fast and
each check is cheap. No library is needed.
"""

from __future__ import annotations

import platform
import struct
from collections.abc import Mapping
from dataclasses import dataclass

LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_SET, JUMP, RETURN = 0x20, 0x15, 0x35, 0x45, 0x05, 0x06
ALLOW, NOTIFY, ERRNO = 0x7FFF0000, 0x7FC00000, 0x00050000
NUMBER, ARCHITECTURE = 0, 4
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_BIT = 0x40000000
REACH = 250  # instructions: a jump by a test has eight bits

NATIVE = ARCHITECTURES.get(platform.machine(), 0)

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant


def deny(number: int) -> int:
    """Fail with this errno."""
    return ERRNO | number


@dataclass(frozen=True, slots=True)
class Check:
    """Test one argument: whether its low half equals one of `values` or has any of `bits` set, or whether all its 64
    bits are `exact`. If so the action is `then`, otherwise `otherwise`."""

    argument: int
    then: int | Check
    otherwise: int | Check
    values: tuple[int, ...] = ()
    bits: int = 0
    exact: int | None = None


Action = int | Check


class _Program:
    """A filter, written from its end to its beginning, because jumps only lead forward. A place in it is the number of
    instructions from there to the end. Code in reach is not written again: the kernel translates the filter of each
    jail anew, which takes a twentieth of the time for opening it."""

    def __init__(self) -> None:
        self.code: list[Instruction] = []
        self._places: dict[Action, int] = {}

    def write(self, code: int, constant: int) -> int:
        self.code.append((code, 0, 0, constant))
        return len(self.code)

    def jump(self, code: int, constant: int, then: int, otherwise: int) -> int:
        """Go to one of two places."""
        then, otherwise = self._near(then), self._near(otherwise)
        self.code.append((code, len(self.code) - then, len(self.code) - otherwise, constant))
        return len(self.code)

    def _near(self, place: int) -> int:
        return place if len(self.code) - place < REACH else self.write(JUMP, len(self.code) - place)

    def put(self, action: Action) -> int:
        if len(self.code) - self._places.get(action, -REACH) >= REACH:
            self._places[action] = self._check(action) if isinstance(action, Check) else self.write(RETURN, action)
        return self._places[action]

    def _check(self, check: Check) -> int:
        otherwise, then = self.put(check.otherwise), self.put(check.then)
        low = 16 + 8 * check.argument  # half of it: every argument we check is an int for the kernel
        if check.exact is not None:
            self.jump(JUMP_EQUAL, check.exact >> 32, then, otherwise)
            then = self.write(LOAD, low + 4)
            self.jump(JUMP_EQUAL, check.exact & 0xFFFFFFFF, then, otherwise)
        elif check.values:
            for value in check.values:
                otherwise = self.jump(JUMP_EQUAL, value & 0xFFFFFFFF, then, otherwise)
        else:
            self.jump(JUMP_SET, check.bits, then, otherwise)
        return self.write(LOAD, low)

    def tree(self, ranges: list[tuple[int, Action]]) -> int:
        """Binary search over ranges: (first number, action)."""
        if len(ranges) == 1:
            return self.put(ranges[0][1])
        middle = len(ranges) // 2
        high, low = self.tree(ranges[middle:]), self.tree(ranges[:middle])
        return self.jump(JUMP_AT_LEAST, ranges[middle][0], high, low)


def assemble(actions: Mapping[int, Action], default: int, foreign: int) -> bytes:
    """The filter as `struct sock_filter[]`. `actions` by call number, `default` for other calls, `foreign` for calls of
    another architecture (32-bit, x32)."""
    program = _Program()
    reported, start = program.put(foreign), program.tree(_ranges(actions, default))
    if platform.machine() == "x86_64":
        start = program.jump(JUMP_AT_LEAST, X32_BIT, reported, start)
    assert start == len(program.code)
    program.jump(JUMP_EQUAL, NATIVE, program.write(LOAD, NUMBER), reported)
    program.write(LOAD, ARCHITECTURE)
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in reversed(program.code))


def _ranges(actions: Mapping[int, Action], default: int) -> list[tuple[int, Action]]:
    """(first number, action) of every range of neighbours that share an action."""
    ranges: list[tuple[int, Action]] = []
    for number in range(max(actions) + 2):
        action = actions.get(number, default)
        if not ranges or ranges[-1][1] != action:
            ranges.append((number, action))
    return ranges
