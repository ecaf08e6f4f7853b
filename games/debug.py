"""A bot's output on standard error, with the place in the game for each piece."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass

LIMIT = 64 * 1024
OURS = re.compile(r"^\[Kibitz: .*\]$", re.MULTILINE)
"""What we write among a bot's own words. Nothing that looks for these may take it for them."""


def ours(text: str) -> str:
    """A line of ours for a bot's output, such as that its program was started again."""
    return f"[Kibitz: {text}]"


@dataclass(frozen=True, slots=True)
class Piece:
    """Text written before the event with this index in the match's record. The number of events means after the end."""

    index: int
    text: str


class DebugLog:
    """Keep the first and the last bytes, half of the limit each, and say how many are missing in between."""

    def __init__(self, limit: int = LIMIT, box: str = "") -> None:
        """`box`: see `games.programs.Program`."""
        self._half = limit // 2
        self._box = box.encode()
        self._head: list[tuple[int, bytes]] = []
        self._tail: deque[tuple[int, bytes]] = deque()
        self._room = self._half  # bytes left for the head
        self._tail_size = 0
        self._last = 0
        self.dropped = 0  # bytes cut out

    def add(self, index: int, data: bytes) -> None:
        if self._room and data:
            self._head.append((index, data[: self._room]))
            data, self._room = data[self._room :], max(0, self._room - len(data))
        if not data:
            return
        self._tail.append((index, data))
        self._tail_size += len(data)
        self._last = index
        while self._tail_size > self._half:
            excess = self._tail_size - self._half
            place, oldest = self._tail.popleft()
            if len(oldest) > excess:
                self._tail.appendleft((place, oldest[excess:]))
            cut = min(excess, len(oldest))
            self.dropped += cut
            self._tail_size -= cut

    def told(self, data: bytes) -> bytes:
        """Return words of the bot without the path of its box on this host."""
        return data.replace(self._box, b"/box") if self._box else data

    def pieces(self) -> list[Piece]:
        """Return the pieces in order, one for each place. Undecodable bytes are written as `\\xNN`."""
        chunks = list(self._head)
        if self.dropped:
            resumes = self._tail[0][0] if self._tail else self._last
            chunks.append((resumes, f"\n{ours(f'{self.dropped} bytes were cut here.')}\n".encode()))
        merged: list[tuple[int, bytearray]] = []
        for index, data in [*chunks, *self._tail]:
            if merged and merged[-1][0] == index:
                merged[-1][1].extend(data)
            else:
                merged.append((index, bytearray(data)))
        return [Piece(index, self.told(bytes(data)).decode("utf-8", "backslashreplace")) for index, data in merged]
