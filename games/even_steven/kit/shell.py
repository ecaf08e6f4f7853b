"""shell.py - an empty player of Even Steven, for you to fill in.

Team:
Strategy in one line:

Read steven.py: it describes Game and Card, and the helper routines. This shell plays the first card of its hand, whatever was
dealt. Write choose_card, then try it:

    printf '4 876390176\\n4 653723903\\n' | python3 kibitz.pyz dealer shell.py
"""

from steven import *


def choose_card(game):
    """Return the card of your hand that you play on game.open: one of game.hand.

    If none of them covers it, the game is lost, but play one anyway. Not all games can be won.
    """
    return game.hand[0]


game = Game()
while game.next_card():
    card = choose_card(game)
    debug(f"game {game.number}: {game.open} is dealt, I play {card}")
    game.play(card)
