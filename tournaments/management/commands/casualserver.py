"""The server of casual games, in the foreground; `./run` starts it with everything else."""

import logging
import os
import signal
from typing import Any

from django.core.management import BaseCommand

from tournaments.casual.server import Server


class Command(BaseCommand):
    help = "Play casual games: people at browsers against house players, versions, and one another."
    requires_system_checks = []  # migrate runs them

    def handle(self, **_: Any) -> None:
        server = Server()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: server.stop())
        server.run()
        logging.shutdown()
        os._exit(0)  # threads that think are no longer needed
