"""The house players of Hearts, from the weakest to the strongest."""

from __future__ import annotations

from games.engine import House
from games.hearts.house.counting import CardCounter, Shooter
from games.hearts.house.simple import AbsentMinded, Avoider, Dreamer, Drowsy, Ducker, Planner
from games.random_player import RandomPlayer

HOUSE = (
    House("random", "random", "Plays any card that the rules allow.", RandomPlayer),
    House(
        "dreamer",
        "beginner",
        "Plays like the avoider in one decision out of five, and at random in the others.",
        Dreamer,
    ),
    House(
        "drowsy",
        "beginner",
        "Plays like the avoider in two decisions out of five, and at random in the others.",
        Drowsy,
    ),
    House("ducker", "ducker", "Ducks where it can, passes high cards, and does the rest without a thought.", Ducker),
    House(
        "absent_minded",
        "absent-minded",
        "Plays like the avoider in four decisions out of five, and at random in the others.",
        AbsentMinded,
    ),
    House("avoider", "simple-minded", "Tries to avoid taking any points, and never looks back.", Avoider),
    House("planner", "careful", "The avoider, but it passes with care. It overlooks one decision in twelve.", Planner),
    House("card_counter", "card counter", "Knows where every card went, and plays its choices out.", CardCounter),
    House("shooter", "beyond card counting", "Counts cards, and shoots the moon when it pays.", Shooter),
)
