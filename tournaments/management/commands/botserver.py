"""The contest server for teams' own programs, in the foreground; `./run` starts it with everything else."""

import logging
import os
import signal
import socket
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from contest.server import ports
from tournaments.playing.live.server import Place, Server


class Command(BaseCommand):
    help = "Let teams' own programs connect, and play the matches in which they take part."
    requires_system_checks = []  # migrate runs them

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.BOT_HOST, help="address to listen on (0.0.0.0 for everybody)")
        parser.add_argument("--port", type=int, default=settings.BOT_PORT, help="port of the contest; 0: any")
        parser.add_argument("--test-port", type=int, default=settings.BOT_TEST_PORT, help="of the test bot; 0: any")

    def handle(self, *, host: str, port: int, test_port: int, **_: Any) -> None:
        games = ports.connected_games()
        opened = [
            listening(host, first + number if first else 0)
            for first in (port, test_port)
            for number in range(len(games))
        ]
        places = [
            Place(game, *pair) for game, *pair in zip(games, opened[: len(games)], opened[len(games) :], strict=True)
        ]
        server = Server(places)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: server.stop())
        for place in places:
            numbers = [each.getsockname()[1] for each in (place.contest, place.test)]
            self.stdout.write(f"{place.game.title}: contest at port {numbers[0]}, test bot at port {numbers[1]}")
            self.stdout.flush()
        server.run()
        self.stdout.flush()
        logging.shutdown()
        # The threads of a hundred matches are no longer needed, and Python would take seconds to join them.
        os._exit(0)


def listening(host: str, port: int) -> socket.socket:
    try:
        return ports.open_at(host, port)
    except (OSError, OverflowError) as error:
        raise CommandError(f"cannot listen on {host} port {port}: {error}") from None
