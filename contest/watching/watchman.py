"""Look at the portal twice a minute, raise alarms, and tell the operators.

It runs as a thread of the web server, because the tick needs the broker and a worker, which are what it watches. One
process on a machine looks (a lock on a file); where several machines serve pages, an UPDATE that names what was told
before sees to it that each message is sent once. Without the database, alarms are kept in memory and are still told.
"""

from __future__ import annotations

import fcntl
import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from http.client import HTTPException
from smtplib import SMTPException

from django.conf import settings
from django.db import DatabaseError, connections

from contest.models import Alarm
from contest.server import complaints, disk, figures, health
from contest.watching import telling
from contest.watching.rules import Memory, Rule, Sight, Verdict, counted, rules

logger = logging.getLogger(__name__)

EVERY = 30.0  # seconds between two looks
Told = Alarm.Told


def start() -> None:
    """Begin to watch in the background of this process."""
    threading.Thread(target=_watch_for_ever, name="watchman", daemon=True).start()


def _watch_for_ever() -> None:
    pause, watchman = threading.Event(), Watchman()
    lock: int | None = None
    while not pause.wait(EVERY):
        lock = lock or _turn()
        if lock is None:
            continue
        try:
            watchman.look()
        except Exception:  # what it did not expect must not end the watch
            logger.exception("the watchman failed")
        finally:
            connections.close_all()


def _turn() -> int | None:
    """The lock of the one process that watches on this machine; held until the process ends. None: another has it."""
    try:
        lock = os.open(settings.VAR_DIR / "run" / "watchman.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:  # a full disk; two that watch do no harm
        return -1
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock


class Watchman:
    """Alarms as they are known, by key. They outlive a database that is away."""

    def __init__(self) -> None:
        self.alarms: dict[str, Alarm] = {}
        self.unsaved: set[str] = set()
        self.memory = Memory()

    def look(self, now: datetime | None = None) -> list[telling.News]:
        """Look once. Returns what was told."""
        now = now or datetime.now(UTC)
        with suppress(Exception):
            disk.note()
        self._load()
        sums = self.memory.recent(now.timestamp(), counted())
        sight = Sight(now.timestamp(), health.findings(max_age=EVERY / 2), figures.current(max_age=EVERY / 2), sums)
        told = []
        for rule in rules(sight.findings, self._raised()):
            alarm = self.alarms.setdefault(rule.key, Alarm(key=rule.key))
            before = alarm.values()
            step(alarm, rule, rule.verdict(sight, alarm.is_raised, alarm.remembered), now)
            if alarm.values() != before:
                self.unsaved.add(rule.key)
            told += self._tell(alarm, rule, now)
        self._save()
        return told

    def _raised(self) -> list[str]:
        return [key for key, alarm in self.alarms.items() if alarm.is_raised]

    def _load(self) -> None:
        with _database():
            for alarm in Alarm.objects.all():
                if alarm.key not in self.unsaved:
                    self.alarms[alarm.key] = alarm

    def _save(self) -> None:
        with _database():
            for key in sorted(self.unsaved):
                alarm = self.alarms[key]
                row, _ = Alarm.objects.update_or_create(key=key, defaults=alarm.values())
                row.mailed, row.posted = alarm.mailed, alarm.posted
                row.save(update_fields=["mailed", "posted"])
                self.alarms[key] = row
                self.unsaved.discard(key)

    def _tell(self, alarm: Alarm, rule: Rule, now: datetime) -> list[telling.News]:
        ways: list[tuple[str, bool, Callable[[telling.News], None]]] = [
            ("mailed", bool(settings.ALARM_MAIL), telling.mail),
            ("posted", bool(settings.ALARM_WEBHOOK), telling.post),
        ]
        told = []
        for field, wanted, send in ways:
            news = due(alarm, rule, field, now)
            if not wanted or news is None or not self._mark(alarm, field, news.state):
                continue
            try:
                send(news)
            except (OSError, HTTPException, SMTPException, ValueError) as error:
                complaints.complain(f"alarm:{field}", f"operators cannot be told of an alarm: {error}")
                self._unmark(alarm, field, news.state)
                continue
            complaints.content(f"alarm:{field}")
            told.append(news)
        return told

    def _mark(self, alarm: Alarm, field: str, state: str) -> bool:
        """Note that it is told. False if another machine has told it."""
        before = getattr(alarm, field)
        setattr(alarm, field, state)
        if alarm.pk is None:
            self.unsaved.add(alarm.key)
            return True
        mine = 1
        with _database():
            mine = Alarm.objects.filter(pk=alarm.pk, **{field: before}).update(**{field: state})
        return bool(mine)

    def _unmark(self, alarm: Alarm, field: str, state: str) -> None:
        before = Told.NOTHING if state == Told.RAISED else Told.RAISED
        setattr(alarm, field, before)
        with _database():
            Alarm.objects.filter(pk=alarm.pk, **{field: state}).update(**{field: before})


@contextmanager
def _database() -> Iterator[None]:
    """Do what the database allows now. What it does not is done by a later look."""
    try:
        yield
    except DatabaseError:
        logger.debug("alarms are kept in memory", exc_info=True)


def step(alarm: Alarm, rule: Rule, verdict: Verdict, now: datetime) -> None:
    """Take one look into account: raise the alarm, keep it, or end it."""
    alarm.remembered = verdict.remember
    if verdict.bad is None:
        return
    if verdict.bad:
        alarm.message, alarm.good_since = verdict.bad[:500], None
        # The clock may have been set back.
        alarm.bad_since = min(alarm.bad_since or now, now)
        if not alarm.is_raised and now - alarm.bad_since >= timedelta(seconds=rule.after):
            alarm.raised_at, alarm.over_at = now, None
            logger.warning("alarm: %s: %s", rule.title, alarm.message, extra={"alarm": rule.key})
        return
    if alarm.is_raised:
        alarm.good_since = min(alarm.good_since or now, now)
        if now - alarm.good_since < timedelta(seconds=rule.calm):
            return
        alarm.raised_at, alarm.over_at = None, now
        logger.warning("alarm is over: %s: %s", rule.title, alarm.message, extra={"alarm": rule.key})
    alarm.bad_since = alarm.good_since = None


def due(alarm: Alarm, rule: Rule, field: str, now: datetime) -> telling.News | None:
    """What the operators are still to be told on this way. A silent alarm is not told; that it is over is told to whom
    it was told before."""
    told = getattr(alarm, field)
    if alarm.raised_at is not None and told != Told.RAISED and not alarm.is_silent(now):
        return telling.News(rule, Told.RAISED, alarm.message, alarm.raised_at)
    if alarm.raised_at is None and told == Told.RAISED:
        return telling.News(rule, Told.OVER, alarm.message, alarm.over_at or now)
    return None
