"""Clean text from outside, typed by people or written by programs, so that it can be stored, logged and shown."""

from __future__ import annotations

from collections.abc import Iterable


def number_in(text: str) -> int | None:
    """The number in a request's text, None if it is not one that a row or round could have."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def numbers_in(texts: Iterable[str]) -> list[int]:
    """Those of the texts that can be numbers of rows."""
    return [number for text in texts if (number := number_in(text)) is not None]


def printable(text: str) -> str:
    """Escape characters that cannot be printed (\\x00, \\u202e, \\ud800), except line ends and tabs.

    For the output of bots and compilers: no database takes NUL, and nothing takes half a surrogate pair.
    """
    if text.replace("\n", "").isprintable():  # quicker than a look at each letter
        return text
    return "".join(it if it.isprintable() or it in "\n\t" else _number(it) for it in text.replace("\r\n", "\n"))


def _number(letter: str) -> str:
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
