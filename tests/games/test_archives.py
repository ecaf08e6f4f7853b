"""What an archive may hold, whoever made it: every hostile one is refused with a sentence, at a bounded price."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import struct
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import archives, folders
from games.folders import Folder, FolderError, Item, collected

MOST = 1 << 20
SOURCE = b"int main(void) { return 0; }\n"


def zipped(*files: tuple[str, bytes], compress: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compress) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name), data, compress)
    return buffer.getvalue()


def tarred(*files: tuple[str, bytes], form: int = tarfile.PAX_FORMAT, **about: object) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as archive:
        for name, data in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            for key, value in about.items():
                setattr(entry, key, value)
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def unpacked(name: str, data: bytes, most: int, is_node: Any = lambda files: False) -> Folder:
    return collected(archives.items(name, io.BytesIO(data)), most, is_node=is_node)


def refusal(name: str, data: bytes, most: int = MOST) -> str:
    with pytest.raises(FolderError) as caught:
        unpacked(name, data, most)
    said = str(caught.value)
    assert said.endswith("."), said
    assert said.isprintable()
    return said


# What is taken --------------------------------------------------------------------------------------------------------

FILES = (("shark/src/main.c", SOURCE), ("shark/Größe.txt", b"x"), ("shark/empty.h", b""))


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("a.zip", lambda: zipped(*FILES)),
        ("a.ZIP", lambda: zipped(*FILES, compress=zipfile.ZIP_STORED)),
        ("a.tar", lambda: tarred(*FILES)),
        ("a.tar", lambda: tarred(*FILES, form=tarfile.GNU_FORMAT)),
        ("a.tgz", lambda: tarred(*FILES)),  # as it is
        ("a.tar", lambda: tarred(*FILES, form=tarfile.USTAR_FORMAT)),
        ("a.tar.gz", lambda: gzip.compress(tarred(*FILES))),
        ("a.tgz", lambda: gzip.compress(b"") + gzip.compress(tarred(*FILES))),
        ("a.tar.bz2", lambda: bz2.compress(tarred(*FILES))),
        ("a.tbz2", lambda: bz2.compress(b"") + bz2.compress(tarred(*FILES))),
        ("a.TAR.XZ", lambda: lzma.compress(tarred(*FILES), preset=9)),
        ("a.txz", lambda: lzma.compress(tarred(*FILES)) + lzma.compress(b"") + bytes(8)),
    ],
)
def test_every_kind_of_archive_loses_its_wrapper_and_nothing_else(name: str, pack: Callable[[], bytes]) -> None:
    folder = unpacked(name, pack(), MOST)
    assert folder.files == {"src/main.c": SOURCE, "Größe.txt": b"x", "empty.h": b""}
    assert not folder.left_out


@pytest.mark.parametrize(
    ("name", "pack"), [("main.c.gz", gzip.compress), ("main.c.bz2", bz2.compress), ("main.c.XZ", lzma.compress)]
)
def test_a_single_file_loses_its_ending(
    name: str, pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    large = Random(1).randbytes(300_000) * 3
    monkeypatch.setattr(archives, "MOST_UNPACKED", len(large))
    assert unpacked(name, pack(large), MOST).files == {"main.c": large}
    assert f"more than {folders.MOST_UNPACKED:,} bytes" in refusal(name, pack(large + b"x"))
    assert "damaged" in refusal(name, pack(SOURCE)[:10] + SOURCE)
    assert "cut off" in refusal(name, pack(large)[:-20])


def test_names_of_any_permitted_length() -> None:
    long = "/".join(["f" * 60, "g" * 60, "main.c"])
    for form in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT):
        assert list(unpacked("a.tar", tarred((long, SOURCE), ("z.c", b"")), MOST).files) == [long, "z.c"] or (
            form == tarfile.USTAR_FORMAT
        )
    assert long in unpacked("a.zip", zipped((long, SOURCE), ("z.c", b"")), MOST).files


def test_what_tools_leave_is_left_out_and_named() -> None:
    junk = ("__MACOSX/._main.c", ".git/config", "build/main.o", "Main.class", "x/__pycache__/y.pyc", ".DS_Store")
    packed = zipped(("main.c", SOURCE), ("bot", b"\x7fELF" + bytes(100)), *((path, bytes(10)) for path in junk))
    folder = unpacked("a.zip", packed, MOST)
    assert list(folder.files) == ["main.c"]
    made = {"__MACOSX/", ".git/", "build/main.o", "Main.class", "x/__pycache__/", ".DS_Store", "bot"}
    assert folder.left_out.keys() == made
    assert ".DS_Store, .git/, Main.class and 4 more were left out" in folder.notices()[0]
    huge = unpacked("a.zip", zipped(("main.c", SOURCE), (".git/pack", bytes(40 << 20))), MOST)
    assert list(huge.files) == ["main.c"], "and not even unpacked"
    large = b"".join(Random(number).randbytes(1000) * 10 for number in range(3500))
    assert len(large) > folders.MOST_UNPACKED
    packed = tarred(("env/x", large), ("env/pyvenv.cfg", b""), ("main.c", SOURCE), ("node_modules/x.js", SOURCE))
    for name, data in (("a.tar", packed), ("a.tgz", gzip.compress(packed, 1))):
        found = unpacked(name, data, MOST)
        assert found.files == {"main.c": SOURCE}, "nor kept, in a tar"
        assert found.left_out.keys() == {"env/", "node_modules/"}
    packed = tarred(*((name, SOURCE) for name in ("node_modules/x.js", "main.js")))
    assert unpacked("a.tgz", gzip.compress(packed), MOST, lambda files: True).files.keys() == {
        "node_modules/x.js",
        "main.js",
    }
    with_link = tarred((".venv/python", b""), type=tarfile.SYMTYPE, linkname="/usr/bin/python3")
    packed = gzip.compress(with_link[:512] + tarred(("main.c", SOURCE)))
    assert list(unpacked("a.tgz", packed, MOST).files) == ["main.c"], "nor are its links"


def test_a_python_package_keeps_its_folder() -> None:
    packed = zipped(("shark/__init__.py", b""), ("shark/__main__.py", b"print()"))
    assert set(unpacked("a.zip", packed, MOST).files) == {"shark/__init__.py", "shark/__main__.py"}


# What is refused ------------------------------------------------------------------------------------------------------

CROOKED = [
    ("../main.c", "leads out of its folder"),
    ("a/../../main.c", "leads out of its folder"),
    ("/etc/passwd", "is an absolute path"),
    ("C:\\main.c", "is an absolute path"),
    ("..\\main.c", "leads out of its folder"),
    ("-o.c", "cannot be used as a name"),
    ("@main.c", "cannot be used as a name"),
    ("a\nb.c", "cannot be used as a name"),
    ("a\u202eb.c", "cannot be used as a name"),
    ("main.c ", "cannot be used as a name"),
    ("a*b.c", "cannot be used as a name"),
    ("/".join("abcdefghijklmn") + "/main.c", "is too deep: at most 12 folders"),
    ("x" * 81 + ".c", "is too long: a name may have 80 characters"),
    ("\U00020000" * 76 + ".c", "is too long for a file system"),  # it could be stored nowhere, and so never be built
    ("/".join(letter * 50 for letter in "wxyz") + "/main.c", "a path 150"),
]


@pytest.mark.parametrize(("path", "words"), CROOKED)
def test_crooked_names(path: str, words: str) -> None:
    assert words in refusal("a.zip", zipped((path, SOURCE)))
    assert words in refusal("a.tar", tarred((path, SOURCE)))


@pytest.mark.parametrize(
    ("paths", "words"),
    [
        (("a.c", "a.c"), "“a.c” is in the upload twice"),
        (("a.c", "./a.c"), "“a.c” is in the upload twice"),
        (("e\u0301.c", "\u00e9.c"), "is in the upload twice"),
        (("a", "a/b.c"), "“a” is both a file and a folder"),
        (("a/b.c", "a"), "“a” is both a file and a folder"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_that_are_one_somewhere(paths: tuple[str, str], words: str) -> None:
    files = tuple((path, SOURCE) for path in paths)
    assert words in refusal("a.zip", zipped(*files))
    assert words in refusal("a.tar", tarred(*files))


def test_names_that_differ_only_in_case_are_two_files() -> None:
    files = {"bot.c": SOURCE, "Data/book.txt": b"1", "data/Book.txt": b"2", "data/book.txt": b"3"}
    assert unpacked("a.zip", zipped(*files.items()), MOST).files == files


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (tarfile.SYMTYPE, "is a link to something that is not in the upload"),
        (tarfile.LNKTYPE, "is a link to something that is not in the upload"),
        (tarfile.CHRTYPE, "is not a file but a device"),
        (tarfile.BLKTYPE, "is not a file but a device"),
        (tarfile.FIFOTYPE, "is not a file but a device"),
        (tarfile.GNUTYPE_SPARSE, "is packed as a sparse file"),
    ],
)
def test_links_and_devices(kind: bytes, words: str) -> None:
    assert words in refusal("a.tar", tarred(("main.c", b""), type=kind, linkname="/etc/passwd"))


@pytest.mark.parametrize(
    ("mode", "words"), [(stat.S_IFLNK, "is a link"), (stat.S_IFCHR, "a device"), (stat.S_IFIFO, "a device")]
)
def test_links_and_devices_in_a_zip(mode: int, words: str) -> None:
    info = zipfile.ZipInfo("main.c")
    info.create_system, info.external_attr = 3, (mode | 0o644) << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(info, "/etc/passwd")
    assert words in refusal("a.zip", buffer.getvalue())


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_links_to_files_of_the_archive_are_followed(form: int) -> None:
    buffer = io.BytesIO()
    links = {"lib/a.h": "../src/a.h", "b.h": "lib/a.h", "include": "src", "old.h": "/usr/include/a.h", "book.txt": "b"}
    links |= {"src.h": "../src/a.h", "long.h": f"{'src/../' * 20}src/a.h"}  # beside the folder; in a header of its own
    tar = tarred(("bot/src/a.h", b"1"))[:1024]
    for name, target in links.items():
        packed = tarred((f"bot/{name}", b""), type=tarfile.SYMTYPE, linkname=target, form=form)
        tar += packed[: 512 if len(target) < 100 else 1536]
    tar += tarred(("bot/c.h", b""), type=tarfile.LNKTYPE, linkname="bot/src/a.h")[:512] + tarred(("bot/main.c", SOURCE))
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, target in (links | {"c.h": "src/a.h"}).items():
            info = zipfile.ZipInfo(f"bot/{name}")
            info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, target)
        archive.writestr("bot/src/a.h", b"1")
        archive.writestr("bot/main.c", SOURCE)
    headers = dict.fromkeys(("src/a.h", "lib/a.h", "b.h", "c.h", "long.h"), b"1")
    for name, data in (("a.tar", tar), ("a.zip", buffer.getvalue())):
        folder = unpacked(name, data, MOST)
        assert folder.files == headers | {"main.c": SOURCE}
        assert folder.left_out.keys() == {"include", "old.h", "book.txt", "src.h"}
        again = unpacked("a.zip", zipped(*(folder.traces() | folder.files).items()), MOST)
        assert again.notices() == folder.notices(), "whoever reads it next says the same"


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (b"gr\xfc.c", "grü.c"),
        (b"gr\x81.c", "grü.c"),
        (b"Strat\x82gie 1.c", "Stratégie 1.c"),
        ("grü.c".encode(), "grü.c"),
    ],
)
def test_names_in_an_untold_encoding(raw: bytes, name: str) -> None:
    packed = zipped(("_" * len(raw), SOURCE)).replace(b"_" * len(raw), raw)
    assert list(unpacked("a.zip", packed, MOST).files) == [name]
    packed = tarred(("_" * len(raw), SOURCE), form=tarfile.GNU_FORMAT)
    header = bytearray(packed[:512].replace(b"_" * len(raw), raw))
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    assert list(unpacked("a.tar", bytes(header) + packed[512:], MOST).files) == [name]


def test_a_locked_or_unusual_zip() -> None:
    packed = bytearray(zipped(("main.c", SOURCE)))
    packed[packed.index(b"PK\x01\x02") + 8] |= 1
    assert "is encrypted" in refusal("a.zip", bytes(packed))
    assert "unusual way" in refusal("a.zip", zipped(("main.c", SOURCE), compress=zipfile.ZIP_LZMA))


@pytest.mark.parametrize("name", ["a.rar", "a.7z", "a.tar.zst", "a.jar", "a.whl"])
def test_other_archives_are_told_which_ones_are_taken(name: str) -> None:
    assert archives.TAKEN in refusal(name, b"anything")


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz", "a.txz", "a.c.gz"])
@pytest.mark.parametrize("data", [b"", b"no archive", bytes(5000), b"PK\x05\x06" + bytes(18), SOURCE * 100])
def test_what_is_no_archive(name: str, data: bytes) -> None:
    assert refusal(name, data)


def test_too_many_files_and_too_many_bytes() -> None:
    many = [(f"f{number}.c", b"x") for number in range(folders.MOST_FILES + 1)]
    assert unpacked("a.zip", zipped(*many[:-1]), MOST).files
    in_a_folder = [("a.c", b"x"), *((f"data/{name}", data) for name, data in many)]
    assert "has 201 files, and a program may have 200" in refusal("a.zip", zipped(*many))
    assert "has 202 files, 201 of them in data/, and" in refusal("a.tar.gz", gzip.compress(tarred(*in_a_folder)))
    empty = [(f".git/{number}", b"") for number in range(folders.MOST_LISTED + 1)]
    assert "lists more than 20,000 files and folders" in refusal("a.zip", zipped(*empty))
    assert "lists more than 20,000 files and folders" in refusal("a.tgz", gzip.compress(tarred(*empty)))
    assert list(unpacked("a.zip", zipped(("main.c", SOURCE), *empty[:5000]), MOST).files) == ["main.c"]
    for number in (1, 3):  # one large file, or several that are large together
        large = [(f"{it}.txt", Random(it).randbytes((1 << 20) // number + 1)) for it in range(number)]
        for said in (refusal("a.zip", zipped(*large)), refusal("a.tar", tarred(*large))):
            total, one = (sum(len(data) for _, data in large), len(large[0][1]))
            assert f"together they have {total:,} bytes, and the limit is 1,048,576." in said
            assert f"The largest is “0.txt” with {one:,}." in said


def test_all_problems_are_told_at_once() -> None:
    many = [(f"f{number}.txt", b"x") for number in range(250)]
    said = refusal("a.zip", zipped(("-o.c", SOURCE), ("a", SOURCE), ("a/b.c", SOURCE), *many))
    for part in ("“-o.c” cannot be used", "“a” is both a file and a folder", "has 251 files"):
        assert part in said


# Bombs ----------------------------------------------------------------------------------------------------------------


def overlapping() -> bytes:
    """A thousand entries that share one compressed megabyte, as in David Fifield's “A better zip bomb”."""
    packed = zipped(("f0000.txt", bytes(1 << 20)))
    central = packed.index(b"PK\x01\x02")
    record = packed[central : packed.index(b"PK\x05\x06")]
    records = b"".join(record.replace(b"f0000", b"f%04d" % number) for number in range(1000))
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 1000, 1000, len(records), central, 0)
    return packed[:central] + records + end


def lying() -> bytes:
    """A file that says it had ten bytes, in both places."""
    packed = bytearray(zipped(("main.c", bytes(8 << 20))))
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = packed.index(mark) + at
        packed[place : place + 4] = struct.pack("<I", 10)
    return bytes(packed)


BOMBS = {
    "zeros": ("a.zip", lambda: zipped(("main.c", bytes(64 << 20)))),
    "many zeros": ("a.zip", lambda: zipped(*((f"{number}.txt", bytes(200 << 10)) for number in range(200)))),
    "overlapping": ("a.zip", overlapping),
    "lying": ("a.zip", lying),
    "gzip": ("a.tar.gz", lambda: gzip.compress(bytes(64 << 20), 1)),
    "gzip of a tar": ("a.tar.gz", lambda: gzip.compress(tarred(("main.c", bytes(40 << 20))))),
    "gzip in gzip": ("a.tar.gz", lambda: gzip.compress(gzip.compress(bytes(40 << 20)))),
    "xz of a tar": ("a.txz", lambda: lzma.compress(tarred(("main.c", bytes(40 << 20))))),
    "bzip2": ("a.c.bz2", lambda: bz2.compress(bytes(64 << 20))),
    "many of xz": ("a.txz", lambda: lzma.compress(b"") * 50_000),
    "many members": ("a.tar.gz", lambda: gzip.compress(b"") * 50_000),
    "huge header": ("a.tar", lambda: tarred(("main.c", SOURCE)).replace(b"00000000035", b"77777777777", 1)),
    "endless pax": ("a.tar", lambda: tarred(("x" * 200, b""))[:512] + (b"9" * 19 + b" path=") * 2000),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_costs_no_more_than_its_limits(bomb: str) -> None:
    """Of memory. Of time: tests/clocks/test_hostile_text.py."""
    name, make = BOMBS[bomb]
    data = make()
    tracemalloc.start()
    try:
        assert refusal(name, data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 3 * archives.MOST_UNPACKED, f"{peak >> 20} MB"


# Anything at all ------------------------------------------------------------------------------------------------------


def sound(folder: Folder) -> None:
    """Whatever is accepted keeps the promises of `folders`."""
    assert 0 < len(folder.files) <= folders.MOST_FILES
    assert sum(map(len, folder.files.values())) <= MOST
    for path in folder.files:
        assert folders.checked_path(path) == path
        folders.check_name(path)
        assert not path.startswith("/")
        assert ".." not in path.split("/")
        assert not any(f"{path}/" in other for other in folder.files)


NAMES = st.text(st.sampled_from("abC/.\\-_ ~:\0\né"), min_size=1, max_size=12)
CONTENTS = st.one_of(st.binary(max_size=40), st.sampled_from([bytes(300_000), b"PK\x03\x04", b"\x7fELF"]))
TREES = st.lists(st.tuples(NAMES, CONTENTS), max_size=6)


@given(TREES, st.sampled_from(["a.zip", "a.tar", "a.tar.gz"]), st.data())
@settings(max_examples=10, deadline=None)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_any_archive_is_sound_or_refused(files: list[tuple[str, bytes]], name: str, data: st.DataObject) -> None:
    packed = zipped(*files) if name == "a.zip" else tarred(*files)
    packed = gzip.compress(packed) if name == "a.tar.gz" else packed
    broken = bytearray(packed)
    for at in data.draw(st.lists(st.integers(0, len(packed) - 1), max_size=3)):
        broken[at] = data.draw(st.integers(0, 255))
    cut = data.draw(st.sampled_from([len(broken), len(broken) * 2 // 3]))
    for archive in (packed, bytes(broken[:cut])):
        with suppress(FolderError):
            sound(unpacked(name, archive, MOST))


@given(TREES)
@settings(max_examples=10, deadline=None)
def test_any_loose_files_are_sound_or_refused(files: list[tuple[str, bytes]]) -> None:
    with suppress(FolderError):
        sound(collected([Item(path, partial(bytes, data)) for path, data in files], MOST))
