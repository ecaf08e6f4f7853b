"""Messages of the socket protocols: four bytes of length in network order, then so many bytes of a JSON object.

Bytes come as the network likes, split and joined anywhere; here they become messages. What a message says is its
game's business (`games/<slug>/wire.py`).
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from games.engine import Fault, FaultKind

HEADER = 4
LONGEST = 65_536
"""The longest message that is read; none is empty."""


class BadLength(Exception):
    """The other side announced a message that is empty or too long: nothing it sends can be understood any more."""


def frame(body: bytes) -> bytes:
    """A message as it is sent, header and body in one piece."""
    return len(body).to_bytes(HEADER, "big") + body


class Frames:
    """What one connection has received, as messages. Holds at most one unfinished message."""

    __slots__ = ("_bytes", "spoilt")

    def __init__(self) -> None:
        self._bytes = bytearray()
        self.spoilt = False  # nothing that comes from now on can be understood

    @property
    def unfinished(self) -> bool:
        """Whether a message has begun that is not complete."""
        return bool(self._bytes)

    def add(self, data: bytes) -> list[bytes]:
        """The messages that these bytes complete, in order. BadLength when it is spoilt, and nothing came before."""
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
    """The message, when these bytes are exactly one: the usual case, for which nobody needs a buffer."""
    length = len(data) - HEADER
    return data[HEADER:] if length > 0 and int.from_bytes(data[:HEADER], "big") == length <= LONGEST else None


def read_object(body: bytes) -> dict[str, Any]:
    """A message as the JSON object that it must be. Raises Fault(GARBLED)."""
    try:
        message = _decode(body.decode("utf-8"))
    except RecursionError:
        raise garbled("sent JSON that is nested too deeply", body) from None
    except ValueError as error:  # also UnicodeDecodeError
        words = str(error) if isinstance(error, _Unwelcome) else "sent something that is not JSON"
        raise garbled(words, body) from None
    if type(message) is not dict:
        raise garbled("sent JSON that is not an object", body)
    return message


def garbled(detail: str, body: bytes) -> Fault:
    return Fault(FaultKind.GARBLED, detail, body)


class _Unwelcome(ValueError):
    """Python reads it, but it is not JSON, or not only one thing."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Unwelcome("sent a JSON object with one key twice")
    return found


def _constant(name: str) -> NoReturn:
    raise _Unwelcome(f"sent {name}, which is not JSON")


_decode = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant).decode
