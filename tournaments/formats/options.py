"""The options that mean the same in every format.

`table_size`       teams at a table, two or four; where the game needs more players, house players join
`games`            of a match; None: as many as the rules of the game say
`house`            the house players for empty seats, in turn
`freeze_versions`  versions stay as they were when the stage started
`duplicate`        everybody plays the same deals from every seat: as many matches at a table as it has seats, with the
                   players moved on by one from match to match. Their sums count as one result.
`best_of`          so many matches at a table of two, one after the other, until one team has won most of them
`chairs`           seats at a table, house players included: nobody chooses it, it follows from the game
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.engine import Game
from tournaments.formats.plan import FormatError

MOST_GAMES = 100  # the record of more would fit neither a page nor a night
SIZES = (2, 4)


def defaults(game: Game, games: int) -> dict[str, Any]:
    """The options of every format with tables. `games`: of a match, where the rules leave it open."""
    return {
        "games": None if game.decides else games,
        "house": list(game.fillers) or [game.house[0].name],
        "freeze_versions": True,
        "duplicate": False,
    }


def completed(title: str, known: Mapping[str, Any], changes: Mapping[str, Any], game: Game) -> dict[str, Any]:
    """Return the known options with the changes on top, and check those of this module. Raises FormatError."""
    unknown = set(changes) - set(known) - {"chairs"}
    if unknown:
        raise FormatError(f"{title} has no option {', '.join(sorted(unknown))}")
    options = {**known, **changes}
    if game.seats[1] < 2:
        raise FormatError(f"{game.title} is played alone")
    for name, value in known.items():
        if isinstance(value, bool) and type(options[name]) is not bool:
            raise FormatError(f"{name} is yes or no, not {options[name]!r}")
    _check_tables(options, game)
    options["chairs"] = max(options.get("table_size", 2), game.seats[0])
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
        raise FormatError("The same deals for every seat are fair only if versions stay the same")
    if options.get("duplicate") and options["games"] is None:
        raise FormatError("The same deals for every seat need a fixed number of games: by the rules it would vary")


def check_whole(what: str, value: object, least: int, most: int) -> None:
    """Raise FormatError unless it is a whole number from `least` to `most`. `what` is the subject of the sentence."""
    if type(value) is not int or not least <= value <= most:
        raise FormatError(f"{what} must be a whole number from {least} to {most}")
