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

NATIVE = ARCHITECTURES.get(platform.machine(), 0)

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant


def _argument(index: int) -> int:
    return 16 + 8 * index  # the low half: every argument we check is an int for the kernel


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

    def code(self) -> list[Instruction]:
        program: list[Instruction] = [(LOAD, 0, 0, _argument(self.argument))]
        then = code_of(self.then)
        if self.exact is not None:
            program += [
                (JUMP_EQUAL, 0, 2 + len(then), self.exact & 0xFFFFFFFF),
                (LOAD, 0, 0, _argument(self.argument) + 4),
            ]
            program += [(JUMP_EQUAL, 0, len(then), self.exact >> 32), *then]
        elif self.values:
            for value in self.values:
                program += [(JUMP_EQUAL, 0, len(then), value & 0xFFFFFFFF), *then]
        else:
            program += [(JUMP_SET, 0, len(then), self.bits), *then]
        return program + code_of(self.otherwise)


Action = int | Check


def code_of(action: Action) -> list[Instruction]:
    return action.code() if isinstance(action, Check) else [(RETURN, 0, 0, action)]


def assemble(actions: Mapping[int, Action], default: int, foreign: int) -> bytes:
    """The filter as `struct sock_filter[]`. `actions` by call number, `default` for other calls, `foreign` for calls of
    another architecture (32-bit, x32)."""
    program: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_EQUAL, 1, 0, NATIVE),
        (RETURN, 0, 0, foreign),
        (LOAD, 0, 0, NUMBER),
    ]
    if platform.machine() == "x86_64":
        program += [(JUMP_AT_LEAST, 0, 1, X32_BIT), (RETURN, 0, 0, foreign)]
    program += _tree(_ranges(actions, default))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _ranges(actions: Mapping[int, Action], default: int) -> list[tuple[int, Action]]:
    """(first number, action) of every range of neighbours that share an action."""
    ranges: list[tuple[int, Action]] = []
    for number in range(max(actions) + 2):
        action = actions.get(number, default)
        if not ranges or ranges[-1][1] != action:
            ranges.append((number, action))
    return ranges


def _tree(ranges: list[tuple[int, Action]]) -> list[Instruction]:
    """Binary search over the ranges."""
    if len(ranges) == 1:
        return code_of(ranges[0][1])
    middle = len(ranges) // 2
    low, high = _tree(ranges[:middle]), _tree(ranges[middle:])
    if len(low) <= 255:
        return [(JUMP_AT_LEAST, len(low), 0, ranges[middle][0]), *low, *high]
    return [(JUMP_AT_LEAST, 0, 1, ranges[middle][0]), (JUMP, 0, 0, len(low)), *low, *high]
