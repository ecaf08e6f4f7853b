"""The house players of Barracuda, from the weakest to the strongest."""

from __future__ import annotations

from games.barracuda.house.oddsmaker import Oddsmaker
from games.barracuda.house.reader import Reader
from games.barracuda.house.simple import Bold, Careful, Grabber, Offhand, TestBot
from games.engine import House
from games.random_player import RandomPlayer

HOUSE = (
    House("random", "random", "Does anything that the rules allow, challenges included.", RandomPlayer),
    House("test_bot", "test bot", "Plays any card, never challenges, and accepts with a good hand.", TestBot),
    House("grabber", "grabber", "Wins every trick that it can, with any card that does.", Grabber),
    House("offhand", "offhand", "Wins tricks with cheap cards, and throws any card away.", Offhand),
    House("careful", "careful", "Wins tricks as cheaply as it can, and never challenges.", Careful),
    House("bold", "bold", "Plays its cards with care, and challenges with good hands.", Bold),
    House("odds", "odds player", "Knows the exact odds of its hand, and stakes the game on good ones.", Oddsmaker),
    House("reader", "reader", "Counts the odds, and learns with which cards you challenge and accept.", Reader),
)
