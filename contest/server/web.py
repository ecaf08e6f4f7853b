"""gunicorn's settings: `gunicorn -c python:contest.server.web`. The command line may change them."""

import os
import sys
from typing import Any

from django.conf import settings

from contest.server.processes import look_seldom

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "contest.settings")

wsgi_app = "contest.asgi:application"
worker_class = "asgi"  # an event loop, so that slow clients stop nobody
asgi_lifespan = "off"
preload_app = True  # the processes share what is loaded
workers = settings.WEB_CONCURRENCY or 1
worker_connections = 10_000
backlog = 2048
keepalive = 15  # seconds; pages ask every few seconds on the same connection
graceful_timeout = 5
max_requests = 500_000  # then a new process takes over, so that nothing grows for ever
max_requests_jitter = 50_000
control_socket_disable = True
umask = 0o077  # as in contest/settings.py


def when_ready(server: Any) -> None:
    """Called before the processes are forked."""
    look_seldom()


def post_worker_init(worker: Any) -> None:
    """Called in each process. Answers that are there already wait for those that are being made, but not for long."""
    sys.setswitchinterval(0.0005)
