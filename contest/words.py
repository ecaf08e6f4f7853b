"""Texts that come from outside, made fit to be kept, logged and shown: what people type, and what programs write."""

from __future__ import annotations

from collections.abc import Iterable


def one_line(text: str) -> str:
    """Without line breaks, control characters and doubled blanks: names stand in tables, logs and subject lines."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def number_in(text: str) -> int | None:
    """The number of a row, or of a round, that somebody's browser names; None where it can be none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def numbers_in(texts: Iterable[str]) -> list[int]:
    """Those among them that are numbers of rows."""
    return [number for text in texts if (number := number_in(text)) is not None]


def printable(text: str) -> str:
    """With every character that cannot be printed as its number (\\x00, \\u202e, \\ud800); line ends and tabs stay.

    For what a bot or a compiler has written: the database takes no NUL, nothing takes half a surrogate pair.
    """
    if text.isprintable():
        return text
    return "".join(it if it.isprintable() or it in "\n\t" else _number(it) for it in text.replace("\r\n", "\n"))


def _number(letter: str) -> str:
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
