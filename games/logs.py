"""The log of a match that is played on this machine, such as te.log: on disk while it is played, complete when it ends.

However the run ends (a result, a crash of ours, Ctrl-C, SIGTERM), everything up to then is written. If nobody can write
any more, as after SIGKILL, at most the last moments are missing.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event as Flag
from threading import Lock, Thread
from types import FrameType
from typing import NoReturn

from games.engine import Event, Game, Options
from games.format import FORMAT
from games.participants import Seated
from games.record import Record, games

EVERY = 0.3
"""Seconds between two looks for something new to write."""


def write_logs(game: Game, record: Record, path: Path) -> list[Path]:
    """Write the log of each game: one game to `path`, several to numbered files such as `te-2.log`. Returns the
    files."""
    played = games(record)
    targets = [path.with_name(f"{path.stem}-{number}{path.suffix}") for number in range(1, len(played) + 1)]
    targets = [path] if len(played) == 1 else targets
    for target, events in zip(targets, played, strict=True):
        target.write_text(game.log(record, events), encoding="utf-8")
    if len(played) > 1:
        path.unlink(missing_ok=True)  # from when there was one game
    return targets


class Journal:
    """Keeps the log of a match on disk while it is played. `hear` is `on_event` of the referee."""

    def __init__(self, game: Game, seats: Sequence[Seated], seed: int, options: Options, path: Path) -> None:
        self._game = game
        self._path = path
        self._events: list[Event] = []
        self._written = 0  # events
        self._lock = Lock()
        self._over = Flag()
        self._record: Record = {
            "format": FORMAT,
            "game": game.slug,
            "rules": game.preset().name,
            "seed": seed,
            "options": dict(options),
            "seats": [{"name": seat.name, "bot": seat.bot} for seat in seats],
        }
        self.hear = self._events.append

    def write(self) -> None:
        """Write what is new, in one step, so that a reader never sees half a log."""
        with self._lock:
            events = self._events[:]
            if len(events) == self._written:
                return
            split = games({**self._record, "events": events})
            for number, own in enumerate(split[-2:], max(1, len(split) - 1)):  # an earlier one has not changed
                several = number > 1 or len(split) > 1
                path = self._path.with_name(f"{self._path.stem}-{number}{self._path.suffix}") if several else self._path
                part = path.with_name(path.name + ".part")
                part.write_text(self._game.log(self._record, own), encoding="utf-8")
                os.replace(part, path)
            if len(split) > 1:
                self._path.unlink(missing_ok=True)
            self._written = len(events)

    def _look(self) -> None:
        while not self._over.wait(EVERY):
            with suppress(OSError):  # somebody has it open on a system that minds; the last time counts
                self.write()

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep the log until the match is over, whatever ends it."""
        thread = Thread(target=self._look, name="log", daemon=True)
        thread.start()
        try:
            with _ended_by_signals():
                yield
        finally:
            self._over.set()
            thread.join()
            self.write()


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let signals that would end us at once end us in order, with the status that a shell expects."""
    before = {}
    for name in ("SIGTERM", "SIGHUP"):
        if number := getattr(signal, name, None):
            with suppress(ValueError):  # only the main thread may
                before[number] = signal.signal(number, _leave)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)
