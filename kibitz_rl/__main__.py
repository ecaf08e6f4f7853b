"""`python -m kibitz_rl [GAME…]`: print what observations and actions mean."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from games import GAMES, get
from games.encoding import Field, size
from games.engine import Game
from kibitz_rl.environment import CardGame

MARKS = ("<!-- tables: written by python -m kibitz_rl -->", "<!-- end of tables -->")


def all_tables() -> str:
    """Return the tables of all games, between their marks."""
    return "\n\n".join((MARKS[0], *map(tables, GAMES.values()), MARKS[1])) + "\n"


def tables(game: Game) -> str:
    """Return the tables of one game."""
    env = CardGame(game)
    parts = [
        f"### {game.title}: `{env.metadata['name']}`",
        f"Observation: {size(env.fields)} numbers.",
        _table("positions", env.fields, numbers=True),
        f"Actions: {size(env.moves)}.",
        _table("actions", env.moves),
    ]
    cards = list(dict.fromkeys(game.pack))
    if any(field.size % len(cards) == 0 for field in env.fields):
        parts.append(f"The order of the cards: `{' '.join(cards)}`")
    return "\n\n".join(parts)


def _table(first: str, fields: Sequence[Field], *, numbers: bool = False) -> str:
    head, line = f"| {first} | name |", "|---|---|"
    if numbers:
        head, line = f"{head} values |", f"{line}---|"
    rows, start = [f"{head} meaning |", f"{line}---|"], 0
    for field in fields:
        end = start + field.size - 1
        where = f"{start}" if end == start else f"{start}–{end}"
        values = f" {field.low} … {field.high} |" if numbers else ""
        rows.append(f"| {where} | {field.name} |{values} {field.about} |")
        start = end + 1
    return "\n".join(rows)


if __name__ == "__main__":
    names = sys.argv[1:]
    print("\n\n".join(tables(get(name)) for name in names) if names else all_tables(), end="\n" if names else "")
