"""Beside its work, a worker that builds also proves what can be played on its machine (submissions.proving).

It runs `manage.py prove --missing` at the lowest priority when it starts, and again when packages of the machine have
changed, and twice a day. That proves whatever no current proof of this machine covers, and says that the machine is
here. Only one process of a portal proves at a time, so a worker that finds another one at it tries again later, and so
does one that could not prove everything.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from celery import current_app, signals
from django.conf import settings

from contest import workers
from contest.languages import installed
from contest.server.processes import die_with_parent
from games.libraries import packages_now
from submissions.proving import BUSY
from submissions.sandbox import probe
from submissions.turns import BUILDS

logger = logging.getLogger(__name__)

LOWEST_PRIORITY = 19  # as a niceness
PAUSE = 60.0  # seconds before we try again when another process of the portal proves
AGAIN = 900.0  # seconds before we try again what failed: the machine may have been too busy
SIGN = 43_200.0  # seconds after which it runs again although nothing has changed, as a sign that the machine is here
PROVE = (sys.executable, str(settings.BASE_DIR / "manage.py"), "prove", "--missing")


class Prover:
    """The process that proves. Call `look` now and then."""

    def __init__(self, command: Sequence[str] = PROVE) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._tried: tuple[int, ...] = ()  # packages when it was started
        self._seen: tuple[int, ...] = ()  # packages that were proven
        self._not_before = 0.0
        self._started = 0.0

    def look(self) -> None:
        """Start it if something has changed and it does not run."""
        if self._process is not None and (code := self._process.poll()) is not None:
            self._process = None
            self._ended(code)
        now = packages_now()
        changed = now != self._seen or time.monotonic() >= self._started + SIGN
        due = changed and time.monotonic() >= self._not_before
        if self._process is None and (due or now != self._tried):
            self._tried = now
            self._started = time.monotonic()
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                preexec_fn=_as_child,
            )

    def _ended(self, code: int) -> None:
        if code == BUSY:
            self._not_before = time.monotonic() + PAUSE
            return
        if code:
            logger.warning("some games could not be proven in some languages: ./run languages --prove")
            self._not_before = time.monotonic() + AGAIN
        else:
            self._seen = self._tried


def _as_child() -> None:
    die_with_parent(signal.SIGTERM)
    os.nice(LOWEST_PRIORITY)


PROVER = Prover()


@signals.heartbeat_sent.connect
def look(sender: Any = None, **_: Any) -> None:
    """With the worker's heartbeats, if it builds and can run bots."""
    confinement, builds = workers.confinement(), BUILDS in sender.eventer.app.amqp.queues.consume_from
    if settings.PROOFS_REQUIRED and confinement is not None and confinement.acceptable and builds:
        PROVER.look()


# How this worker confines bots and which languages it has, for the desk. Packages come and go, so it looks again

WITHOUT_BOTS = {"portal", "webhooks"}
"""Queues of workers that never run a bot."""

LOOK = 15.0
"""Seconds between two looks at which languages are installed. A look takes a millisecond unless packages changed."""

_looked = {"at": 0.0}


@signals.celeryd_after_setup.connect
def tell(instance: Any = None, **_: Any) -> None:
    """Probe the sandbox before the pool forks, so that its processes know the result."""
    if set(instance.app.amqp.queues.consume_from) <= WITHOUT_BOTS:
        return
    level = probe()
    said = level.name, level.title, level.acceptable, level.reasons, level.no_port, tuple(installed())
    workers.confines(workers.Confinement(*said))
    if level.acceptable:
        logger.info("sandbox level %s, with: %s", level, "; ".join(level.can))
    else:
        logger.error("sandbox level %s: no bot is built or played by this worker", level)


@signals.heartbeat_sent.connect
def look_again(**_: Any) -> None:
    """Let the next heartbeat name the languages that are installed now."""
    now, known = time.monotonic(), workers.confinement()
    if known is None or now < _looked["at"] + LOOK:
        return
    _looked["at"] = now
    languages = tuple(installed())
    if known.languages == languages:
        return
    before = set(known.languages or ())
    came, went = set(languages) - before, before - set(languages)
    logger.info("languages installed: %s; removed: %s", names(came), names(went))
    workers.confines(replace(known, languages=languages))
    if came:
        current_app.send_task("submissions.tasks.installed", [sorted(came)])


def names(slugs: set[str]) -> str:
    return ", ".join(sorted(slugs)) or "none"
