"""The house players of Even Steven, from the weakest to the strongest."""

from __future__ import annotations

from games.engine import House
from games.even_steven.house.simple import Careless, Drowsy, Hoarder, RandomPlayer, Sorter, Thrifty, Wary

HOUSE = (
    House("random", "random", "Plays any card of its hand, whether it covers or not.", RandomPlayer),
    House("drowsy", "drowsy", "Looks at two cards of its hand, and plays one that covers if it sees one.", Drowsy),
    House("careless", "careless", "Plays any card that covers.", Careless),
    House("hoarder", "hoarder", "Plays any card that covers, but parts with an ace only when it must.", Hoarder),
    House(
        "wary",
        "wary",
        "Prefers cards that are higher than the open one, and plays an equal one only when it must.",
        Wary,
    ),
    House(
        "sorter",
        "sorter",
        "Tells only low, middle and high cards and aces apart, but makes the best of that.",
        Sorter,
    ),
    House("thrifty", "perfect", "Wins every game that can be won. How is for you to find out.", Thrifty),
)
