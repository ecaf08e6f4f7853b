"""The games and their protocols. Pure Python, standard library only. Start reading at games/engine.py."""

from __future__ import annotations

import os
from importlib import import_module

from games.engine import Game, OptionError

HERE = (
    "games.tricky_eights",
    "games.even_steven",
    "games.intensity",
    "games.hearts",
    "games.barracuda",
)
"""The packages of the games in this repository, in display order. A new game is a folder and one
line here."""

ELSEWHERE = tuple(os.environ.get("KIBITZ_GAMES", "").replace(",", " ").split())
"""The packages of games that live outside this repository: the environment variable KIBITZ_GAMES names them."""

GAMES: dict[str, Game] = {}
"""Every game by its slug."""

PACKAGE_OF: dict[str, str] = {}
"""The package of every game by its slug."""


def get(slug: str) -> Game:
    """Return the game with that slug. Raises OptionError with a text for people."""
    try:
        return GAMES[slug]
    except KeyError:
        raise OptionError(f"there is no game {slug!r}: there is {', '.join(GAMES)}") from None


def load(package: str) -> Game:
    """Import a game's package and list its `GAME`. Raises ValueError when another game has the same slug."""
    game: Game = import_module(package).GAME
    if GAMES.setdefault(game.slug, game) is not game:
        raise ValueError(f"{package}: there is another game {game.slug!r}, in {PACKAGE_OF[game.slug]}")
    PACKAGE_OF[game.slug] = package
    return game


for _package in (*HERE, *ELSEWHERE):
    load(_package)
