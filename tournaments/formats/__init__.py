"""The formats in which a stage can be played, one module each."""

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


__all__ = ["FORMATS", "Format", "FormatError", "fitting", "get"]
