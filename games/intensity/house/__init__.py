"""The house players of Intensity, from the weakest to the strongest."""

from __future__ import annotations

from games.engine import House
from games.intensity.house.counting import CardCounter
from games.intensity.house.imagining import Imagining
from games.intensity.house.simple import AbsentMinded, Avoider, Ducker, Meek
from games.random_player import RandomPlayer

RANDOM_FOUR = ("lulu", "morgan", "amy", "rat")
"""The players that take empty seats ("The Intensity Referee" in the Intensity assignment)."""


def _random(name: str) -> House:
    title = name.capitalize()
    return House(name, "random", f"{title} plays any card that the rules allow, as in 2018.", RandomPlayer, title)


HOUSE = (
    House("random", "random", "Plays any card that the rules allow.", RandomPlayer),
    *map(_random, RANDOM_FOUR),
    House("ducker", "beginner", "Ducks under the card that wins, and does the rest without a thought.", Ducker),
    House("meek", "beginner", "Gives its highest cards away, and always plays its lowest.", Meek),
    House("absent_minded", "absent-minded", "The avoider, but it overlooks two decisions in nine.", AbsentMinded),
    House("avoider", "avoider", "Stays below what is on the table, and never looks back.", Avoider),
    House("card_counter", "card counter", "Remembers every card, and judges the risk of each of its own.", CardCounter),
    House(
        "imagining",
        "beyond card counting",
        "Plays out its choices in imagined deals, and aims at a good place.",
        Imagining,
    ),
)
