"""Report how a worker confines bots and which languages it has: to its log when it starts, and to the organisers' desk.

Languages are looked at again while it runs, because packages come and go.
"""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import Any

from celery import current_app, signals

from contest import workers
from submissions.languages import LANGUAGES
from submissions.sandbox import probe

logger = logging.getLogger(__name__)

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
    said = level.name, level.title, level.acceptable, level.reasons, level.no_port, installed()
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
    languages = installed()
    if known.languages == languages:
        return
    before = set(known.languages or ())
    came, went = set(languages) - before, before - set(languages)
    logger.info("languages installed: %s; removed: %s", names(came), names(went))
    workers.confines(replace(known, languages=languages))
    if came:
        current_app.send_task("submissions.tasks.installed", [sorted(came)])


def installed() -> tuple[str, ...]:
    return tuple(slug for slug, language in LANGUAGES.items() if language.installed())


def names(slugs: set[str]) -> str:
    return ", ".join(sorted(slugs)) or "none"
