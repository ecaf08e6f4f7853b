"""Name every Celery task in the log lines of its work."""

from contextlib import ExitStack
from typing import Any

from celery import signals

from contest.server import logs

_open: dict[str, ExitStack] = {}


@signals.task_prerun.connect
def begin(task_id: str = "", **_: Any) -> None:
    _open[task_id] = ExitStack()
    _open[task_id].enter_context(logs.about(task=task_id))


@signals.task_postrun.connect
def end(task_id: str = "", **_: Any) -> None:
    if stack := _open.pop(task_id, None):
        stack.close()
