"""The formats that a stage can be played in: one module each, and this list."""

from games.engine import Game
from tournaments.formats import judged_set, ladder, single_elimination
from tournaments.formats.plan import Format, FormatError

FORMATS: dict[str, Format] = {
    format.slug: format for format in (single_elimination.FORMAT, ladder.FORMAT, judged_set.FORMAT)
}


def fitting(game: Game) -> list[Format]:
    """The formats in which a game can be played."""
    return [format for format in FORMATS.values() if format.fits(game)]


def get(slug: str) -> Format:
    try:
        return FORMATS[slug]
    except KeyError:
        raise FormatError(f"There is no format {slug!r}; there are {', '.join(FORMATS)}") from None


__all__ = ["FORMATS", "Format", "FormatError", "fitting", "get"]
