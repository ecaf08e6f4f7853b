"""Check everything that can be checked: records against the rules, ratings and states against the ledger."""

from itertools import islice
from typing import Any

from django.core.management import CommandError

from games.phrases import counted
from tournaments.management.commands.ledger import ContestsCommand
from tournaments.models import PrunedRecord, Record
from tournaments.playing import audit

MOST = 20  # problems of a contest that are listed


class Command(ContestsCommand):
    help = "Verify all records by the rules, recalculate ratings and totals, replay the ledgers; say what differs."

    def handle(self, *, contests: list[str], **_: Any) -> None:
        found = self.named(contests)
        wrong = 0
        for contest in found:
            kept = Record.objects.filter(match__contest=contest).count()
            pruned = PrunedRecord.objects.filter(match__contest=contest).count()
            gone = f" ({pruned} no longer kept)" if pruned else ""
            looked_at = f"{counted(kept, 'record')}{gone}, ledger up to entry {contest.last_number}"
            wrong += self.tell(contest, looked_at, islice(audit.problems(contest), MOST))
        if wrong:
            raise CommandError(f"{wrong} of {len(found)} contests are inconsistent")
