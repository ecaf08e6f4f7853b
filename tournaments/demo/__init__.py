"""A contest to look at: invented schools whose bots are the kits' random players and the small programs in `bots/`.

Made through the same doors as everything else: teams enter, their versions go through the intake and are built and
checked by the workers, and the tournament starts by itself when its bots are ready.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from django.db import transaction
from django.utils.text import slugify

from contest import contests, teams
from contest.models import Contest, User
from submissions import intake
from submissions.intake import Upload
from tournaments import stages

NAME = "Utah 1998 demo"
SLUG = "utah-1998-demo"
BLURB = "Tricky Eights as it was played in 1998, by fifteen schools that never were."
DESCRIPTION = """\
This contest came with the portal, so that there is something to see: a tournament that is played as soon as the portal
runs, brackets, matches and games card by card. The schools are invented. Their programs are the random players of the
starter kits and a few simple ones that were written in an afternoon. **Enter a team of your own; then the organiser
draws another bracket with it** (Desk, Stages).
"""

BOTS = Path(__file__).parent / "bots"

# Team, school, program, what it says of its strategy. In the order of the seed numbers.
ENTRIES = (
    ("Granite Peak Kernel Panthers", "Granite Peak High", "counter.cpp", "We count every card."),
    ("Cedar Hollow Null Pointers", "Cedar Hollow High", "sleuth.py", "It keeps a diary of who holds what."),
    ("Sage Valley Segfaults", "Sage Valley High", "patient.cpp", "Win cheaply, lose cheaply."),
    ("Silver Lake Loop Group", "Silver Lake Academy", "thrifty.py", "Aces first, then wait."),
    ("Red Canyon Recursion", "Red Canyon High", "counter.cpp", "Lead what nobody can beat."),
    ("Juniper Flats Bit Shifters", "Juniper Flats High", "eights.pas", "If there is an eight, we want it."),
    ("Copper Ridge Stack Smashers", "Copper Ridge High", "sleuth.py", "Counting, and a note for every trick."),
    ("Salt Marsh Semaphores", "Salt Marsh Prep", "patient.cpp", "Last to play, first to laugh."),
    ("Quaking Aspen Quicksorts", "Quaking Aspen High", "thrifty.py", "Never pay more than a trick is worth."),
    ("Bear River Bubble Sorters", "Bear River High", "eights.pas", "Eights are two points each."),
    ("Dry Fork Deadlocks", "Dry Fork High", "highest.cpp", "The highest card, always."),
    ("Lost Creek Linked Lists", "Lost Creek High", "highest.cpp", "High, higher, highest."),
    ("Windy Mesa Wildcards", "Windy Mesa High", "random.cpp", "Our coach says it is a baseline."),
    ("Sunflower Springs Stochastics", "Sunflower Springs High", "random.pas", "Random, but in Pascal."),
    ("Old Mill Off-by-Ones", "Old Mill High", "random_player.py", "We ran out of time."),
)


@transaction.atomic
def make(organiser: User, now: datetime) -> Contest | None:
    """The demo contest with its tournament about to start. None when it is there already, whatever became of it."""
    if Contest.objects.filter(slug=SLUG).exists():
        return None
    contest = contests.create(
        organiser,
        NAME,
        "tricky_eights",
        "utah-1998",
        opens_at=now - timedelta(days=7),
        blurb=BLURB,
        description=DESCRIPTION,
        languages=["c", "cpp", "pascal", "python"],
        memory_mb=64,  # the four megabytes of 1998 are not enough to start Python
    )
    for number, (name, school, program, strategy) in enumerate(ENTRIES, start=1):
        _enter(contest, number, name, school, program, strategy)
    wish = stages.Wish("Championship", options={"advance": 2, "games": 4, "house": ["memoryless"]}, starts_at=now)
    stages.publish(stages.create(contest, organiser, wish), organiser)
    return contest


def _enter(contest: Contest, number: int, name: str, school: str, program: str, strategy: str) -> None:
    captain = User(username=f"demo-{slugify(school)}", first_name="The captain of", last_name=name)
    captain.set_unusable_password()
    captain.save()
    team = teams.create(contest, captain, name, school)
    team.seed = number
    team.save(update_fields=["seed"])
    own = BOTS / program
    source = own.read_bytes() if own.is_file() else (contest.game.folder / "kit" / program).read_bytes()
    text = Upload("strategy.txt", f"{strategy}\n".encode())
    intake.receive(team, captain, [Upload(program, source)], text)
