"""The formats in which a stage can be played, one module each."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import games
from games.engine import Game
from tournaments.formats import combinations, judged_set, ladder, round_robin, single_elimination, swiss
from tournaments.formats.plan import Format, FormatError

FORMATS: dict[str, Format] = {
    module.FORMAT.slug: module.FORMAT
    for module in (single_elimination, swiss, round_robin, combinations, ladder, judged_set)
}


def fitting(game: Game) -> list[Format]:
    """Return the formats in which a game can be played."""
    return [format for format in FORMATS.values() if format.fits(game)]


def get(slug: str) -> Format:
    try:
        return FORMATS[slug]
    except KeyError:
        raise FormatError(f"There is no format {slug!r}; there are {', '.join(FORMATS)}") from None


@cache
def known_options(slug: str) -> frozenset[str]:
    """The names of all options of a format, the same for every game."""
    format = get(slug)
    game = next(game for game in games.GAMES.values() if format.fits(game))
    return frozenset(format.options(MINIMAL.get(slug, {}), game))


def complete(slug: str, stored: Mapping[str, Any], game: Game) -> dict[str, Any]:
    """Options as an earlier release has stored them, with the defaults of those that it did not know."""
    known = known_options(slug)
    for kept in ({name: value for name, value in stored.items() if name in known}, MINIMAL.get(slug, {})):
        try:
            return {**get(slug).options(kept, game), **stored}
        except FormatError:
            continue  # what is stored would be refused today; it is kept as it is
    return dict(stored)


MINIMAL: dict[str, dict[str, Any]] = {"judged_set": {"draw": 1}}
"""What a format cannot do without."""

__all__ = ["FORMATS", "Format", "FormatError", "complete", "fitting", "get", "known_options"]
