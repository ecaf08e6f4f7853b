"""What arrives in an upload: files and pasted texts, their names, and whether they can be read."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO

STRATEGY_KB = 256
# Larger files are not read at all. Far above every contest's limit, so that errors can name the true size.
READ_LIMIT = 8 * 1024 * 1024
NAME_LENGTH = 100
TEXT_ENDINGS = (".txt", ".md", ".text", ".readme")
# First bytes of executables, archives, pictures and documents, so that errors can say what was uploaded.
MAGIC = (
    (b"\x7fELF", "a compiled program"),
    (b"MZ", "a compiled program"),
    (b"\xca\xfe\xba\xbe", "a compiled program"),
    (b"PK\x03\x04", "an archive or an office document"),
    (b"\x1f\x8b", "an archive"),
    (b"7z\xbc\xaf", "an archive"),
    (b"Rar!", "an archive"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\xd0\xcf\x11\xe0", "an office document"),
)


@dataclass(frozen=True)
class Upload:
    """An uploaded file, or pasted text with its name, which may be blank. A `skipped` file was too large to read, an
    `unsent` one was left at home because there are too many. An archive stays in its `file`, which `data` begins."""

    name: str
    data: bytes
    pasted: bool = False
    skipped: bool = False
    unsent: bool = False
    file: IO[bytes] | None = None


def safe_name(name: str) -> str:
    """A file name without folders, invisible characters or anything that a command could mistake for an option.

    Letters of all scripts are kept, and so is the extension when the name has to be cut.
    """
    name = unicodedata.normalize("NFC", name).replace("\\", "/").rsplit("/", 1)[-1]
    name = re.sub(r"[^\w.+-]+", "_", name, flags=re.UNICODE).strip("_")
    name = re.sub(r"^[.-]*(\.\w+)$", r"bot\1", name).lstrip(".-")  # nothing was left of it but the extension
    path = PurePosixPath(name or "bot")
    ending = path.suffix[:20]
    return path.name.removesuffix(path.suffix)[: NAME_LENGTH - len(ending)] + ending


def readable(upload: Upload, what: str, limit_kb: int) -> tuple[str, str]:
    """(problem, text) of an upload that must be a text of at most this many kB. One of them is blank."""
    limit = limit_kb * 1024
    if upload.skipped or len(upload.data) > limit:
        return too_large(upload, what, limit), ""
    if not upload.data.strip():
        return f"{what} is empty.", ""
    for magic, kind in MAGIC:
        if upload.data.startswith(magic) and (b"\0" in upload.data or kind != "a compiled program"):
            return f"{what} is {kind}, not a text.", ""
    if upload.data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return f"{what} is UTF-16 text. Save it as UTF-8 and upload it again.", ""
    try:
        text = upload.data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = upload.data.count(b"\n", 0, error.start) + 1
        if b"\0" in upload.data:
            return f"{what} is a binary file, not a text.", ""
        place = f"line {line} contains the byte 0x{upload.data[error.start]:02X}"
        return f"{what} is not UTF-8 text: {place}. Save it as UTF-8 and upload it again.", ""
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return f"{what} is not a text: line {line} contains a NUL character.", ""
    return "", text.removeprefix("\ufeff")


def too_large(upload: Upload, what: str, limit: int) -> str:
    size = f"more than {READ_LIMIT:,}" if upload.skipped else f"{len(upload.data):,}"
    return f"{what} is too large: it has {size} bytes, and the limit is {limit:,}."
