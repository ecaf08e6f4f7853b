"""Which shared libraries a program needs, read from its ELF headers. Nothing is executed."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

MAGIC = b"\x7fELF\x02\x01"  # 64 bits, little endian: all processors that we support
LOAD, DYNAMIC, INTERPRETER = 1, 2, 3
NEEDED, STRING_TABLE, RPATH, RUNPATH = 1, 5, 15, 29
PROGRAM_HEADER = struct.Struct("<IIQQQQQQ")
ENTRY = struct.Struct("<qQ")


@dataclass(frozen=True, slots=True)
class Links:
    """What a file is linked with. `folders` are its own search path, before the system's."""

    interpreter: str = ""
    needed: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


def links_of(path: Path) -> Links:
    """The links of an ELF file; none for any other file, or a damaged one."""
    try:
        with path.open("rb") as file:
            if file.read(6) != MAGIC:
                return Links()
            file.seek(0)
            return _links(file.read(), str(path.parent))
    except (OSError, struct.error, ValueError, UnicodeDecodeError):
        return Links()


def _links(data: bytes, origin: str) -> Links:
    (start,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    headers = [PROGRAM_HEADER.unpack_from(data, start + number * size) for number in range(count)]
    interpreter, entries = "", []
    for kind, _, offset, _, _, length, _, _ in headers:
        if kind == INTERPRETER:
            interpreter = data[offset : offset + length].rstrip(b"\0").decode()
        elif kind == DYNAMIC:
            entries = [ENTRY.unpack_from(data, at) for at in range(offset, offset + length - 15, ENTRY.size)]
    tables = [value for tag, value in entries if tag == STRING_TABLE]
    if not tables:
        return Links(interpreter)
    strings = _in_file(headers, tables[0])

    def text(at: int) -> str:
        return data[strings + at : data.index(b"\0", strings + at)].decode()

    needed = tuple(text(value) for tag, value in entries if tag == NEEDED)
    paths = [text(value) for tag, value in entries if tag in (RPATH, RUNPATH)]
    folders = [it.replace("${ORIGIN}", origin).replace("$ORIGIN", origin) for path in paths for it in path.split(":")]
    return Links(interpreter, needed, tuple(filter(None, folders)))


def _in_file(headers: list[tuple[int, ...]], address: int) -> int:
    for kind, _, offset, start, _, length, _, _ in headers:
        if kind == LOAD and start <= address < start + length:
            return offset + address - start
    raise ValueError("the string table is not in the file")
