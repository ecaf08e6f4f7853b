"""The portable shuffle: the source of all randomness in a match.

Every draw is a pure function of its name, so it never depends on earlier draws, on the Python version or on the
machine. The name is the ASCII text of its parts joined by `/`, such as `pack/1211/3`. Its bytes are SHAKE-128 (FIPS
202) of that text, read as little-endian 64-bit words w0, w1, …

* pack k of seed s: the cards 0 … n-1, sorted by their words of `pack/s/k` (equal words: the lower card first);
* the referee's choice for decision d of seat i among n: w0 of `choice/s/i/d` modulo n;
* a house player's `Random`: words of `house/…/0`, `house/…/1`, …, 32 at a time.

Never change this file: every published seed would deal other cards.
"""

from __future__ import annotations

from functools import cache
from hashlib import shake_128
from random import Random
from struct import Struct

_BLOCK = 32
_block = Struct(f"<{_BLOCK}Q").unpack
_words = cache(lambda size: Struct(f"<{size}Q").unpack)


def pack(seed: int, number: int, size: int = 52) -> list[int]:
    """Return pack `number` (from 1) of the match with that seed: a permutation of `range(size)`."""
    digest = shake_128(b"pack/%d/%d" % (seed, number)).digest(8 * size)
    words = list(_words(size)(digest))  # looking things up in a list costs half of what it does in a tuple
    return sorted(range(size), key=words.__getitem__)


def choice(seed: int, seat: int, decision: int, among: int) -> int:
    """Return the referee's choice: an index below `among`, for the seat's decision of that number in the match."""
    digest = shake_128(b"choice/%d/%d/%d" % (seed, seat, decision)).digest(8)
    return int.from_bytes(digest, "little") % among


class Portable(Random):
    """`random.Random` over the words of a name, for house players.

    Only what draws through `random()` and `getrandbits()` is defined, which is every method of `Random`.
    """

    def __init__(self, *name: int | str) -> None:
        self._name = "/".join(map(str, ("house", *name)))
        self._next = 0
        self._words: list[int] = []
        super().__init__()

    def _word(self) -> int:
        if not self._words:
            digest = shake_128(f"{self._name}/{self._next}".encode("ascii")).digest(8 * _BLOCK)
            self._next += 1
            self._words = list(reversed(_block(digest)))
        return self._words.pop()

    def random(self) -> float:
        return (self._word() >> 11) * 2.0**-53

    def getrandbits(self, k: int, /) -> int:
        bits = 0
        for _ in range(0, k, 64):
            bits = bits << 64 | self._word()
        return bits >> -k % 64

    def seed(self, a: object = None, version: int = 2) -> None:
        """Ignore the seed: the name given at the start is the seed, and nothing changes it."""
