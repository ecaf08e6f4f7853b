"""Demo contests: invented people whose bots are the kits' players and the small programs in `bots/`.

They take the normal way: teams enter, their versions are uploaded, workers build and check them, and the stage starts
automatically when its bots are ready. Two contests are played once (`finished`), ladders go on for ever (`ladders`).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from django.db import transaction

from contest import contests, teams
from contest.models import Contest, Team, User
from contest.refusal import Refused
from submissions import intake
from submissions.uploads import Upload
from tournaments.demo.finished import FINISHED
from tournaments.demo.ladders import LADDERS
from tournaments.demo.plan import Demo, Entry
from tournaments.models import MatchSeat, PracticePlayer
from tournaments.organising import stages
from tournaments.organising.stage_settings import Wish

BOTS = Path(__file__).parent / "bots"
DEMOS = (*FINISHED, *LADDERS)
FOR_EVER = timedelta(days=36_500)


def make(organiser: User, now: datetime, demos: Iterable[Demo] = DEMOS) -> list[Contest]:
    """Create the demo contests that do not exist yet, each with its stage about to start."""
    there = set(Contest.objects.values_list("slug", flat=True))
    missing = [demo for demo in demos if demo.slug not in there]
    # The smallest first: its bots are built first, so there is a match to watch soon.
    made = {demo.slug: _make(demo, organiser, now) for demo in sorted(missing, key=lambda demo: len(demo.entries))}
    return [made[demo.slug] for demo in missing]


def reset_ladders(organiser: User, now: datetime, *, with_teams: bool = False) -> list[Contest]:
    """Delete the ladders that never end, with everything in them, and create them anew.

    Raises Refused if people have entered teams, unless those may be deleted too.
    """
    old = Contest.objects.filter(endless=True)
    visitors = Team.objects.filter(contest__in=old).exclude(memberships__user__username__startswith="demo-")
    if (count := visitors.count()) and not with_teams:
        teams_are = "1 team of other people is" if count == 1 else f"{count} teams of other people are"
        raise Refused(f"{teams_are} on these ladders. Add --with-teams to delete them too, with their bots.")
    with transaction.atomic():
        # Both protect the versions that played, which go with their teams.
        MatchSeat.objects.filter(match__contest__in=old).delete()
        PracticePlayer.objects.filter(order__contest__in=old).delete()
        for contest in old:
            contest.delete()
        return make(organiser, now, LADDERS)


@transaction.atomic
def _make(demo: Demo, organiser: User, now: datetime) -> Contest:
    fields = {"languages": list(demo.languages), "memory_mb": demo.memory_mb}
    until = {"entry_deadline": now + FOR_EVER, "upload_deadline": now + FOR_EVER} if demo.endless else {}
    contest = contests.create(
        organiser,
        demo.name,
        demo.game,
        demo.preset,
        opens_at=now - timedelta(days=7),
        blurb=demo.blurb,
        description=demo.description,
        options=demo.changes,
        endless=demo.endless,
        **until,
        **{name: value for name, value in fields.items() if value},
    )
    for number, entry in enumerate(demo.entries, start=1):
        _enter(contest, number, entry)
    wish = Wish(demo.stage, demo.format, demo.options, starts_at=now)
    stages.publish(stages.create(contest, organiser, wish), organiser)
    return contest


def _enter(contest: Contest, number: int, entry: Entry) -> None:
    captain = User.objects.filter(username=entry.captain).first()
    if captain is None:
        captain = User(username=entry.captain, first_name="The captain of", last_name=entry.team)
        captain.set_unusable_password()
        captain.save()
    team = teams.create(contest, captain, entry.team, entry.school)
    team.seed = number
    team.save(update_fields=["seed"])
    own = BOTS / entry.program
    source = own.read_bytes() if own.is_file() else (contest.game.folder / "kit" / entry.program).read_bytes()
    text = Upload("strategy.txt", f"{entry.strategy}\n".encode())
    intake.receive(team, captain, [Upload(entry.program, source)], text)
