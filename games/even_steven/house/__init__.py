"""The house players of Even Steven, from the weakest to the strongest."""

from __future__ import annotations

from games.engine import House
from games.even_steven.house.simple import Careless, RandomPlayer, Thrifty, Wary

HOUSE = (
    House("random", "random", "Plays any card of its hand, whether it covers or not.", RandomPlayer),
    House("careless", "careless", "Plays any card that covers.", Careless),
    House(
        "wary",
        "wary",
        "Prefers cards that are higher than the open one, and plays an equal one only when it must.",
        Wary,
    ),
    House("thrifty", "perfect", "Wins every game that can be won. How is for you to find out.", Thrifty),
)

LADDER = ("random", "careless", "wary", "thrifty")
"""The rungs (games.ladder), from the weakest to the strongest."""
