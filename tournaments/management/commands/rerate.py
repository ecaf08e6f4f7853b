"""Recalculate ratings and totals from the results, with exactly the values from normal play."""

from typing import Any

from tournaments.management.commands.ledger import ContestsCommand
from tournaments.results import tallies


class Command(ContestsCommand):
    help = "Recalculate the ratings and totals of contests (by slug; default: all) from their results."

    def handle(self, *, contests: list[str], **_: Any) -> None:
        for contest in self.named(contests):
            changed = tallies.count_all(contest)
            self.stdout.write(f"{contest.slug}: {changed} {'match' if changed == 1 else 'matches'} changed")
