"""`manage.py capacity`: how many machines a contest needs."""

from __future__ import annotations

import os
import re
from argparse import ArgumentTypeError
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

import games
from games.engine import OptionError
from tournaments.organising import capacity

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


class Command(BaseCommand):
    help = "Say how many machines a contest needs, from the time that matches take on this installation."
    requires_system_checks = []  # migrate runs them

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--teams", type=int, required=True)
        parser.add_argument("--every", type=span, required=True, help="between two matches of a team: 30s, 10m, 2h")
        parser.add_argument("--game", required=True, help=", ".join(games.GAMES))
        parser.add_argument("--seconds", type=float, help="a match takes (default: as measured here)")
        parser.add_argument("--seats", type=int, help="teams at a table (default: as many as the game has seats)")
        parser.add_argument("--cores", type=int, default=os.cpu_count(), help="of a machine (default: of this one)")

    def handle(self, *args: Any, teams: int, every: timedelta, game: str, **options: Any) -> None:
        try:
            rules = games.get(game)
        except OptionError as error:
            raise CommandError(f"{error}.") from None
        found = capacity.measured(rules)
        seconds = options["seconds"] or found.seconds
        seats = options["seats"] or found.seats
        if min(teams, seconds, seats, options["cores"], every.total_seconds()) <= 0:
            raise CommandError("Every number must be more than 0.")
        if options["seconds"]:
            source = "as you said"
        elif found.matches:
            source = f"measured in the latest {found.matches} matches of {rules.title} here"
        else:
            source = f"a guess for quick bots: no match of {rules.title} was played here yet"
        needed = capacity.need(teams, every, seconds, seats, options["cores"])
        self.stdout.write(f"A match takes {seconds:.1f} s ({source}), with {seats} at a table.")
        self.stdout.write(f"{needed.words()} with {options['cores']} cores each.")
        self.stdout.write(
            f"({needed.busy:.1f} cores at {capacity.LOAD:.0%} load, and {capacity.OVERHEAD} cores for the portal, its "
            "database and its broker.)"
        )


def span(text: str) -> timedelta:
    """A time such as 10m."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd])", text.strip())
    if found is None:
        raise ArgumentTypeError(f"{text!r} is no time such as 30s, 10m or 2h")
    return timedelta(seconds=float(found[1]) * UNITS[found[2]])
