"""Say what is wrong once a minute, however often it happens, and say when it is over.

A database that is away fails thousands of times a minute, and a log of thousands of tracebacks fills the disk that may
be the trouble in the first place. So code that notices a condition calls `complain` each time, and `content` each time
that all is well. Both are cheap and never raise.
"""

import logging
import threading
import time
from dataclasses import dataclass

log = logging.getLogger(__name__)

PAUSE = 60.0  # seconds between two lines about the same condition


@dataclass(slots=True)
class Complaint:
    """A condition that this process knows of and that is not over."""

    message: str
    since: float  # Unix time
    times: int = 0  # how often it was noticed
    said_at: float = 0.0  # on the monotonic clock, which no administrator sets back

    def line(self) -> str:
        if self.times == 1:
            return self.message
        return f"{self.message} ({self.times} times since {time.strftime('%H:%M:%S', time.gmtime(self.since))} UTC)"


_standing: dict[str, Complaint] = {}
_lock = threading.Lock()


def complain(key: str, message: str) -> bool:
    """Log this condition, at most once a minute. `key` names the condition, `message` says it in one line.

    Returns whether it was logged. The first complaint is logged at once.
    """
    now = time.monotonic()
    with _lock:
        known = _standing.get(key)
        complaint = known or _standing.setdefault(key, Complaint(message, time.time()))
        complaint.message = " ".join(message.split())
        complaint.times += 1
        if known and now - complaint.said_at < PAUSE:
            return False
        complaint.said_at = now
        line = complaint.line()
    log.warning("%s", line, extra={"condition": key})
    return True


def content(key: str) -> bool:
    """Say that a condition is over. Returns whether there was one; without one it costs a look into a dictionary."""
    if key not in _standing:
        return False
    with _lock:
        complaint = _standing.pop(key, None)
    if complaint is None:
        return False
    seconds = max(0.0, time.time() - complaint.since)
    # A warning too, so that whoever saw the complaint also sees its end.
    log.warning("again well after %.0f s: %s", seconds, complaint.message, extra={"condition": key})
    return True


def standing() -> dict[str, Complaint]:
    """The conditions that this process knows of, by key."""
    with _lock:
        return dict(_standing)
