"""Compute ratings again from the results: gives exactly what playing gave."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.db import transaction

from contest.models import Contest
from tournaments import ratings


class Command(BaseCommand):
    help = "Compute the ratings of contests (by slug; all, when none is named) again from their results."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("contests", nargs="*", metavar="SLUG")

    def handle(self, *, contests: list[str], **_: Any) -> None:
        found = Contest.objects.order_by("pk")
        if contests:
            unknown = set(contests) - set(found.filter(slug__in=contests).values_list("slug", flat=True))
            if unknown:
                raise CommandError(f"there is no contest {', '.join(sorted(unknown))}")
            found = found.filter(slug__in=contests)
        for slug in found.values_list("slug", flat=True):
            with transaction.atomic():
                contest = Contest.objects.select_for_update().get(slug=slug)
                changed = ratings.recompute(contest)
                if changed:
                    contest.touch()
            self.stdout.write(f"{slug}: {changed} {'match' if changed == 1 else 'matches'} changed")
