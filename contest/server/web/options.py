"""gunicorn's settings: `gunicorn -c python:contest.server.web.options`. The command line may change them."""

import sys
from typing import Any

from contest.server import garbage

wsgi_app = "contest.asgi:application"
worker_class = "contest.server.web.worker.Worker"
workers = 2
worker_connections = 10_000  # at most; the limit of open files may be lower (ulimit -Hn)
backlog = 2048
keepalive = 15  # seconds; pages poll every few seconds on the same connection
graceful_timeout = 2
max_requests = 50_000  # then a new process takes over, so that nothing grows for ever
max_requests_jitter = 5_000
control_socket_disable = True
umask = 0o077  # as in contest/settings.py


SWITCH = 0.0005
"""Seconds for which a thread that makes a page may keep the event loop waiting; by default ten times as many."""


def post_worker_init(worker: Any) -> None:
    """Called in each process, when it has loaded the portal."""
    garbage.look_seldom()
    sys.setswitchinterval(SWITCH)
