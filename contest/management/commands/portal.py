"""`./run`: the whole portal on one machine, in the foreground."""

import fcntl
import os
import signal
import socket
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from contest.server import broker, killer, parts, ports
from contest.server.forked import Forked
from contest.server.programs import load, manage, programs
from contest.server.supervisor import Program, Supervisor, die_with_parent, give_way

SENDERS = 16  # webhooks at once, in threads: they mostly wait
FIRST_PORT, LAST_PORT = 8000, 8099
START_SECONDS = 60.0
EXAMINER = 10  # niceness of the examination of the machine, which asks every compiler for its version
TWICE = 0.3  # seconds in which two signals are one: systemd sends it to us, and the killer passes on its own
ENDING = 8.0  # seconds that a portal needs to end, and the next one waits for


class Command(BaseCommand):
    help = "Run the whole portal: web server, workers, beat and, unless REDIS_URL is set, a private broker."
    requires_system_checks = ["private"]  # migrate runs the others

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (0.0.0.0 for everybody)")
        parser.add_argument("--port", type=int, help=f"port (default: the first free one from {FIRST_PORT})")
        parser.add_argument("--workers", type=int, default=os.cpu_count(), help="matches at once (default: cores)")
        parser.add_argument("--no-demo", action="store_true", help="do not load the demo contests")

    def handle(self, *, host: str, port: int | None, workers: int, no_demo: bool, **_: Any) -> None:
        if workers < 1:
            raise CommandError("--workers must be at least 1")
        os.chdir(settings.BASE_DIR)
        killer.stand_behind()
        with only_instance(settings.VAR_DIR / "run" / "portal.lock"), listener(host, port) as web, ExitStack() as stack:
            if port is None and web.getsockname()[1] != FIRST_PORT:
                self.say(f"Port {FIRST_PORT} is taken; using {web.getsockname()[1]}.")
            self.bots = [stack.enter_context(door) for door in self.open_doors(os.environ.get("BOT_HOST") or host)]
            for name in ("BOT_PORT", "BOT_TEST_PORT"):  # for our forks, which do not read the settings again
                setattr(settings, name, int(os.environ.get(name, getattr(settings, name))))
            supervisor = Supervisor(settings.VAR_DIR / "log", self.say, parts.link())
            # A signal ends the set-up at once, and the loop at its next turn.
            watching = SignalWatch(supervisor)
            try:
                self.start(supervisor, watching, web, workers, demo=not no_demo)
                supervisor.run()
            except Interrupted:
                pass
            finally:
                watching.loop = True
                self.say("Stopping.")
                supervisor.stop()
        if supervisor.failure:
            raise CommandError(supervisor.failure)

    def start(
        self, supervisor: Supervisor, watching: "SignalWatch", web: socket.socket, workers: int, *, demo: bool
    ) -> None:
        """Start the broker, then prepare the database and the pages, then start everything else."""
        if not settings.REDIS_URL:
            start_broker(supervisor)
        if not supervisor.until_ready(START_SECONDS):
            return
        # In a process of its own, so that this one, of which the others are forks, has no connection to the database.
        command = ["manage.py", "prepare", "--wait", *([] if demo else ["--no-demo"])]
        preparation = beside(command)
        load()
        watching.loop = True
        account = ""

        def hear(line: str) -> None:
            nonlocal account
            name, _, told = line.partition("Organiser: ")
            if told and not name:
                account = told
            else:
                self.say(line)

        if not supervisor.attend(preparation, hear):
            preparation.send_signal(signal.SIGTERM)
            if preparation.poll() and not supervisor.failure and not supervisor.stopping:
                raise CommandError("the database and the pages could not be prepared: see above")
            return
        for program in programs(web, workers, self.bots, SENDERS):
            supervisor.start(program)
        if supervisor.until_ready(START_SECONDS):
            self.welcome(web, account)
            # What organisers must know of the machine: no sandbox, a missing compiler.
            examination = beside(["manage.py", "doctor", "--machine"], niceness=EXAMINER)
            supervisor.attend(examination, lambda line: self.say(f"  {line}"))

    def open_doors(self, host: str) -> list[socket.socket]:
        """Open the ports where teams' own programs connect: the contest's ports, then the test bot's. Returns no ports
        if that is impossible, with a message, because everything else works without them."""
        opened: list[socket.socket] = []
        told, now = ports.told_before(), {}
        for name in ("BOT_PORT", "BOT_TEST_PORT"):
            wanted = told.get(name) or getattr(settings, name)
            try:
                found = ports.listen(host, wanted, len(ports.connected_games()))
            except (OSError, OverflowError) as error:
                for each in opened:
                    each.close()
                self.say(f"Teams' own programs cannot connect: no free port on {host} from {wanted} on ({error}).")
                return []
            opened += found
            port = now[name] = found[0].getsockname()[1]
            if wanted and port != wanted:
                self.say(f"Port {wanted} is taken; teams' own programs connect to {port} ({name} sets it).")
                if name in told:
                    self.say(f"Teams know port {wanted}: tell them the new one, or free it and start again.")
        ports.remember(now)
        os.environ |= {name: str(port) for name, port in now.items()}  # for the pages that show it
        return opened

    def welcome(self, web: socket.socket, account: str) -> None:
        host, port = web.getsockname()[:2]
        shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname(), "127.0.0.1": "localhost"}.get(host, host)
        self.say("")
        self.say(f"  Kibitz is running at  {settings.PORTAL_URL or f'http://{shown}:{port}'}/")
        self.say(f"  Organiser             {account}")
        self.say(f"  Logs                  {settings.VAR_DIR / 'log'}")
        self.say("  Ctrl-C stops everything.")
        self.say("")

    def say(self, line: str) -> None:
        # Unbuffered and ignoring errors, because the terminal may be gone while we still stop processes.
        with suppress(OSError):
            os.write(sys.stdout.fileno(), f"{line}\n".encode())


def beside(command: Sequence[str], *, niceness: int = 0) -> Forked:
    """Run a command of manage.py beside this process. It ends with it."""

    def begin() -> None:
        die_with_parent(signal.SIGTERM)
        give_way(niceness)

    return Forked(manage(command), command, prepare=begin)


class Interrupted(BaseException):  # celery logs every Exception of whoever hears its signals, and goes on
    """A signal arrived during the set-up."""


class SignalWatch:
    """Turns Ctrl-C, a terminal that hangs up and SIGTERM into the supervisor's stop."""

    def __init__(self, supervisor: Supervisor) -> None:
        self.supervisor = supervisor
        self.loop = False  # whether the supervisor's loop is running and will check the flag
        self.came_at = -TWICE
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, killer.LEFT_ALONE):
            signal.signal(number, self.came)

    def came(self, number: int, *_: Any) -> None:
        if time.monotonic() - self.came_at < TWICE and number != killer.LEFT_ALONE:
            return
        self.came_at = time.monotonic()
        self.supervisor.request_stop()
        if number == killer.LEFT_ALONE:  # somebody wants it to end at once
            self.supervisor.request_stop()
        if not self.loop:
            raise Interrupted


@contextmanager
def only_instance(lock_file: Path) -> Iterator[None]:
    """Hold the lock of this var/. If it is taken, say by which process."""
    broker.private_folder(lock_file.parent)
    with lock_file.open("a+") as lock:
        deadline = time.monotonic() + ENDING
        while not taken(lock):
            lock.seek(0)
            owner = lock.read().strip() or "unknown"
            # Whoever has it may be ending, because its killer was killed: nobody stands behind it any more.
            if lives(owner) or time.monotonic() > deadline:
                raise CommandError(
                    f"the portal of {settings.VAR_DIR} is already running (process {owner}). "
                    "Stop it first, or set VAR_DIR to another folder for a second portal."
                )
            time.sleep(0.05)
        with suppress(OSError):  # the disk may be full; not buffered, or closing it would fail as well
            os.ftruncate(lock.fileno(), 0)
            os.write(lock.fileno(), f"{os.getppid()}\n".encode())  # the killer, which is the process that people see
        yield


def lives(pid: str) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def taken(lock: TextIO) -> bool:
    """Take the lock if it is free."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def listener(host: str, port: int | None) -> Iterator[socket.socket]:
    """Yield the listening socket. It is ours, so visitors wait while the web server restarts and are not refused."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in [port] if port is not None else [*range(FIRST_PORT, LAST_PORT + 1), 0]:
        web = socket.socket(family)
        web.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            web.bind((host, candidate))
            web.listen(1024)
        except (OSError, OverflowError) as error:
            web.close()
            if port is not None or not isinstance(error, OSError) or error.errno != 98:  # EADDRINUSE
                raise CommandError(f"cannot listen on {host} port {candidate}: {error}") from None
            continue
        with web:
            yield web
        return


def start_broker(supervisor: Supervisor) -> None:
    """Start the private broker on its socket. One that a killed portal has left is ended."""
    path = settings.BROKER_SOCKET
    try:
        broker.private_folder(path.parent)
        server = broker.find()
    except broker.BrokerError as error:
        raise CommandError(str(error)) from None
    if not broker.end_leftover(path):
        raise CommandError(f"a server of somebody else answers on {path}: stop it first")
    folder = broker.private_folder(settings.VAR_DIR / "redis")
    broker.sweep(folder)
    command = server.command(path, folder)
    supervisor.start(Program("broker", command, ready=lambda pid: broker.answers(path), stop_last=True, quiet=True))
