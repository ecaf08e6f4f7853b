"""Every Celery task is named in the log lines of its work, timed and counted."""

from contextlib import ExitStack
from typing import Any

from celery import signals

from contest import counting
from contest.server import logs

_open: dict[str, ExitStack] = {}


@signals.task_prerun.connect
def begin(task_id: str = "", task: Any = None, **_: Any) -> None:
    stack = _open[task_id] = ExitStack()
    stack.enter_context(logs.about(task=task_id))
    stack.enter_context(counting.timed("task", task=task.name))


@signals.task_postrun.connect
def end(task_id: str = "", task: Any = None, state: str = "", **_: Any) -> None:
    counting.count("tasks", task=task.name, ended="well" if state == "SUCCESS" else "badly")
    if stack := _open.pop(task_id, None):
        stack.close()
