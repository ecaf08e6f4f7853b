"""How bots are confined on this machine, said when a worker starts: in its log, and to the organisers' desk."""

from __future__ import annotations

import logging
from typing import Any

from celery import signals

from contest.server import workers
from submissions.languages import LANGUAGES
from submissions.sandbox import probe

logger = logging.getLogger(__name__)

WITHOUT_BOTS = {"portal"}
"""The queues of a worker that never runs one."""


@signals.celeryd_after_setup.connect
def tell(instance: Any = None, **_: Any) -> None:
    """Before the pool is forked, so that its processes know the answer without asking again."""
    if set(instance.app.amqp.queues.consume_from) <= WITHOUT_BOTS:
        return
    level = probe()
    languages = tuple(slug for slug, language in LANGUAGES.items() if language.installed())
    said = level.name, level.title, level.acceptable, level.reasons, level.no_port, languages
    workers.confines(workers.Confinement(*said))
    if level.acceptable:
        logger.info("sandbox level %s. There are: %s", level, "; ".join(level.can))
    else:
        logger.error("sandbox level %s: no bot is built or played by this worker", level)
