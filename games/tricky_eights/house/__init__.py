"""The house players of Tricky Eights, from weakest to strongest: one for each class that the Utah problem names, and
two between them."""

from __future__ import annotations

from games.engine import House
from games.random_player import RandomPlayer
from games.tricky_eights.house.beyond import Beyond
from games.tricky_eights.house.counting import CardCounter
from games.tricky_eights.house.simple import Memoryless, Newcomer, Opportunist, PoorMemory, PseudoRandom

HOUSE = (
    House("random", "random", "Plays any card that the rules allow.", RandomPlayer),
    House("pseudo_random", "pseudo-random", "Always the highest card that the rules allow.", PseudoRandom),
    House("opportunist", "pseudo-random", "Plays any card, but buys a trick cheaply when it is last.", Opportunist),
    House("newcomer", "memoryless", "Plays its cards with care, but takes any from the pool.", Newcomer),
    House("memoryless", "memoryless", "Chooses with care, but never looks back.", Memoryless),
    House("poor_memory", "poor memory", "Remembers which of the high cards, ace to ten, are gone.", PoorMemory),
    House("card_counter", "card counter", "Knows where every card went, and values every trick.", CardCounter),
    House("beyond", "beyond card counting", "Plays out its choices in imagined deals.", Beyond),
)
