"""`./run`: the whole portal on one machine, in the foreground. It prepares everything and becomes supervisord."""

import errno
import http.client
import os
import signal
import socket
import sys
import time
from argparse import ArgumentParser
from contextlib import nullcontext, suppress
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import connections

from contest.management.commands.prepare import prepare_patiently
from contest.server import broker, ports, supervision
from contest.server.processes import die_with_parent

FIRST_PORT, LAST_PORT = 8000, 8099
START_SECONDS = 300.0
EXAMINER = 10  # niceness of the examination of the machine, which asks every compiler for its version


class Command(BaseCommand):
    help = "Run the whole portal: web server, workers, contest server and, unless REDIS_URL is set, a private broker."
    requires_system_checks = ["private"]  # migrate runs the others

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.prog = "run"
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (0.0.0.0 for everybody)")
        parser.add_argument("--port", type=int, help=f"port (default: the first free one from {FIRST_PORT})")
        parser.add_argument("--workers", type=int, default=os.cpu_count(), help="matches at once (default: cores)")
        parser.add_argument("--no-demo", action="store_true", help="do not load the demo contests")

    def handle(self, *, host: str, port: int | None, workers: int, no_demo: bool, **_: Any) -> None:
        if workers < 1:
            raise CommandError("--workers must be at least 1")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: sys.exit("Stopping."))
        os.chdir(settings.BASE_DIR)
        with supervision.only_instance() as lock:
            supervision.end_leftovers()
            port = self.find_port(host, port)
            programs = {"web", "clock", "builds", "matches"}
            programs |= {"bots"} if self.find_doors(os.environ.get("BOT_HOST") or host) else set()
            programs |= {"casual"} if settings.CASUAL_GAMES else set()
            if not settings.PORTAL_URL:
                os.environ.setdefault("ALLOWED_HOSTS", ",".join(own_names(host)))
            variables: dict[str, object] = {"BIND": address(host, port), "MATCHES_AT_ONCE": workers}
            own = broker.serving(settings.BROKER_SOCKET, settings.VAR_DIR)
            try:
                with nullcontext("") if settings.REDIS_URL else own as command:
                    account = prepare_patiently(not no_demo, self.say)
            except broker.BrokerError as error:
                raise CommandError(str(error)) from None
            if command:
                variables |= {"BROKER": command, "BROKER_HERE": True}
            connections.close_all()
            supervisor = os.getpid()
            if os.fork() == 0:
                os.close(lock)
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                die_with_parent(signal.SIGTERM)
                self.welcome(supervisor, host, port, str(account))
                os._exit(0)
            supervision.hand_over(lock, programs, variables)

    def find_port(self, host: str, port: int | None) -> int:
        """The port for the pages: the wanted one, or the first free one."""
        for candidate in [port] if port is not None else [*range(FIRST_PORT, LAST_PORT + 1), 0]:
            try:
                with ports.open_at(host, candidate) as probe:
                    found: int = probe.getsockname()[1]
                break
            except (OSError, OverflowError) as error:
                if port is not None or not isinstance(error, OSError) or error.errno != errno.EADDRINUSE:
                    raise CommandError(f"cannot listen on {host} port {candidate}: {error}") from None
        if port is None and found != FIRST_PORT:
            self.say(f"Port {FIRST_PORT} is taken; using {found}.")
        return found

    def find_doors(self, host: str) -> bool:
        """Find free ports where teams' own programs connect, and put them into the environment: the contest's ports,
        then the test bot's. False if there are none, with a message, because everything else works without them."""
        told, now = ports.told_before(), {}
        for name in ("BOT_PORT", "BOT_TEST_PORT"):
            wanted = told.get(name) or getattr(settings, name)
            try:
                found = ports.listen(host, wanted, len(ports.connected_games()))
            except (OSError, OverflowError) as error:
                self.say(f"Teams' own programs cannot connect: no free port on {host} from {wanted} on ({error}).")
                return False
            port = now[name] = found[0].getsockname()[1]
            for each in found:
                each.close()
            if wanted and port != wanted:
                self.say(f"Port {wanted} is taken; teams' own programs connect to {port} ({name} sets it).")
                if name in told:
                    self.say(f"Teams know port {wanted}: tell them the new one, or free it and start again.")
        ports.remember(now)
        os.environ |= {"BOT_HOST": host} | {name: str(port) for name, port in now.items()}
        return True

    def welcome(self, supervisor: int, host: str, port: int, account: str) -> None:
        """In a process of its own, while supervisord starts the programs: say where the portal is when it answers."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        deadline = time.monotonic() + START_SECONDS
        while not answers(host, port):
            time.sleep(0.1)
            if os.getppid() != supervisor or time.monotonic() > deadline:
                self.say(f"No page answers yet: see {settings.VAR_DIR / 'log' / 'web.log'} and supervisord.log there.")
                return
        shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname(), "127.0.0.1": "localhost"}.get(host, host)
        self.say("")
        self.say(f"  Kibitz is running at  {settings.PORTAL_URL or f'http://{address(shown, port)}'}/")
        self.say(f"  Organiser             {account}")
        self.say(f"  Logs                  {settings.VAR_DIR / 'log'}")
        self.say("  Ctrl-C stops everything.")
        self.say("")
        os.nice(EXAMINER)
        call_command("doctor", "--machine")  # what organisers must know: no sandbox, a missing compiler

    def say(self, line: str) -> None:
        # Unbuffered and ignoring errors, because the terminal may be gone.
        with suppress(OSError):
            os.write(sys.stdout.fileno(), f"{line}\n".encode())


def answers(host: str, port: int) -> bool:
    connection = http.client.HTTPConnection({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port, timeout=5)
    try:
        connection.request("GET", "/healthz", headers={"Host": "localhost"})
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def own_names(host: str) -> list[str]:
    """The names and addresses by which visitors reach this machine, as far as it knows them."""
    names = [socket.gethostname().lower(), socket.getfqdn().lower(), host]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing, only asks which of our addresses leads outside
            names.append(probe.getsockname()[0])
        except OSError:
            pass  # no network at all
    return [f"[{name}]" if ":" in name else name for name in dict.fromkeys(names)]
