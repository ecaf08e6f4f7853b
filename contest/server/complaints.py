"""Say what is wrong once a minute, however often it happens, and say when it is over.

A database that is away fails thousands of times a minute, and a log of thousands of tracebacks fills the disk that may
be the trouble in the first place. So code that notices a condition calls `complain` each time, and `content` each time
that all is well. Both are cheap and never raise.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

log = logging.getLogger(__name__)

PAUSE = 60.0  # seconds between two lines about the same condition
OVER = 300.0  # seconds without a complaint after which the next one is about something new


@dataclass(slots=True)
class Complaint:
    """A condition that this process knows of and that is not over."""

    message: str
    since: float  # Unix time
    times: int = 0  # how often it was noticed
    said_at: float = 0.0  # on the monotonic clock, which no administrator sets back
    noticed_at: float = 0.0  # the last time, on the same clock

    def line(self) -> str:
        if self.times == 1:
            return self.message
        return f"{self.message} ({self.times} times since {time.strftime('%H:%M:%S', time.gmtime(self.since))} UTC)"


class Complaints:
    """The conditions that somebody knows of. `say` gets the lines, with the key."""

    def __init__(self, say: Callable[[str, str], None]) -> None:
        self._say = say
        self._standing: dict[str, Complaint] = {}
        self._lock = threading.Lock()

    def complain(self, key: str, message: str) -> bool:
        """Say that there is this condition, at most once a minute. `key` names it, `message` tells it in one line.

        Returns whether it was said. The first complaint is said at once.
        """
        now = time.monotonic()
        with self._lock:
            known = self._standing.get(key)
            if known and now - known.noticed_at > OVER:
                del self._standing[key]
                known = None
            complaint = known or self._standing.setdefault(key, Complaint(message, time.time()))
            complaint.message = " ".join(message.split())
            complaint.times += 1
            complaint.noticed_at = now
            if known and now - complaint.said_at < PAUSE:
                return False
            complaint.said_at = now
            line = complaint.line()
        self._say(key, line)
        return True

    def content(self, key: str) -> bool:
        """Say that a condition is over. Returns whether there was one; without one this costs a look into a dict."""
        if key not in self._standing:
            return False
        with self._lock:
            complaint = self._standing.pop(key, None)
        if complaint is None:
            return False
        seconds = max(0.0, time.time() - complaint.since)
        self._say(key, f"again well after {seconds:.0f} s: {complaint.message}")
        return True

    def standing(self) -> dict[str, Complaint]:
        """The conditions that are not over, by key."""
        with self._lock:
            return dict(self._standing)


def _log(key: str, line: str) -> None:
    # Its end is a warning too, so that whoever saw the complaint also sees that.
    log.warning("%s", line, extra={"condition": key})


ours = Complaints(_log)  # of this process
complain, content, standing = ours.complain, ours.content, ours.standing
