"""What a demo contest consists of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.text import slugify


class Entry(NamedTuple):
    """A team with its bot: a file in `bots/` or of the game's kit."""

    team: str
    school: str
    program: str
    strategy: str

    @property
    def captain(self) -> str:
        """The username. A school that enters several demo contests has one captain."""
        return f"demo-{slugify(self.school)}"


@dataclass(frozen=True, slots=True)
class Demo:
    """A contest, its teams in the order of their seed numbers, and its stage."""

    name: str
    game: str
    preset: str
    blurb: str
    description: str
    stage: str
    format: str
    options: dict[str, Any]
    entries: tuple[Entry, ...]
    languages: tuple[str, ...] = ()  # none: those of the preset
    memory_mb: int | None = None  # None: that of the preset
    endless: bool = False  # the contest never closes, and its ladder never ends

    @property
    def slug(self) -> str:
        return slugify(self.name)
