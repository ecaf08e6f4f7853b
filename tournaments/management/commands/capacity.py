"""`manage.py capacity`: how many machines a contest needs."""

from __future__ import annotations

import os
import re
from argparse import ArgumentTypeError
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

import games
from contest.refusal import Refused
from games.engine import OptionError
from tournaments.organising import capacity

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


class Command(BaseCommand):
    help = "Say how many machines a contest needs, from the time that matches take on this installation."
    requires_system_checks = []  # migrate runs them

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--teams", type=int, required=True)
        parser.add_argument("--every", type=span, required=True, help="between two matches of a team: 30s, 10m, 2h")
        parser.add_argument("--format", choices=capacity.PACES, default="ladder", help="default: ladder")
        parser.add_argument("--game", required=True, help=", ".join(games.GAMES))
        parser.add_argument("--seconds", type=float, help="a match takes (default: as measured here)")
        parser.add_argument("--seats", type=int, help="teams at a table (default: as many as the game has seats)")
        parser.add_argument("--cores", type=int, default=os.cpu_count(), help="of a machine (default: of this one)")

    def handle(
        self,
        *args: Any,
        teams: int,
        every: timedelta,
        game: str,
        format: str,
        seconds: float | None,
        seats: int | None,
        cores: int,
        **options: Any,
    ) -> None:
        try:
            rules = games.get(game)
        except OptionError as error:
            raise CommandError(f"{error}.") from None
        try:
            found = capacity.answer(rules, teams, every, cores, format=format, seconds=seconds, seats=seats)
        except Refused as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(f"A match takes {found.seconds:.1f} s ({found.source}), with {found.seats} at a table.")
        self.stdout.write(f"{found.need.words()} with {found.cores} cores each.")
        self.stdout.write(found.stands_on)
        if found.doubt:
            self.stdout.write(found.doubt)


def span(text: str) -> timedelta:
    """A time such as 10m."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd])", text.strip())
    if found is None:
        raise ArgumentTypeError(f"{text!r} is no time such as 30s, 10m or 2h")
    return timedelta(seconds=float(found[1]) * UNITS[found[2]])
