"""random_player.py - plays any card of its hand, whether it covers or not. It loses most games that could be won, so improve it.

(Do not name your own file random.py: Python would then import it instead of its module `random`.)
"""

from steven import *

game = Game()
while game.next_card():
    card = random_source.choice(game.hand)
    debug(game.open, "is dealt, I play", card)
    game.play(card)
