"""Demo contests: invented people whose bots are the kits' players and the small programs in `bots/`.

They take the normal way: teams enter, their versions are uploaded, workers build and check them, and the stage starts
automatically when its bots are ready.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from contest import contests, teams
from contest.models import Contest, User
from submissions import intake
from submissions.uploads import Upload
from tournaments.organising import stages
from tournaments.organising.stage_settings import Wish

BOTS = Path(__file__).parent / "bots"


@dataclass(frozen=True, slots=True)
class Demo:
    """A contest, its teams, and its stage."""

    name: str
    game: str
    preset: str
    blurb: str
    description: str
    languages: tuple[str, ...]
    memory_mb: int
    stage: str
    format: str
    options: dict[str, Any]
    entries: tuple[tuple[str, str, str, str], ...]
    """Team, school, program, description of its strategy; in the order of the seed numbers."""

    @property
    def slug(self) -> str:
        return slugify(self.name)


UTAH = Demo(
    name="Utah 1998 demo",
    game="tricky_eights",
    preset="utah-1998",
    blurb="Tricky Eights as it was played in 1998, by fifteen invented schools.",
    description="""\
This demo is a whole tournament: a bracket, its matches, and every game card by card. The schools are invented.
Their bots are the random players of the starter kits and a few simple ones.

**Try it yourself:** enter a team and upload a bot. As soon as it is ready, it can practise against the house and these
schools: *My bot*, *Practise*. The organiser can also create another stage for it (*Desk*, *Stages*).
""",
    languages=("c", "cpp", "pascal", "python"),
    memory_mb=64,  # Python does not start in the four megabytes of 1998
    stage="Championship",
    format="single_elimination",
    options={"advance": 2, "games": 4, "house": ["memoryless"]},
    entries=(
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
    ),
)

MACTECH = Demo(
    name="MacTech 1998 demo",
    game="hearts",
    preset="mactech-1998",
    blurb="Hearts by a magazine's rules: four readers, 24 games, and every millisecond costs a point.",
    description="""\
This demo is one match of 24 games between four invented readers, one game for each order of seats. Two uploaded the
kit's random players, one the empty shell, and one spent an evening on a bot. It was enough to win.

**Try it yourself:** enter a team and upload a bot. As soon as it is ready, it can practise against the house and these
readers: *My bot*, *Practise*. The organiser can also create another stage for it (*Desk*, *Stages*).
""",
    languages=("c", "cpp", "pascal"),
    memory_mb=64,
    stage="Challenge",
    format="combinations",
    options={},
    entries=(
        ("Duck and Cover", "Portland", "ducker.c", "Stay under every trick, and get rid of the queen."),
        ("Hand in Glove", "Toulouse", "shell.c", "The unchanged shell."),
        ("Heart of Darkness", "Wellington", "random.c", "Random, in C."),
        ("Queen for a Day", "Osaka", "random.pas", "Random, in Pascal."),
    ),
)

DEMOS = (UTAH, MACTECH)


def make(organiser: User, now: datetime) -> list[Contest]:
    """Create the demo contests that do not exist yet, each with its stage about to start."""
    there = set(Contest.objects.values_list("slug", flat=True))
    return [_make(demo, organiser, now) for demo in DEMOS if demo.slug not in there]


@transaction.atomic
def _make(demo: Demo, organiser: User, now: datetime) -> Contest:
    contest = contests.create(
        organiser,
        demo.name,
        demo.game,
        demo.preset,
        opens_at=now - timedelta(days=7),
        blurb=demo.blurb,
        description=demo.description,
        languages=list(demo.languages),
        memory_mb=demo.memory_mb,
    )
    for number, (name, school, program, strategy) in enumerate(demo.entries, start=1):
        _enter(contest, number, name, school, program, strategy)
    wish = Wish(demo.stage, demo.format, demo.options, starts_at=now)
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
