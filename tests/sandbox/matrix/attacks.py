"""The attacks of attacks/*.toml, and how their scripts become what the drivers read.

A script has a call or a step per line. Words in braces, such as {secret}, are filled in by the place (witness.py).

    openat -100 "{secret}" 0        a system call by its name, or `#451` by its number; texts are pointers to them
    read r1 m0 4096                 r1: the result of call 1; r1+8: the same and 8; m0: the driver's memory from byte 0
    ! kill {victim} 9               a breach if it succeeds
    = access "{secret}" 0           two calls with this mark one after another must give the same result
    bytes 64 0100ff                 puts bytes into the driver's memory, at 64
    unix 64 {stream}                … the address of a Unix socket; a name with @ is abstract
    inet 64 127.0.0.1 80            … of an internet socket; `inet6 64 80` for ::1
    number 64 4 17                  … a number of 4 bytes
    pointer 64 128                  … the address of byte 128, or of a text: pointer 64 "text"
    result 64 1                     … the result of call 1, as 8 bytes
    dump 0 64                       says those bytes of its memory
    touch r1 0 1048576              makes the memory at call 1's result real, from its byte 0, by a call that fills it
    times 1000                      the next call, so many times
    burn 300                        thinks for so many milliseconds
    hold                            lets the referee look at the clocks
    int80 20                        a call by the gate of 32-bit programs

`deeds` are scripts for languages without system calls, in words of their drivers, with the marks ! and =.
"""

from __future__ import annotations

import re
import shlex
import struct
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

FOLDER = Path(__file__).with_name("attacks")
TEXTS, MEMORY = 32_768, 65_536
"""Where texts begin in a driver's memory, and its size."""

HARMLESS, VIOLATION = "harmless", "violation"


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack. `expect` lists the ends that show that it failed, the usual one first."""

    name: str
    family: str
    tries: str  # what it tries, in a sentence
    source: str  # where the idea comes from
    breach: str  # what would show that it succeeded
    expect: tuple[str, ...]
    calls: str = ""
    deeds: str = ""
    later_calls: str = ""  # a second program, started afterwards
    later_deeds: str = ""
    where: str = "same"  # the jail of the second program: same or neighbour
    memory: int = 0  # MB; 0: what the language needs
    threads: int = 0  # beyond those of the language
    processes: int = 1
    cpu: int = 0  # seconds
    outlives: bool = False  # a breach if the program reaches its end
    charged: bool = False  # a breach if it used processor time that is not charged when it holds
    cools: bool = False  # a breach if pages of the file {library} are not in memory when it holds
    hides: tuple[str, ...] = ()  # facts of the host that must not be in its output (witness.py)
    file: str = ""  # the file of the fact `file`
    needs: str = ""  # what must hold it, where it is documented that nothing else does: namespaces

    def script(self, *, raw: bool, later: bool = False) -> str:
        """The script for a language that can make raw calls or not. Empty: there is none."""
        if later:
            return self.later_calls if raw else self.later_deeds
        return self.calls if raw else self.deeds


def load() -> dict[str, Attack]:
    """All attacks by name, in the order of their files."""
    found: dict[str, Attack] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        for entry in tomllib.loads(path.read_text())["attack"]:
            attack = _read(entry, path.stem)
            if attack.name in found:
                raise ValueError(f"two attacks are called {attack.name!r}")
            found[attack.name] = attack
    return found


def _read(entry: dict[str, object], family: str) -> Attack:
    known = {field.name for field in fields(Attack)} - {"family"}
    if unknown := entry.keys() - known:
        raise ValueError(f"{entry.get('name')}: unknown words {sorted(unknown)}")
    lists = {name: tuple(entry[name]) for name in ("expect", "hides") if name in entry}  # type: ignore[arg-type]
    return Attack(**{**entry, **lists}, family=family)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Script:
    """What a driver reads, and which calls are marked."""

    lines: bytes
    forbidden: tuple[int, ...]  # numbers of calls that must fail
    pairs: tuple[tuple[int, int], ...]  # of calls that must give the same result


def compile_script(text: str, words: Mapping[str, object], numbers: Mapping[str, int], *, raw: bool) -> Script:
    """The script for a driver. Raises KeyError for a call that this machine does not know."""
    maker = _Maker(numbers)
    text = re.sub(r"\{(\w+)\}", lambda match: str(words[match[1]]), text)
    for line in filter(None, map(str.strip, text.splitlines())):
        mark, line = (line[0], line[1:].strip()) if line[0] in "!=" else ("", line)
        before = maker.calls
        maker.add_call_or_step(line) if raw else maker.add_deed(line)
        maker.mark(mark, before)
    pairs = tuple(zip(maker.paired[::2], maker.paired[1::2], strict=True))
    return Script("".join(f"{line}\n" for line in [*maker.lines, "e"]).encode(), tuple(maker.forbidden), pairs)


class _Maker:
    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._numbers = numbers
        self._text = TEXTS
        self.lines: list[str] = []
        self.calls = 0
        self.forbidden: list[int] = []
        self.paired: list[int] = []

    def mark(self, mark: str, before: int) -> None:
        if mark == "!":
            self.forbidden += range(before + 1, self.calls + 1)
        elif mark == "=":
            self.paired.append(self.calls)

    def add_deed(self, line: str) -> None:
        if line.split(maxsplit=1)[0] not in ("hold", "burn"):
            self.calls += 1
        self.lines.append(line)

    def add_call_or_step(self, line: str) -> None:
        op, *words = shlex.split(line, posix=False)
        step = getattr(self, f"_{op}", None)
        if step is not None:
            step(*words)
        else:
            number = int(op[1:], 0) if op[0] == "#" else self._numbers[op]
            self._call(number, *words)

    def _call(self, number: int, *words: str) -> None:
        arguments = [self._argument(word) for word in words]
        self.calls += 1
        self.lines.append(" ".join(["c", f"{number}", *arguments]))

    def _argument(self, word: str) -> str:
        if word[0] == '"':
            return f"m{self._store(word[1:-1])}"
        if re.fullmatch(r"m\d+|r\d+(\+\d+)?", word):
            return word
        return f"{_signed(int(word, 0))}"

    def _store(self, text: str) -> int:
        data = text.encode().decode("unicode_escape").encode("latin-1") + b"\0"
        at, self._text = self._text, self._text + (len(data) + 15) // 16 * 16
        assert self._text <= MEMORY
        self._put(at, data)
        return at

    def _put(self, at: int | str, data: bytes) -> None:
        self.lines.append(f"w {at} {data.hex()}")

    def _bytes(self, at: str, text: str) -> None:
        self._put(at, bytes.fromhex(text))

    def _unix(self, at: str, path: str) -> None:
        self._put(at, struct.pack("=H", 1) + path.replace("@", "\0", 1).encode() + b"\0")

    def _inet(self, at: str, address: str, port: str) -> None:
        self._put(at, struct.pack("=H", 2) + struct.pack(">H4B", int(port), *map(int, address.split("."))) + bytes(8))

    def _inet6(self, at: str, port: str) -> None:
        self._put(at, struct.pack("=H", 10) + struct.pack(">H", int(port)) + bytes(19) + b"\1" + bytes(4))

    def _number(self, at: str, size: str, value: str) -> None:
        self._put(at, (int(value, 0) % 256 ** int(size)).to_bytes(int(size), "little"))

    def _pointer(self, at: str, target: str) -> None:
        self.lines.append(f"p {at} {self._store(target[1:-1]) if target[0] == chr(34) else target}")

    def _result(self, at: str, number: str) -> None:
        self.lines.append(f"q {at} {number}")

    def _dump(self, at: str, size: str) -> None:
        self.lines.append(f"d {at} {size}")

    def _touch(self, start: str, first: str, size: str) -> None:
        piece = 1 << 20
        for at in range(int(first), int(first) + int(size), piece):
            self._call(self._numbers["getrandom"], f"{start}+{at}", f"{piece}", "0")

    def _times(self, count: str) -> None:
        self.lines.append(f"n {count}")

    def _burn(self, milliseconds: str) -> None:
        self.lines.append(f"b {milliseconds}")

    def _hold(self) -> None:
        self.lines.append("h")

    def _int80(self, number: str) -> None:
        self.calls += 1
        self.lines.append(f"i {number}")


def _signed(number: int) -> int:
    return number - (1 << 64) if number >= 1 << 63 else number
