"""The processes of `./run`, and how each is started: most are forks of the supervisor, which has loaded the portal."""

import http.client
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module

import redis
from django.conf import settings
from django.core.management import CommandError, call_command
from django.urls import get_resolver

from contest.server import forked, workers
from contest.server.supervisor import Program

# Named as strings, because what runs the portal knows nothing of contests.
LOADED = (
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.prefork",
    "celery.concurrency.thread",
    "celery.worker.consumer",
    "contest.celery",
    "contest.server.web",
    "gunicorn.app.wsgiapp",
    "kombu.transport.redis",
    "tournaments.casual.server",
    "tournaments.management.commands.botserver",
    "tournaments.management.commands.casualserver",
    "tournaments.playing.live.server",
)


def load() -> None:
    """Load what the processes need, once for all of them. Takes two seconds."""
    import_module("contest.celery").app.loader.import_default_modules()
    assert get_resolver().url_patterns  # which imports every page
    forked.preload(LOADED)


def programs(web: socket.socket, matches: int, bots: Sequence[socket.socket], senders: int) -> Iterator[Program]:
    """Everything but the broker. Builds, the tick and webhooks have workers of their own, so that matches do not delay
    them."""
    gunicorn = [sys.executable, "-m", "gunicorn", "-c", "python:contest.server.web"]
    gunicorn += ["--bind", f"fd://{web.fileno()}"]
    told = bool(settings.PORTAL_URL or os.environ.get("ALLOWED_HOSTS"))
    hosts = {} if told else {"ALLOWED_HOSTS": ",".join(own_names(web))}
    yield Program(
        "web", gunicorn, _gunicorn, ready=lambda pid: answers(web), descriptors=[web.fileno()], environment=hosts
    )
    pools = (("matches", matches), ("builds", 2), ("portal", 1), ("webhooks", senders))
    for name, size in pools:
        yield worker(name, size, threads=name == "webhooks")
    if bots:
        numbers = [each.fileno() for each in bots]
        command = [sys.executable, "manage.py", "botserver", "--sockets", *map(str, numbers)]
        yield Program("bots", command, manage(command[1:]), descriptors=numbers)
    if settings.CASUAL_GAMES:
        command = [sys.executable, "manage.py", "casualserver"]
        yield Program("casual", command, manage(command[1:]))
    beat = [*CELERY, "beat", "--scheduler", "celery.beat:Scheduler", "--pidfile="]
    yield Program("beat", beat, _celery)


CELERY = [sys.executable, "-m", "celery", "-A", "contest", "--quiet"]


def worker(queue: str, size: int, *, threads: bool = False) -> Program:
    """A Celery worker that takes one queue, `size` tasks at a time, each in a process or a thread of its own."""
    alone = ["--without-gossip", "--without-mingle", *(["-P", "threads"] if threads else ())]
    return Program(
        queue,
        [*CELERY, "worker", "-Q", queue, "-c", str(size), "-n", f"{queue}@%h", *alone],
        _celery,
        ready=is_at_work,
        # First "finish your work", then "stop now": the lease brings an unfinished match back.
        stop_signals=(signal.SIGTERM, signal.SIGQUIT),
    )


def _celery() -> None:
    workers.STARTED = time.time()  # what has loaded that module is older
    import_module("celery.__main__").main()


def manage(command: Sequence[str]) -> Callable[[], None]:
    """What runs this command of manage.py in a fork. It says what is wrong in a line, as manage.py does."""

    def main() -> None:
        try:
            call_command(*command[1:])
        except CommandError as error:
            sys.exit(f"CommandError: {error}")

    return main


def _gunicorn() -> None:
    # A fork does not read the settings again.
    told = filter(None, os.environ.get("ALLOWED_HOSTS", "").split(","))
    settings.ALLOWED_HOSTS = list(dict.fromkeys((*told, *settings.ALLOWED_HOSTS)))
    import_module("gunicorn.app.wsgiapp").run()


def own_names(web: socket.socket) -> list[str]:
    """The names and addresses by which visitors reach this machine, as far as it knows them."""
    names = [socket.gethostname().lower(), socket.getfqdn().lower(), web.getsockname()[0]]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing, only asks which of our addresses leads outside
            names.append(probe.getsockname()[0])
        except OSError:
            pass  # no network at all
    return [f"[{name}]" if ":" in name else name for name in dict.fromkeys(names)]


def answers(web: socket.socket) -> bool:
    host, port = web.getsockname()[:2]
    connection = http.client.HTTPConnection({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port, timeout=1)
    try:
        connection.request("GET", "/healthz", headers={"Host": "localhost"})
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def is_at_work(pid: int) -> bool:
    try:
        return any(worker.pid == pid for worker in workers.alive())
    except redis.RedisError:
        return False
