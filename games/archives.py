"""Unpack what strangers send: ZIP, tar, also packed by gzip, bzip2 or xz, and single files, into memory and never onto
a disk.

Everything is checked while it is unpacked, so a hostile archive costs no more than the limits here: how much is read,
how many entries are looked at, how much comes out. What is left out is not kept. Devices and names that lead out of the
folder are refused, and links are followed only to files of the same archive. A tar is read by a hundred lines of our
own, because those of the standard library accept far more than we do.
"""

from __future__ import annotations

import bz2
import io
import lzma
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import IO, Any

from games.folders import MOST_LISTED, MOST_UNPACKED, OTHERS, TARS, FolderError, Item, checked_path, folder_of, shown

SINGLE = (".gz", ".bz2", ".xz")
"""One file, packed, if it is none of these tars."""
MOST_PACKED = 64 << 20
"""Bytes of an archive, with all that is left out."""
DENSEST = 200
"""How many times larger a file may become: text shrinks to a fifth, or to a hundredth if it repeats one line."""
UNSUSPICIOUS = 8 << 20
"""Bytes up to which a file may be as dense as it likes, such as a table of zeros."""
MOST_MEMBERS = 100
"""Parts of a tar.gz that was packed in parts."""
PACKED: dict[bytes, tuple[Callable[[], Any], int]] = {
    b"\x1f\x8b": (partial(zlib.decompressobj, 31), 256 << 20),
    b"BZ": (bz2.BZ2Decompressor, 32 << 20),
    b"\xfd7": (partial(lzma.LZMADecompressor, lzma.FORMAT_XZ, 80 << 20), 32 << 20),  # the memory that `xz -9` needs
}
"""By their first bytes: what unpacks gzip, bzip2 and xz, and how many bytes may come out, with what is left out and not
kept. The last two take ten times as long and more."""
PIECE = 64 << 10
WINDOWS_FOLDER = 0x10
"""The attribute of a folder, whose name may lack its slash."""
BLOCK = 512
LONGEST_HEADER = 64 << 10
"""Bytes in which a tar tells the name of what follows."""
LONGER = {b"L": b"path", b"K": b"linkpath"}
"""GNU tar's headers for long names, by pax's keywords."""
FOLDER, LINKS, SPARSE = b"5DV", (b"1", b"2"), b"S"
"""Kinds of entries of a tar. Among folders: GNU tar's list of a folder, and the name of the archive."""

TAKEN = "ZIP, tar, tar.gz, tar.bz2 and tar.xz are taken"


def is_archive(name: str) -> bool:
    return name.lower().endswith((".zip", *TARS, *SINGLE, *OTHERS))


def items(name: str, file: IO[bytes]) -> list[Item]:
    """Return the files of an archive, for `folders.collected`. Raises FolderError with a sentence for people, and so
    does reading one of them, for which `file` must still be open."""
    lower = name.lower()
    if lower.endswith(".jar"):
        raise FolderError(f"{shown(name)} is a compiled program. Send its sources; {TAKEN}.")
    if lower.endswith(OTHERS):
        raise FolderError(f"{shown(name)} cannot be unpacked here: {TAKEN}. Pack your files again as one of them.")
    size = file.seek(0, io.SEEK_END)
    if size > MOST_PACKED:
        raise too_large(name)
    file.seek(0)
    if lower.endswith(".zip"):
        return list(_from_zip(name, file))
    start = partial(_unzipped, name, file, size)
    if not lower.endswith(TARS):
        return [Item(checked_path(name.rpartition(".")[0]), partial(_read_single, name, start))]
    return list(_from_tar(name, _Tape(start)))


def too_large(name: str) -> FolderError:
    return FolderError(
        f"{shown(name)} is too large: an archive may have {MOST_PACKED >> 20} MB. Pack your program without folders "
        "that tools made, such as .git, .venv and node_modules."
    )


def _broken(name: str, what: str) -> FolderError:
    return FolderError(f"{shown(name)} is {what}. Pack your files again; {TAKEN}.")


def _device(path: str) -> str:
    return f"{shown(path)} is not a file but a device or a pipe. Leave it out."


def _huge(path: str, most: int = MOST_UNPACKED) -> FolderError:
    return FolderError(f"{shown(path)} is too large: no file may have more than {most:,} bytes. Leave it out.")


# ZIP ------------------------------------------------------------------------------------------------------------------


def _from_zip(name: str, file: IO[bytes]) -> Iterator[Item]:
    entries, last = 0, b""
    while piece := file.read(PIECE):
        entries += (last + piece).count(b"PK\x01\x02")
        last = piece[-3:]
        if entries > MOST_LISTED:  # before anybody makes objects of them
            raise _too_many(name)
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, OverflowError) as error:
        raise _broken(name, "not a ZIP archive, or a damaged one") from error
    for info in archive.infolist():
        path = info.orig_filename
        if not (info.flag_bits & 0x800 or path.isascii()):  # it may be UTF-8 without that flag, or as Windows writes it
            path = _decoded(path.encode("cp437"))
        if checked_path(path) and not path.endswith(("/", "\\")) and not info.external_attr & WINDOWS_FOLDER:
            from_folder = folder_of(checked_path(path)) if stat.S_ISLNK(_mode(info)) else None
            yield Item(path, partial(_read_zip, name, archive, info, path), _zip_problem(info, path), from_folder)


def _decoded(name: bytes) -> str:
    """A name whose encoding nobody tells: the first in which all its signs are letters, or else in that of DOS."""
    for encoding in ("utf-8", "cp850", "cp1252"):
        with suppress(UnicodeDecodeError):
            text = name.decode(encoding)
            if encoding == "utf-8" or all(char.isascii() or char.isalpha() for char in text):
                return text
    return name.decode("cp437")


def _mode(info: zipfile.ZipInfo) -> int:
    """Its mode, if Unix packed it."""
    return info.external_attr >> 16 if info.create_system == 3 else 0


def _zip_problem(info: zipfile.ZipInfo, path: str) -> str:
    if stat.S_IFMT(_mode(info)) not in (0, stat.S_IFREG, stat.S_IFLNK):
        return _device(path)
    if info.flag_bits & 0x1:
        return f"{shown(path)} is encrypted. Pack your files without a password."
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return f"{shown(path)} is packed in an unusual way. Pack your files with the usual settings."
    return ""


def _read_zip(name: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str) -> bytes:
    """Unpack one file piece by piece. What the archive says about its size is believed by nobody."""
    content = bytearray()
    try:
        with archive.open(info) as file:
            while piece := file.read(PIECE):
                content += piece
                _check_density(path, len(content), info.compress_size)
                if len(content) > MOST_UNPACKED:
                    raise _huge(path)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError, NotImplementedError, RuntimeError) as error:
        if isinstance(error, FolderError):
            raise
        raise _broken(name, f"damaged at {shown(path)}") from error
    return bytes(content)


def _check_density(path: str, size: int, packed: int) -> None:
    if size > UNSUSPICIOUS and size > DENSEST * packed:
        raise FolderError(f"{shown(path)} becomes more than {DENSEST} times larger when it is unpacked. Leave it out.")


def _too_many(name: str) -> FolderError:
    return FolderError(f"{shown(name)} lists more than {MOST_LISTED:,} files and folders. Pack only your program.")


# tar ------------------------------------------------------------------------------------------------------------------


def _unzipped(name: str, file: IO[bytes], packed: int) -> Iterator[bytes]:
    """The pieces of what is packed in a file, or of a tar as it is."""
    file.seek(0)
    if name.lower().endswith(TARS) and file.read(2) not in PACKED:  # some browsers unpack it and keep its name
        file.seek(0)
        yield from iter(partial(file.read, PIECE), b"")
        return
    file.seek(0)
    size = 0
    for number in range(MOST_MEMBERS):
        magic = file.read(2)
        file.seek(-len(magic), io.SEEK_CUR)
        if magic not in PACKED:
            if number == 0:
                raise _broken(name, "not packed as its name says")
            break
        make, most = PACKED[magic]
        member = make()
        while not member.eof:
            rest = getattr(member, "unconsumed_tail", b"")
            is_hungry = getattr(member, "needs_input", not rest)
            chunk = file.read(PIECE) if is_hungry else rest
            try:
                piece = member.decompress(chunk, PIECE)
            except (zlib.error, lzma.LZMAError, OSError) as error:
                raise _broken(name, "damaged, or not packed as its name says") from error
            if is_hungry and not chunk and not piece and not member.eof:
                raise _broken(name, "cut off")
            size += len(piece)
            _check_density(name, size, packed)
            if size > most:
                raise FolderError(f"{shown(name)} holds more than {most:,} bytes. Pack only your program.")
            if piece:
                yield piece
        file.seek(-len(member.unused_data), io.SEEK_CUR)


def _read_single(name: str, start: Callable[[], Iterator[bytes]]) -> bytes:
    content = bytearray()
    for piece in start():
        content += piece
        if len(content) > MOST_UNPACKED:
            raise _huge(name)
    return bytes(content)


class _Tape:
    """A tar that is unpacked while it is read, and from its beginning again for what was passed over."""

    def __init__(self, start: Callable[[], Iterator[bytes]]) -> None:
        self._start, self._pieces, self._rest, self._at = start, start(), memoryview(b""), 0

    def read(self, at: int, size: int) -> bytes | None:
        """So many bytes from there. None where the tar ends before."""
        if at < self._at:
            self._pieces, self._rest, self._at = self._start(), memoryview(b""), 0
        found = bytearray()
        while self._at < at + size:
            self._rest = self._rest or memoryview(next(self._pieces, b""))
            if not self._rest:
                return None
            part = self._rest[: at + size - self._at]
            found += part[max(0, at - self._at) :]
            self._at += len(part)
            self._rest = self._rest[len(part) :]
        return bytes(found)


@dataclass(slots=True)
class _Header:
    """One header of a tar (POSIX.1-2001, ustar and pax; GNU tar's long names)."""

    name: str
    size: int
    kind: bytes
    target: str  # of a link


def _from_tar(name: str, tape: _Tape) -> Iterator[Item]:
    entries = at = 0
    about: dict[bytes, bytes] = {}  # the next entry, by pax's keywords
    while (block := tape.read(at, BLOCK) or b"").strip(b"\0"):
        header = _tar_header(name, block)
        is_about_next = header.kind in b"xgLK"
        path = _tar_text(about.get(b"GNU.sparse.name") or about.get(b"path", b"")) or header.name
        size = header.size if is_about_next else int(about.get(b"size", header.size))
        entries += 1
        if entries > MOST_LISTED:
            raise _too_many(name)
        most = LONGEST_HEADER if is_about_next else MOST_UNPACKED
        read = partial(_read_tar, path, tape, at + BLOCK, size, most)
        content = read() if is_about_next else b""
        more = 482  # says whether the list of a sparse file's parts goes on
        while header.kind == SPARSE and block[more]:
            at += BLOCK
            block, more = tape.read(at, BLOCK) or bytes(BLOCK), 504
        at += BLOCK + size + -size % BLOCK
        if tape.read(at, 0) is None:
            raise _broken(name, "cut off")
        if header.kind in LONGER:
            about[LONGER[header.kind]] = content
        elif header.kind == b"x":
            about = _pax(name, content)
        elif not is_about_next:
            path, target = checked_path(path), _tar_text(about.get(b"linkpath", b"")) or header.target
            is_sparse = header.kind == SPARSE or any(key.startswith(b"GNU.sparse") for key in about)
            about = {}
            if header.kind in LINKS:  # a hard link names another file from the top
                yield Item(path, partial(str.encode, target), "", folder_of(path) if header.kind == b"2" else "")
            elif header.kind not in FOLDER:
                wrong = "" if header.kind in (b"0", b"\0", b"7") else _device(path)
                sparse = f"{shown(path)} is packed as a sparse file. Pack it without --sparse."
                yield Item(path, read, sparse if is_sparse else wrong)
    if not entries:
        raise _broken(name, "not a tar archive")


def _read_tar(path: str, tape: _Tape, at: int, size: int, most: int) -> bytes:
    if size > most:
        raise _huge(path, most)
    return tape.read(at, size) or b""


def _tar_header(name: str, block: bytes) -> _Header:
    try:
        checksum = int(block[148:156].strip(b" \0") or b"0", 8)
        size = int(block[124:136].strip(b" \0") or b"0", 8)
    except ValueError:
        raise _broken(name, "not a tar archive, or a damaged one") from None
    if checksum != sum(block[:148]) + sum(block[156:]) + 8 * ord(" ") or size < 0:
        raise _broken(name, "not a tar archive, or a damaged one")
    path = _tar_text(block[:100])
    if block[257:263] == b"ustar\0" and (prefix := _tar_text(block[345:500])):
        path = f"{prefix}/{path}"
    kind = block[156:157]
    if kind in (b"0", b"\0") and path.endswith("/"):  # before POSIX, folders were files with a slash
        kind = b"5"
    return _Header(path, size, kind, _tar_text(block[157:257]))


def _tar_text(data: bytes) -> str:
    return _decoded(data.split(b"\0", 1)[0])


def _pax(name: str, content: bytes) -> dict[bytes, bytes]:
    """What a pax header says about the next entry: lines `LENGTH KEY=VALUE`."""
    about, at = dict[bytes, bytes](), 0
    while at < len(content):
        words = content[at : at + 20].split(b" ", 1)
        if len(words) < 2 or not words[0].isdigit() or int(words[0]) <= len(words[0]) + 1:
            raise _broken(name, "a damaged archive")
        line = content[at + len(words[0]) + 1 : at + int(words[0])]
        at += int(words[0])
        key, _, value = line.rstrip(b"\n").partition(b"=")
        about[key] = value
    if not re.fullmatch(rb"\d{1,15}", about.get(b"size", b"0")):
        raise _broken(name, "a damaged archive")
    return about
