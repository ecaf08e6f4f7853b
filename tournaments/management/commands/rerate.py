"""Recalculate ratings and totals from the results, with exactly the values from normal play."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from contest.models import Contest
from tournaments.results import tallies


class Command(BaseCommand):
    help = "Recalculate the ratings and totals of contests (by slug; default: all) from their results."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("contests", nargs="*", metavar="SLUG")

    def handle(self, *, contests: list[str], **_: Any) -> None:
        found = Contest.objects.order_by("pk")
        if contests:
            unknown = set(contests) - set(found.filter(slug__in=contests).values_list("slug", flat=True))
            if unknown:
                raise CommandError(f"there is no contest {', '.join(sorted(unknown))}")
            found = found.filter(slug__in=contests)
        for contest in found:
            changed = tallies.count_all(contest)
            self.stdout.write(f"{contest.slug}: {changed} {'match' if changed == 1 else 'matches'} changed")
