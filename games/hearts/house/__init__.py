"""The house players of Hearts, from the weakest to the strongest."""

from __future__ import annotations

from games.engine import House
from games.hearts.house.counting import CardCounter
from games.hearts.house.moon import Shooter
from games.hearts.house.simple import Avoider
from games.random_player import RandomPlayer

HOUSE = (
    House("random", "random", "Plays any card that the rules allow.", RandomPlayer),
    House("avoider", "simple-minded", "Tries to avoid taking any points, and never looks back.", Avoider),
    House("card_counter", "card counter", "Knows where every card went, and plays its choices out.", CardCounter),
    House("shooter", "beyond card counting", "Counts cards, and shoots the moon when it pays.", Shooter),
)

LADDER = ("random", "avoider", "card_counter", "shooter")
"""The rungs (games.ladder), from the weakest to the strongest."""
