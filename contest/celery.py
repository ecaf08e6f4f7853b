"""The Celery application. Its settings are in contest/settings.py with the prefix CELERY_."""

import os
import signal
import threading
import warnings
from contextlib import ExitStack
from typing import Any

from celery import Celery, beat, signals
from celery.platforms import SecurityWarning
from django.conf import settings

from contest.server import logs
from contest.server.processes import die_with_parent, give_way, look_seldom

NICE = 3  # of workers for builds: pages and matches go first, and compilers come last (submissions/sandbox/build.py)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "contest.settings")
# `migrate` has checked the portal. Checks load every page, which doubles the time that a worker takes to start.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

# `manage.py doctor` says it of root. Here it would be the last words of every worker that ends after its start.
warnings.filterwarnings("ignore", category=SecurityWarning)

app = Celery("kibitz")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["tournaments.clock"])


@signals.setup_logging.connect
def keep_logging(**_: Any) -> None:
    """Connecting to this signal makes Celery leave logging to Django's LOGGING."""


@signals.celeryd_init.connect
def wait_for_the_broker(conf: Any = None, **_: Any) -> None:
    """A worker has nothing to do without its broker, so it waits. If it gave up an acknowledgement, its one place for
    messages would stay taken, and it would hear nothing any more (found by `python -m tests.chaos`)."""
    conf.broker_transport_options = {**conf.broker_transport_options, "socket_timeout": None}


@signals.worker_process_init.connect
def follow_the_worker(**_: Any) -> None:
    """End a pool process with its match's jail as soon as its worker is killed. It only sends messages."""
    die_with_parent(signal.SIGKILL)
    app.conf.broker_transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS


@signals.celeryd_after_setup.connect
def make_room(**_: Any) -> None:
    look_seldom()  # before the pool forks, which then shares what is loaded
    if set(app.amqp.queues.consume_from) <= set(settings.PATIENT_QUEUES):
        give_way(NICE)


_told: dict[str, ExitStack] = {}  # by the id of a task


@signals.task_prerun.connect
def name_in_logs(task_id: str = "", **_: Any) -> None:
    """Name every task in the log lines of its work."""
    _told[task_id] = ExitStack()
    _told[task_id].enter_context(logs.about(task=task_id))


@signals.task_postrun.connect
def name_no_longer(task_id: str = "", **_: Any) -> None:
    if stack := _told.pop(task_id, None):
        stack.close()


@signals.worker_ready.connect
def keep_the_clock(**_: Any) -> None:
    """Send what is due by the clock from the worker that takes the ticks. A second clock does no harm."""
    runs = any(thread.name == "Beat" for thread in threading.enumerate())  # and the worker had only lost its broker
    if app.conf.task_default_queue in app.amqp.queues.consume_from and not runs:
        beat.EmbeddedService(app, thread=True, scheduler_cls="celery.beat:Scheduler").start()


@signals.worker_shutting_down.connect
def end_in_time(how: str = "", **_: Any) -> None:
    """After a warm shutdown for WORKER_GRACE seconds, a cold one: what is left goes back to the queue."""
    if how == "Warm":
        timer = threading.Timer(settings.WORKER_GRACE, os.kill, (os.getpid(), signal.SIGQUIT))
        timer.daemon = True
        timer.start()
