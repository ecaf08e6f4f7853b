"""The options that mean the same in every format.

`table_size`       teams at a table, two or four; house players join if the game needs more players
`games`            games in a match; None: the rules of the game decide
`house`            the house players for empty seats, used in turn
`freeze_versions`  every team keeps the version that was active when the stage started
`duplicate`        the same deals are played from every seat: a table has as many matches as seats, and the players
                   rotate by one seat from match to match; the sum of the scores is one result
`schools_apart`    teams of one school do not meet if that can be avoided; the terms have their `schools`
`best_of`          at a table of two, matches follow each other until one team has won most of this number
`seats`            seats at a table, house players included; it follows from the game, nobody chooses it
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.engine import Game
from tournaments.formats.plan import FormatError

MOST_GAMES = 100  # more would make records too large for a page and matches too long for a night
SIZES = (2, 4)


def defaults(game: Game, games: int) -> dict[str, Any]:
    """The options of every format with tables. `games` per match is used if the rules leave the number open."""
    return {
        "games": None if game.decides else games,
        "house": list(game.fillers) or [game.house[0].name],
        "freeze_versions": True,
        "duplicate": False,
    }


def completed(title: str, known: Mapping[str, Any], changes: Mapping[str, Any], game: Game) -> dict[str, Any]:
    """Return the known options with the changes on top. Checks those of this module; raises FormatError."""
    unknown = set(changes) - set(known) - {"seats"}
    if unknown:
        raise FormatError(f"{title} has no option {', '.join(sorted(unknown))}")
    options = {**known, **changes}
    if game.seats[1] < 2:
        raise FormatError(f"{game.title} is played alone")
    for name, value in known.items():
        if isinstance(value, bool) and type(options[name]) is not bool:
            raise FormatError(f"{name} must be yes or no, not {options[name]!r}")
    _check_tables(options, game)
    options["seats"] = max(options.get("table_size", 2), game.seats[0])
    return options


def _check_tables(options: Mapping[str, Any], game: Game) -> None:
    sizes = [size for size in SIZES if size <= game.seats[1]]
    if options.get("table_size", 2) not in sizes:
        raise FormatError(f"In {game.title} {' or '.join(map(str, sizes))} teams can meet at a table")
    if options["games"] is not None or not game.decides:
        check_whole("The games per table", options["games"], 1, MOST_GAMES)
    names = [house.name for house in game.house]
    if not options["house"] or not set(options["house"]) <= set(names):
        raise FormatError(f"Empty seats can be filled with {', '.join(names)}")
    if options.get("duplicate") and not options["freeze_versions"]:
        raise FormatError("The same deals for every seat are fair only if versions are frozen")
    if options.get("duplicate") and options["games"] is None:
        raise FormatError("The same deals for every seat need a fixed number of games, not one that the rules decide")


def check_whole(what: str, value: object, least: int, most: int) -> None:
    """Raise FormatError unless `value` is a whole number in the range. `what` is the subject of the error message."""
    if type(value) is not int or not least <= value <= most:
        raise FormatError(f"{what} must be a whole number from {least} to {most}")
