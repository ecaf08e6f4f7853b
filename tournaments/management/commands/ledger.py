"""Replay the ledger: `check` compares it with what is stored, `rebuild` writes that again."""

from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.db.models import QuerySet

from contest.models import Contest
from tournaments.results import replay


class ContestsCommand(BaseCommand):
    """A command about some contests, named by their slugs, or about all."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("contests", nargs="*", metavar="SLUG", help="default: all contests")

    def named(self, slugs: list[str]) -> QuerySet[Contest]:
        if unknown := set(slugs) - set(Contest.objects.filter(slug__in=slugs).values_list("slug", flat=True)):
            raise CommandError(f"there is no contest {', '.join(sorted(unknown))}")
        found = Contest.objects.order_by("pk")
        return found.filter(slug__in=slugs) if slugs else found

    def tell(self, contest: Contest, looked_at: str, problems: Iterable[str]) -> bool:
        """Print what is wrong with a contest. Returns whether anything is."""
        found = list(problems)
        self.stdout.write(f"{contest.slug}: {looked_at}, {'inconsistent' if found else 'consistent'}")
        for problem in found:
            self.stdout.write(f"  {problem}")
        return bool(found)


class Command(ContestsCommand):
    help = "Check that results, ratings and states follow from the ledgers of contests, or rebuild them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["check", "rebuild"])
        super().add_arguments(parser)

    def handle(self, *, action: str, contests: list[str], **_: Any) -> None:
        found = self.named(contests)
        wrong = 0
        for contest in found:
            if action == "rebuild":
                replay.rebuild(contest)
            entries = "1 entry" if contest.last_number == 1 else f"{contest.last_number} entries"
            wrong += self.tell(contest, entries, replay.differences(contest))
        if wrong:
            raise CommandError(f"{wrong} of {len(found)} contests do not agree with their ledgers")
