"""The ladders that never end: one for each game that two teams or more can play.

One ladder for each game, rather than one that changes its game, because a contest has one game: a team, its versions
and its ratings belong to it. What they cost is bounded by `kinds.pace`, whatever their number.
"""

from __future__ import annotations

from typing import Any

from tournaments.demo.plan import Demo, Entry

DESCRIPTION = """\
This ladder never ends. Invented schools play it when the machine has nothing better to do, and **your bot can join at
any time**: enter a team, upload a bot, and its first matches begin within a minute, against opponents near in rating.

It plays faster while somebody looks at it. Results and ratings are kept for good, the replays of the last 500 matches.
"""


def _ladder(title: str, game: str, blurb: str, entries: tuple[Entry, ...], games: int = 1, **changes: Any) -> Demo:
    return Demo(
        name=f"{title} ladder",
        game=game,
        preset="open",
        blurb=blurb,
        description=DESCRIPTION,
        stage="Ladder",
        format="ladder",
        options={"games": games},
        entries=entries,
        changes=changes,
        endless=True,
    )


LADDERS = (
    _ladder(
        "Tricky Eights",
        "tricky_eights",
        "Upload a bot, and it has opponents within a minute.",
        (
            Entry("Granite Peak Regulars", "Granite Peak High", "counter.cpp", "We count every card."),
            Entry("Cedar Hollow Night Shift", "Cedar Hollow High", "sleuth.py", "A diary of who holds what."),
            Entry("Sage Valley Late Bus", "Sage Valley High", "patient.cpp", "Win cheaply, lose cheaply."),
            Entry("Silver Lake Insomniacs", "Silver Lake Academy", "thrifty.py", "Aces first, then wait."),
            Entry("Dry Fork Owls", "Dry Fork High", "highest.cpp", "The highest card, always."),
            Entry("Old Mill After Hours", "Old Mill High", "random_player.py", "Still out of time."),
        ),
    ),
    _ladder(
        "Hearts",
        "hearts",
        "Four at a table, to a hundred points, and no charge for processor time.",
        (
            Entry("Dodgers of Portland", "Portland", "ducker.c", "Stay under every trick."),
            Entry("Void Where Prohibited", "Wellington", "voids.py", "Empty a suit, then unload."),
            Entry("Late Ducks", "Osaka", "ducker.c", "The same again, but later at night."),
            Entry("Hand in Mitten", "Toulouse", "shell.c", "The unchanged shell."),
            Entry("Hearts on Shuffle", "Bergen", "random_player.py", "Random, in Python."),
        ),
        points_per_ms=0,
    ),
    _ladder(
        "Barracuda",
        "barracuda",
        "Two at a table, five cards each, and a challenge that stakes the game.",
        (
            Entry("Deep Water Misers", "Harbour Street Club", "miser.py", "Cheapest winner, or nothing."),
            Entry("Ann Arbor Anglers", "Huron Towers", "bold.py", "Strong hand? Stake it all."),
            Entry("Bait and Tackle", "Pier Nine", "shell.py", "The unchanged shell."),
            Entry("Driftwood", "Tidewater Hall", "random_player.py", "Wherever the current goes."),
        ),
    ),
    _ladder(
        "Intensity",
        "intensity",
        "Four at a table, and a program that is started anew for every question.",
        (
            Entry("The Meek", "Coogee Point", "meek.py", "Stay low, and let others collect."),
            Entry("Calf Wranglers", "Kensington Yard", "grabber.py", "Take what costs nothing."),
            Entry("First Things First", "Bronte Road", "shell.py", "The first legal card."),
            Entry("Lucky Draw", "Anzac Parade", "random_player.py", "Random, in Python."),
        ),
    ),
)
