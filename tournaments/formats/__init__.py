"""The formats that a stage can be played in: one module each, and this list."""

from tournaments.formats import single_elimination
from tournaments.formats.plan import Format, FormatError

FORMATS: dict[str, Format] = {format.slug: format for format in (single_elimination.FORMAT,)}


def get(slug: str) -> Format:
    try:
        return FORMATS[slug]
    except KeyError:
        raise FormatError(f"There is no format {slug!r}; there are {', '.join(FORMATS)}") from None


__all__ = ["FORMATS", "Format", "FormatError", "get"]
