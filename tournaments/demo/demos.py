"""The demo contests: two that are played once, at the first start of a portal, and a ladder that never ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.text import slugify


class Entry(NamedTuple):
    """A team with its bot: a file in `bots/` or of the game's kit."""

    team: str
    school: str
    program: str
    strategy: str

    @property
    def captain(self) -> str:
        """The username. A school that enters several demo contests has one captain."""
        return f"demo-{slugify(self.school)}"


@dataclass(frozen=True, slots=True)
class Demo:
    """A contest, its teams in the order of their seed numbers, and its stage."""

    name: str
    game: str
    preset: str
    blurb: str
    description: str
    stage: str
    format: str
    options: dict[str, Any]
    entries: tuple[Entry, ...]
    languages: tuple[str, ...] = ()  # none: those of the preset
    memory_mb: int | None = None  # None: that of the preset
    endless: bool = False  # the contest never closes, and its ladder never ends

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
schools: *My bot*, *Practice*. The organiser can also create another stage for it (*Desk*, *Stages*).
""",
    languages=("c", "cpp", "pascal", "python"),
    memory_mb=64,  # Python does not start in the four megabytes of 1998
    stage="Championship",
    format="single_elimination",
    options={"advance": 2, "games": 4, "house": ["memoryless"]},
    entries=(
        Entry("Granite Peak Kernel Panthers", "Granite Peak High", "counter.cpp", "We count every card."),
        Entry("Cedar Hollow Null Pointers", "Cedar Hollow High", "sleuth.py", "It keeps a diary of who holds what."),
        Entry("Sage Valley Segfaults", "Sage Valley High", "patient.cpp", "Win cheaply, lose cheaply."),
        Entry("Silver Lake Loop Group", "Silver Lake Academy", "thrifty.py", "Aces first, then wait."),
        Entry("Red Canyon Recursion", "Red Canyon High", "counter.cpp", "Lead what nobody can beat."),
        Entry("Juniper Flats Bit Shifters", "Juniper Flats High", "eights.pas", "If there is an eight, we want it."),
        Entry("Copper Ridge Stack Smashers", "Copper Ridge High", "sleuth.py", "Counting, and a note for every trick."),
        Entry("Salt Marsh Semaphores", "Salt Marsh Prep", "patient.cpp", "Last to play, first to laugh."),
        Entry("Quaking Aspen Quicksorts", "Quaking Aspen High", "thrifty.py", "Never pay more than a trick is worth."),
        Entry("Bear River Bubble Sorters", "Bear River High", "eights.pas", "Eights are two points each."),
        Entry("Dry Fork Deadlocks", "Dry Fork High", "highest.cpp", "The highest card, always."),
        Entry("Lost Creek Linked Lists", "Lost Creek High", "highest.cpp", "High, higher, highest."),
        Entry("Windy Mesa Wildcards", "Windy Mesa High", "random.cpp", "Our coach says it is a baseline."),
        Entry("Sunflower Springs Stochastics", "Sunflower Springs High", "random.pas", "Random, but in Pascal."),
        Entry("Old Mill Off-by-Ones", "Old Mill High", "random_player.py", "We ran out of time."),
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
readers: *My bot*, *Practice*. The organiser can also create another stage for it (*Desk*, *Stages*).
""",
    languages=("c", "cpp", "pascal"),
    memory_mb=64,
    stage="Challenge",
    format="combinations",
    options={},
    entries=(
        Entry("Duck and Cover", "Portland", "ducker.c", "Stay under every trick, and get rid of the queen."),
        Entry("Hand in Glove", "Toulouse", "shell.c", "The unchanged shell."),
        Entry("Heart of Darkness", "Wellington", "random.c", "Random, in C."),
        Entry("Queen for a Day", "Osaka", "random.pas", "Random, in Pascal."),
    ),
)

LADDER = Demo(
    name="Tricky Eights ladder",
    game="tricky_eights",
    preset="open",
    blurb="Upload a bot, and it has opponents within minutes.",
    description="""\
This ladder never ends, and plays a match a minute. **Your bot can join at any time**: enter a team, upload a bot, and
it meets opponents of similar rating.
""",
    stage="Ladder",
    format="ladder",
    options={"games": 1},
    entries=(
        Entry("Granite Peak Regulars", "Granite Peak High", "counter.cpp", "We count every card."),
        Entry("Cedar Hollow Night Shift", "Cedar Hollow High", "sleuth.py", "A diary of who holds what."),
        Entry("Sage Valley Late Bus", "Sage Valley High", "patient.cpp", "Win cheaply, lose cheaply."),
        Entry("Silver Lake Insomniacs", "Silver Lake Academy", "thrifty.py", "Aces first, then wait."),
        Entry("Dry Fork Owls", "Dry Fork High", "highest.cpp", "The highest card, always."),
        Entry("Old Mill After Hours", "Old Mill High", "random_player.py", "Still out of time."),
    ),
    endless=True,
)

DEMOS = (UTAH, MACTECH, LADDER)
