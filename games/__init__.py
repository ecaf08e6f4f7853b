"""The games, and how bots are spoken to. Pure Python, standard library only; start reading at games/engine.py."""

from __future__ import annotations

from games import barracuda, even_steven, hearts, intensity, tricky_eights
from games.engine import Game, OptionError

GAMES: dict[str, Game] = {
    game.slug: game for game in (tricky_eights.GAME, even_steven.GAME, intensity.GAME, hearts.GAME, barracuda.GAME)
}
"""Every game by its slug. Adding one is copying the nearest folder and naming it here."""


def get(slug: str) -> Game:
    """The game of that slug. Raises OptionError in words for people."""
    try:
        return GAMES[slug]
    except KeyError:
        raise OptionError(f"there is no game {slug!r}: there is {', '.join(GAMES)}") from None
