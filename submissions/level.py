"""When a worker starts, report how it confines bots: to its log and to the organisers' desk."""

from __future__ import annotations

import logging
from typing import Any

from celery import signals

from contest.server import workers
from submissions.languages import LANGUAGES
from submissions.sandbox import probe

logger = logging.getLogger(__name__)

WITHOUT_BOTS = {"portal", "webhooks"}
"""Queues of workers that never run a bot."""


@signals.celeryd_after_setup.connect
def tell(instance: Any = None, **_: Any) -> None:
    """Probe the sandbox before the pool forks, so that its processes know the result."""
    if set(instance.app.amqp.queues.consume_from) <= WITHOUT_BOTS:
        return
    level = probe()
    languages = tuple(slug for slug, language in LANGUAGES.items() if language.installed())
    said = level.name, level.title, level.acceptable, level.reasons, level.no_port, languages
    workers.confines(workers.Confinement(*said))
    if level.acceptable:
        logger.info("sandbox level %s, with: %s", level, "; ".join(level.can))
    else:
        logger.error("sandbox level %s: no bot is built or played by this worker", level)
