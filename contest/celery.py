"""The Celery application. Its settings are in contest/settings.py with the prefix CELERY_."""

import os
import signal
import time
import warnings
from typing import Any

from celery import Celery, signals
from celery.platforms import SecurityWarning
from django.conf import settings

from contest.server import ears, garbage, orders, tasks, workers  # noqa: F401  (tasks connects itself to Celery's signals)
from contest.server.supervisor import die_with_parent, give_way

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
    garbage.look_seldom()


@signals.celeryd_after_setup.connect
def say_how_much_we_do(instance: Any = None, **_: Any) -> None:
    workers.works_with(instance.concurrency)
    if set(app.amqp.queues.consume_from) <= set(settings.PATIENT_QUEUES):
        give_way(NICE)


@signals.worker_ready.connect
def take_orders(sender: Any, **_: Any) -> None:
    orders.HERE.begin(sender, tuple(sorted(app.amqp.queues.consume_from)))


@signals.heartbeat_sent.connect
def say_that_we_live(sender: Any, **_: Any) -> None:
    queues = orders.HERE.queues or tuple(sorted(app.amqp.queues.consume_from))
    orders.HERE.report()
    order = workers.sign_of_life(sender.eventer.hostname, queues)
    orders.HERE.obey(order)
    if order is not None and orders.HERE.takes_tasks:  # the broker answers
        ears.listen(orders.HERE.consumer, orders.HERE.queues, time.monotonic())


@signals.worker_shutdown.connect
def say_that_we_end(sender: Any, **_: Any) -> None:
    workers.farewell([sender.hostname])
