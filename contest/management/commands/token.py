"""`manage.py token NAME`: make a token for an account, for scripts on this machine."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from contest.models import ApiToken, Scope, User
from contest.refusal import Refused


class Command(BaseCommand):
    help = "Make a token for an account and print it. Anyone who has it can act as the account."
    requires_system_checks = []  # migrate runs them

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--scope", action="append", choices=Scope.values, default=[], help="may be repeated")
        parser.add_argument("--name", default="command line", help="of the token")
        parser.add_argument("--days", type=int, default=1, help="how long it works")
        parser.add_argument("--create", action="store_true", help="make the account, without a password, if needed")

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        name = options["username"]
        user = User.objects.filter(username=name).first()
        if user is None:
            if not options["create"]:
                raise CommandError(f"There is no account “{name}”. --create makes it.")
            user = User.objects.create_user(name)
        try:
            _, token = ApiToken.issue(user, options["name"], options["scope"], timedelta(days=options["days"]))
        except OverflowError:
            raise CommandError("--days is too large.") from None
        except Refused as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(token)
