"""Publishing a game in progress.

One thread for each process sends what all its games have told since the last time, at most every `EVERY` seconds. The
game itself only appends to a list: a Redis that is slow, full, restarted or away never delays it, and nothing here
raises. If the stream is lost, everything is told again from the first event, after an entry with the head.

Entries of a stream have one field, JSON: `{"head": …}` first; then `{"at": 120, "events": […]}`, the events from number
120 on; and `{"note": {"seat": 0, "name": "question", "data": {…}}}`. That the game is over, only the database says.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from types import TracebackType
from typing import Any, Self

import redis
from django.conf import settings

from games.engine import Event, Seat

logger = logging.getLogger(__name__)

EVERY = 0.1  # seconds between two deliveries
AFTER = 0.5  # seconds that a game must last to be told at all: who would follow a shorter one?
KEPT = 120  # seconds that a stream lives without a sign of life
SIGN = 30.0  # seconds between two of them
REMAINS = 60  # seconds that a stream stays when the game is over
AGAIN = 2.0  # seconds before the next try when Redis did not answer
BATCH = 500  # events in one entry
MOST_EVENTS = 60_000  # of a game that is followed; the rest of a longer one is not told
MOST_NOTES = 1_000  # that wait to be sent

Head = dict[str, Any]


def key_of(channel: str) -> str:
    return f"kibitz:broadcast:{channel}"


def store() -> redis.Redis:
    return redis.Redis.from_url(settings.CACHE_URL, socket_timeout=2, socket_connect_timeout=2)


class Broadcast:
    """One game in progress. A context: leaving it says that the game is over.

    `head`: the record without `events` and `result`, and what the readers of the channel need beside it. `after`: how
    many seconds it must last before anything is sent.
    """

    def __init__(self, channel: str, head: Head, *, after: float = AFTER) -> None:
        self.channel = channel
        self.head = head
        self.begins = time.monotonic() + after
        self.events: list[Event] = []  # all that were told: they are the record's own, so this costs a pointer each
        self.notes: list[tuple[int, Head]] = []  # not sent yet, each with the number of events before it
        self.over = False
        self._started = False
        self.anew = False  # everything is to be told again
        self.said_over = False  # or there is nobody to whom it must be said
        # Of the thread that sends:
        self.sent: int | None = None  # events; None: the stream is not there
        self.signed = 0.0
        self.retry = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def tell(self, event: Event) -> None:
        """Publish an event. It must not change any more."""
        if len(self.events) < MOST_EVENTS:
            self.events.append(event)
            self._wake()
        elif not self.over:
            self.end()

    def note(self, seat: Seat | None, name: str, data: Head) -> None:
        """Tell the followers that hold a seat (None: all) something that is no event."""
        if len(self.notes) < MOST_NOTES:
            self.notes.append((len(self.events), {"seat": seat, "name": name, "data": data}))
            self._wake()

    def tell_anew(self, head: Head) -> None:
        """Tell everything again under another head. Notes that were sent are gone with what was told before."""
        self.head = head
        self.anew = True
        if self._started:
            _publisher().wake()

    def end(self) -> None:
        """The game is over, here at least."""
        if self.sent is None and time.monotonic() < self.begins:
            self.said_over = True  # nobody has heard of it
        self.over = True
        if self._started:
            _publisher().wake()

    def _wake(self) -> None:
        publisher = _publisher()
        if not self._started:
            self._started = True
            publisher.add(self)
        publisher.wake()

    # In the thread that sends ---------------------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Whether nothing is left to send."""
        return self.over and self.said_over

    @property
    def wants(self) -> bool:
        """Whether there is something to send."""
        now = time.monotonic()
        if self.sent is None:
            return now >= max(self.begins, self.retry)
        return self.sent < len(self.events) or bool(self.notes) or self.anew or self.over or now > self.signed + SIGN

    def send(self, client: redis.Redis) -> None:
        """Send all that is new. Raises redis.RedisError."""
        key, over = key_of(self.channel), self.over
        notes = len(self.notes)  # before the events, so that those they refer to are among these
        events = len(self.events)
        fresh = self.anew or self.sent is None
        if fresh:
            self.anew = False  # before the head is read: who changes it meanwhile says so again
        known, self.sent = 0 if fresh else self.sent or 0, None  # if this fails, everything is told again
        with client.pipeline(transaction=False) as pipe:
            if fresh:
                pipe.delete(key)
            for number, entry in enumerate(self._entries(known, events, notes, fresh=fresh)):
                told = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
                pipe.xadd(key, {"json": told}, nomkstream=not (fresh and number == 0))
            pipe.expire(key, REMAINS if over else KEPT)
            answers = pipe.execute()
        if None in answers or not answers[-1]:  # the stream has vanished: Redis was restarted or emptied
            return
        del self.notes[:notes]
        self.sent, self.said_over, self.signed = events, over, time.monotonic()

    def _entries(self, sent: int, events: int, notes: int, *, fresh: bool) -> list[Head]:
        """What is new since `sent` events, in its order."""
        found: list[Head] = [{"head": self.head}] if fresh else []
        for place, note in self.notes[:notes]:
            found += self._batches(sent, place)
            sent = max(sent, place)
            found.append({"note": note})
        return found + self._batches(sent, events)

    def _batches(self, start: int, end: int) -> list[Head]:
        return [{"at": at, "events": self.events[at : min(at + BATCH, end)]} for at in range(start, end, BATCH)]


class _Publisher:
    """The thread of this process that sends. It ends when there has been nothing to send for a while."""

    def __init__(self) -> None:
        self._broadcasts: list[Broadcast] = []
        self._lock = threading.Lock()
        self._awake = threading.Event()
        self._thread: threading.Thread | None = None
        self._client: redis.Redis | None = None
        self._failing = False

    def add(self, broadcast: Broadcast) -> None:
        with self._lock:
            self._broadcasts.append(broadcast)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="broadcasts", daemon=True)
                self._thread.start()

    def fall_silent(self) -> None:
        with self._lock:
            thread, speaking = self._thread, [each for each in self._broadcasts if not each.done]
        for each in speaking:
            each.over = each.said_over = True
        self.wake()
        if thread is not None and speaking:
            thread.join()

    def wake(self) -> None:
        if not self._awake.is_set():
            self._awake.set()

    def _run(self) -> None:
        while self._there_is_work():
            self._awake.wait(SIGN / 2)
            self._awake.clear()
            self._send_all()
            time.sleep(EVERY)

    def _there_is_work(self) -> bool:
        with self._lock:
            self._broadcasts = [each for each in self._broadcasts if not each.done]
            if any(each.sent is None or each.wants for each in self._broadcasts):
                self._awake.set()
            if not self._broadcasts:
                self._thread = None
        return bool(self._thread)

    def _send_all(self) -> None:
        for each in list(self._broadcasts):
            if not each.wants or each.done:
                continue
            try:
                self._client = self._client or store()
                each.send(self._client)
                self._failing = False
            except redis.RedisError as error:
                self._put_off(error)
                return
            except Exception:
                logger.exception("%s cannot be followed", each.channel)
                each.over = each.said_over = True

    def _put_off(self, error: redis.RedisError) -> None:
        """Redis does not answer: nobody is told anything until it does again."""
        if not self._failing:
            logger.warning("games in progress cannot be followed: %s", error)
        self._failing = True
        for each in self._broadcasts:
            each.sent, each.retry = None, time.monotonic() + AGAIN
            if each.over:  # whoever followed asks the portal, which knows
                each.said_over = True


_here: dict[int, _Publisher] = {}  # by process: threads do not survive a fork


def _publisher() -> _Publisher:
    found = _here.get(os.getpid())
    return found or _here.setdefault(os.getpid(), _Publisher())


def fall_silent() -> None:
    """Tell no more of the games of this process, whether they are over or were given up. Waits for what is being
    sent."""
    if os.getpid() in _here:
        _publisher().fall_silent()
