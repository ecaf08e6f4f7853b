"""Messages of the socket protocols: four bytes of length in network order, then that many bytes of a JSON object.

The network splits and joins bytes anywhere; here they become messages. What a message says is the business of its game
(`games/<slug>/wire.py`).
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from games.engine import Fault, FaultKind

HEADER = 4
LONGEST = 65_536
"""The longest message that is read, in bytes. None is empty."""


class BadLength(Exception):
    """The other side announced a message that is empty or too long. Nothing it sends can be understood any more."""


def frame(body: bytes) -> bytes:
    """Return a message as it is sent, header and body in one piece."""
    return len(body).to_bytes(HEADER, "big") + body


class Frames:
    """The messages in what one connection has received. Holds at most one unfinished message."""

    __slots__ = ("_bytes", "spoilt")

    def __init__(self) -> None:
        self._bytes = bytearray()
        self.spoilt = False  # nothing that comes from now on can be understood

    @property
    def unfinished(self) -> bool:
        """Whether a message has begun that is not complete."""
        return bool(self._bytes)

    def add(self, data: bytes) -> list[bytes]:
        """Return the messages that these bytes complete, in order. Raises BadLength when nothing came before a bad
        header."""
        held = self._bytes
        held += data
        found: list[bytes] = []
        start = 0
        while len(held) - start >= HEADER:
            length = int.from_bytes(held[start : start + HEADER], "big")
            if not 1 <= length <= LONGEST:
                self.spoilt = True
                if not found:
                    raise BadLength(f"a message of {length} bytes")
                break
            end = start + HEADER + length
            if len(held) < end:
                break
            found.append(bytes(held[start + HEADER : end]))
            start = end
        del held[:start]
        return found


def whole(data: bytes) -> bytes | None:
    """Return the message if these bytes are exactly one, which is the usual case and needs no buffer."""
    length = len(data) - HEADER
    return data[HEADER:] if length > 0 and int.from_bytes(data[:HEADER], "big") == length <= LONGEST else None


def read_object(body: bytes) -> dict[str, Any]:
    """Parse a message as the JSON object that it must be. Raises Fault(GARBLED)."""
    try:
        text = body.decode("utf-8").strip(_BLANKS)
        message, end = _decode(text)
        if end < len(text):
            raise ValueError("something follows the JSON")
    except RecursionError:
        raise garbled("sent JSON that is nested too deeply", body) from None
    except ValueError as error:  # includes UnicodeDecodeError
        words = str(error) if isinstance(error, _Unwelcome) else "sent something that is not JSON"
        raise garbled(words, body) from None
    if type(message) is not dict:
        raise garbled("sent JSON that is not an object", body)
    return message


def garbled(detail: str, body: bytes) -> Fault:
    return Fault(FaultKind.GARBLED, detail, body)


class _Unwelcome(ValueError):
    """Reject what Python would read although it is not JSON, or is ambiguous."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Unwelcome("sent a JSON object with one key twice")
    return found


def _constant(name: str) -> NoReturn:
    raise _Unwelcome(f"sent {name}, which is not JSON")


_BLANKS = " \t\r\n"  # of JSON
_decode = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant).raw_decode
