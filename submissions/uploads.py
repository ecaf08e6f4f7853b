"""What arrives in an upload: files and pasted texts, their names, and whether they can be read."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO

from games.compiled import unreadable

STRATEGY_KB = 256
# Larger files are not read at all. Far above every contest's limit, so that errors can name the true size.
READ_LIMIT = 8 * 1024 * 1024
NAME_LENGTH = 100
TEXT_ENDINGS = (".txt", ".md", ".text", ".readme")


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
    problem = unreadable(upload.data, what)
    return problem, "" if problem else upload.data.decode("utf-8-sig")


def too_large(upload: Upload, what: str, limit: int) -> str:
    size = f"more than {READ_LIMIT:,}" if upload.skipped else f"{len(upload.data):,}"
    return f"{what} is too large: it has {size} bytes, and the limit is {limit:,}."
