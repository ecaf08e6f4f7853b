"""Demo contests: invented people whose bots are the kits' players and the small programs in `bots/`.

They take the normal way: teams enter, their versions are uploaded, workers build and check them, and the stage starts
automatically when its bots are ready. Two contests are played once, and a ladder goes on for ever (`demos`).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from django.db import transaction

from contest import contests, teams
from contest.models import Contest, User
from submissions import intake
from submissions.uploads import Upload
from tournaments.demo.demos import DEMOS, Demo, Entry
from tournaments.organising import stages
from tournaments.organising.stage_settings import Wish

BOTS = Path(__file__).parent / "bots"
FOR_EVER = timedelta(days=36_500)


def make(organiser: User, now: datetime, demos: Iterable[Demo] = DEMOS) -> list[Contest]:
    """Create the demo contests that do not exist yet, each with its stage about to start."""
    there = set(Contest.objects.values_list("slug", flat=True))
    missing = [demo for demo in demos if demo.slug not in there]
    # The smallest first: its bots are built first, so there is a match to watch soon.
    made = {demo.slug: _make(demo, organiser, now) for demo in sorted(missing, key=lambda demo: len(demo.entries))}
    return [made[demo.slug] for demo in missing]


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
