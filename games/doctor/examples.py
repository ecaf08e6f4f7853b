"""The worked example of a game's document: `example.json` in the game's folder.

from      what it is, in words
seat      the seat whose answers the document shows
answers   these answers, as a bot writes them
options   where they differ from the preset
setting   `ids` and `entrants`, which some protocols tell their bots
games     each with its `opening`, and its `events`: the hand as it is dealt, then the decisions of all seats
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from games.engine import Event, Game, Opening, OptionError, Setting


@dataclass(frozen=True, slots=True)
class Script:
    """A game of the example."""

    opening: Opening
    hand: Event
    decisions: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Example:
    source: str
    seat: int
    answers: tuple[str, ...]
    options: dict[str, Any]
    setting: Setting
    scripts: tuple[Script, ...]


def example_of(game: Game) -> Example:
    """The worked example of a game. Raises OptionError where it has none."""
    try:
        data = json.loads((game.folder / "example.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise OptionError(f"{game.title} has no worked example") from None
    scripts = (Script(it["opening"], it["events"][0], tuple(it["events"][1:])) for it in data["games"])
    return Example(
        source=data["from"],
        seat=data["seat"],
        answers=tuple(data["answers"]),
        options=game.options(data["options"]),
        setting=Setting(tuple(data["setting"]["ids"]), data["setting"]["entrants"]),
        scripts=tuple(scripts),
    )
