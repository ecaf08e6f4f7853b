"""Copies of answers: what is sent for one, packed once for all clients, and how it travels between processes."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

import brotli

from contest.server.web.asgi import Scope

Header = tuple[bytes, bytes]
SMALL = 300  # bytes that are not worth packing
BROTLI = 4  # of 11: a page in two milliseconds, a sixth smaller than gzip
LEFT_OUT = frozenset(
    {
        *(b"content-length", b"content-encoding", b"vary", b"etag", b"cache-control", b"connection", b"date"),
        b"x-request-id",
    }
)
VARY = b"Cookie, Authorization, Accept-Encoding, HX-Request"


@dataclass(slots=True)
class Copy:
    """An answer, made from these states. It is as the portal was at `born`: when its making began, at `made`, or a
    moment before (contest/moments.py). Both are Unix times. `revision`: what a live part that shows it sends to ask for
    something newer."""

    status: int
    headers: list[Header]
    bodies: dict[bytes, bytes]  # by their encoding
    etag: bytes
    revision: str
    states: dict[str, str]
    born: float
    cost: float = 0.0  # seconds that it took
    shared: bool = True
    made: float = 0.0
    right_at: float = field(default=0.0)
    """The latest time at which it was known to be what the portal would answer."""

    def __post_init__(self) -> None:
        self.made = max(self.made, self.born)
        self.right_at = max(self.right_at, self.born)

    @property
    def size(self) -> int:
        return 2000 + sum(map(len, self.bodies.values()))

    def encoding(self, scope: Scope) -> bytes:
        """The best one that the client takes."""
        offered = next((value for name, value in scope["headers"] if name == b"accept-encoding"), b"")
        for each in (b"br", b"gzip"):
            if each in self.bodies and takes(offered, each):
                return each
        return b""

    def body(self, encoding: bytes) -> bytes:
        if encoding in self.bodies:
            return self.bodies[encoding]
        return gzip.decompress(self.bodies[b"gzip"])  # few clients take nothing packed

    def packed(self) -> bytes:
        """To be sent to other processes."""
        told = {
            "status": self.status, "etag": self.etag.decode(), "revision": self.revision, "states": self.states,
            "born": self.born, "cost": self.cost,
            "sizes": {key.decode(): len(body) for key, body in self.bodies.items()},
            "headers": [[name.decode("latin-1"), value.decode("latin-1")] for name, value in self.headers],
        }  # fmt: skip
        return b"".join((json.dumps(told).encode(), b"\n", *self.bodies.values()))


def unpacked(data: bytes) -> Copy | None:
    """What `packed` gave. None: it was another release's, or is damaged."""
    try:
        head, _, rest = data.partition(b"\n")
        told = json.loads(head)
        bodies, at = {}, 0
        for name, size in told["sizes"].items():
            bodies[name.encode()] = rest[at : at + size]
            at += size
        if at != len(rest):
            return None
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in told["headers"]]
        return Copy(
            told["status"], headers, bodies, told["etag"].encode(), told["revision"], told["states"], told["born"],
            told["cost"],
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def copy_of(
    status: int, headers: list[Header], body: bytes, states: Mapping[str, str], revision: str, born: float, cost: float
) -> Copy:
    """Pack an answer. It has no secrets, so what its length tells (BREACH, contest/compression.py) tells nothing."""
    bodies = {b"": body}
    kind = next((value for name, value in headers if name == b"content-type"), b"")
    if len(body) > SMALL and kind.startswith(b"text/"):
        bodies = {b"br": brotli.compress(body, quality=BROTLI), b"gzip": gzip.compress(body, 6, mtime=0)}
    etag = hashlib.blake2b(body, digest_size=12).hexdigest().encode()
    kept = [(name, value) for name, value in headers if name not in LEFT_OUT]
    return Copy(status, kept, bodies, b'W/"%s"' % etag, revision, dict(states), born, cost)


def takes(offered: bytes, encoding: bytes) -> bool:
    """Whether `Accept-Encoding` names it without refusing it."""
    if encoding not in offered and b"*" not in offered:
        return False
    found = {}
    for part in offered.lower().split(b","):
        name, _, quality = part.strip().partition(b";")
        found[name.strip()] = quality.replace(b" ", b"") not in (b"q=0", b"q=0.0", b"q=0.00", b"q=0.000")
    return found.get(encoding, found.get(b"*", False))


class Shelf:
    """The copies of this process, those that were asked for last, up to `most` bytes."""

    def __init__(self, most: int) -> None:
        self.most, self.size = most, 0
        self._kept: OrderedDict[bytes, Copy] = OrderedDict()

    def get(self, key: bytes) -> Copy | None:
        if (found := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
        return found

    def put(self, key: bytes, copy: Copy) -> None:
        if (old := self._kept.pop(key, None)) is not None:
            self.size -= old.size + len(key)
        self._kept[key] = copy
        self.size += copy.size + len(key)
        while self.size > self.most and self._kept:
            gone, oldest = self._kept.popitem(last=False)
            self.size -= oldest.size + len(gone)

    def drop(self, key: bytes) -> None:
        if (old := self._kept.pop(key, None)) is not None:
            self.size -= old.size + len(key)

    def __len__(self) -> int:
        return len(self._kept)
