"""random_player.py - plays any card of its hand, whether it covers or not. It loses most games that could be won: do better.

(Do not name a file of your own random.py: Python would then find it in place of its module `random`.)
"""

from steven import *

game = Game()
while game.next_card():
    card = random_source.choice(game.hand)
    debug(game.open, "is dealt, I play", card)
    game.play(card)
