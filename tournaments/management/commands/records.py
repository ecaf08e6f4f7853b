"""Records of matches: which are kept, where they lie, and how to move them."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.utils import timezone

from contest.kept import OutOfReach
from contest.models import Contest
from contest.refusal import Refused
from contest.server.processes import give_way
from tournaments.models import PrunedRecord, Record, stores
from tournaments.playing import pruning, sweeping
from tournaments.playing.pruning import Rule

NICE = 10


class Command(BaseCommand):
    help = "Say where records lie, preview or set which are kept, or move them between stores."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("where", help="how many records lie where")
        for name, what in (("preview", "say what a rule would delete"), ("rule", "set the rule of a contest")):
            action = actions.add_parser(name, help=what)
            action.add_argument("contest", metavar="SLUG")
            action.add_argument("--latest", type=int, default=0, metavar="N", help="keep those of the N latest matches")
            action.add_argument("--days", type=int, default=0, metavar="D", help="keep everything younger")
            if name == "rule":
                action.add_argument("--as-the-portal", action="store_true", help="no rule of its own any more")
        move = actions.add_parser("move", help="move records to another store")
        move.add_argument("--to", choices=Record.Store.values, required=True)
        move.add_argument("--contest", metavar="SLUG", help="default: those of all contests")
        sweep = actions.add_parser(
            "sweep", help="count what stores hold of matches that were deleted with their contest"
        )
        sweep.add_argument("--delete", action="store_true", help="delete it; look at the count first")
        actions.add_parser("prune", help="carry out all rules now; the tick does so by itself")
        actions.add_parser("keep", help="move and delete what the tick has found; it starts this itself")

    def handle(self, *, action: str, **options: Any) -> None:
        try:
            getattr(self, action)(options)
        except OutOfReach as error:
            raise CommandError(f"{error} The log says more. Start this again to continue.") from None

    def where(self, options: dict[str, Any]) -> None:
        for found in pruning.stored(Record.objects.all()):
            self.stdout.write(f"{found.number:,} {found.label}, {found.size / 1e6:,.1f} MB")
        self.stdout.write(f"{PrunedRecord.objects.count():,} no longer kept")

    def preview(self, options: dict[str, Any]) -> None:
        contest, rule = _contest(options["contest"]), Rule(options["latest"], options["days"])
        told = pruning.preview(contest, rule)
        self.stdout.write(
            f"{contest.slug}: {told.deleted:,} of {told.records:,} records would be deleted"
            f" ({told.deleted_bytes / 1e6:,.1f} MB). {told.spared:,} old ones decided something and would stay."
        )

    def rule(self, options: dict[str, Any]) -> None:
        contest, rule = _contest(options["contest"]), Rule(options["latest"], options["days"])
        try:
            pruning.change_rule(contest, None, None if options["as_the_portal"] else rule)
        except Refused as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(pruning.rule_of(contest).words)

    def move(self, options: dict[str, Any]) -> None:
        records = Record.objects.all()
        if options["contest"]:
            records = records.filter(match__contest=_contest(options["contest"]))
        stores.check(options["to"])
        count = sum(1 for _ in pruning.move(records, options["to"]))
        self.stdout.write(f"{count:,} moved")

    def sweep(self, options: dict[str, Any]) -> None:
        for store in (stores.FILES, stores.OBJECTS):
            if store not in settings.STORAGES:
                continue
            count = 0
            for name in sweeping.forgotten(store, timezone.now()):
                if options["delete"]:
                    stores.delete(store, name)
                count += 1
            where, done = Record.Store(store).label, "deleted" if options["delete"] else "belong to no match"
            self.stdout.write(f"{count:,} {where} {done}")

    def prune(self, options: dict[str, Any]) -> None:
        total = 0
        while count := pruning.prune():
            total += count
        self.stdout.write(f"{total:,} deleted")

    def keep(self, options: dict[str, Any]) -> None:
        give_way(NICE)
        pruning.clear()
        for _ in pruning.move(pruning.to_move(timezone.now()), stores.wanted()):
            pass


def _contest(slug: str) -> Contest:
    found = Contest.objects.filter(slug=slug).first()
    if found is None:
        raise CommandError(f"there is no contest {slug}")
    return found
