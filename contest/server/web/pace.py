"""How often live parts should ask, and how old copies may become: as often and as young as the machine can do."""

from __future__ import annotations

import time

QUICK, SLOW = 3.0, 30.0  # seconds between two polls of a page
POLLS = 250  # a second, of each process, before pages are asked to poll less often
LAG = 0.020  # seconds for which the event loop may be late
FRESH = 0.5  # seconds for which a copy is good whatever has changed …
STRETCHED = 10.0  # … and how many times as long if more copies are asked for than can be made
SHARE = 20.0  # times as long as its making took, a live part of one reader waits
BUSY = 0.35  # share of its time that a process may spend making copies


class Pace:
    """`tick` four times a second or less often; `polled` for each poll, `made` for each copy."""

    def __init__(self) -> None:
        self.seconds = QUICK
        self.stretch = 1.0
        self._polls = 0
        self._making = self._alone = 0.0
        self._since = time.monotonic()

    @property
    def fresh(self) -> float:
        return FRESH * self.stretch

    @property
    def bound(self) -> float:
        """Seconds after which nobody gets a copy of which it is known that results have changed."""
        return 2 * FRESH * self.stretch

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """Of a live part: seconds until it should ask again (static/js/live.js). None while all may ask freely."""
        return [(b"kibitz-pace", b"%.1f" % self.seconds)] if self.seconds > 1.1 * QUICK else []

    def alone(self, seconds: float) -> list[tuple[bytes, bytes]]:
        """The same for a live part that was made for one reader alone, in as many seconds. It may cost each reader a
        twentieth of the time of a thread."""
        self._alone += (seconds - self._alone) / 8
        wanted = min(max(self.seconds, SHARE * self._alone), SLOW)
        return [(b"kibitz-pace", b"%.1f" % wanted)] if wanted > 1.1 * QUICK else []

    def polled(self) -> None:
        self._polls += 1

    def made(self, seconds: float) -> None:
        self._making += seconds

    def tick(self, lag: float = 0.0) -> None:
        now = time.monotonic()
        took = now - self._since
        if took < 1.0:
            return
        rate, busy = self._polls / took, self._making / took
        self._polls, self._making, self._since = 0, 0.0, now
        # Rate and pace are inverse, but pages take up a new pace only with their next poll: so go half of the way.
        wanted = self.seconds * rate / POLLS if rate else QUICK
        if lag > LAG:
            wanted = max(wanted, self.seconds * 1.2)
        self.seconds = min(max(QUICK, (self.seconds + wanted) / 2), SLOW)
        factor = 1.4 if busy > BUSY else 0.85 if busy < BUSY / 2 else 1.0
        self.stretch = min(max(1.0, self.stretch * factor), STRETCHED)
