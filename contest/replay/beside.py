"""The games of a match from the page of one of them: a tab for each of a few, a way to each of hundreds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games.engine import Event

FEW = 12  # games that all have a tab
NEAR = 2  # of more, how many on each side of the one that is shown


@dataclass(frozen=True, slots=True)
class Sibling:
    """A game of a match, for a list of all of them."""

    number: int
    href: str
    events: Sequence[Event]

    @property
    def mark(self) -> str:
        """In a word what was wrong there; blank for most."""
        return "fault" if any(event["event"] == "fault" for event in self.events) else ""


@dataclass(frozen=True, slots=True)
class Tab:
    """The way to one game from the page of another, or of itself."""

    label: str
    href: str
    mark: str
    rel: str  # "prev" and "next" beside the game that is shown
    is_current: bool


@dataclass(frozen=True, slots=True)
class Siblings:
    """All games of a match, and which of them is shown."""

    every: list[Sibling]
    shown: int

    def __len__(self) -> int:
        return len(self.every)

    @property
    def are_many(self) -> bool:
        return len(self.every) > FEW

    @property
    def tabs(self) -> list[Tab | None]:
        """Every game of a few; of many the first, those beside the one that is shown, and the last. None: a gap."""
        last = len(self.every)
        near = range(self.shown - NEAR, self.shown + NEAR + 1)
        found: list[Tab | None] = []
        for each in self.every:
            if not self.are_many or each.number in (1, last) or each.number in near:
                found.append(self._tab(each))
            elif found[-1] is not None:
                found.append(None)
        return found

    def _tab(self, game: Sibling) -> Tab:
        label = f"Game {game.number}" if game.number == 1 else str(game.number)
        rel = {self.shown - 1: "prev", self.shown + 1: "next"}.get(game.number, "")
        return Tab(label, game.href, game.mark, rel, game.number == self.shown)

    @property
    def are_several(self) -> bool:
        return len(self.every) > 1

    @property
    def faults(self) -> list[tuple[str, Sibling]]:
        """The nearest games with a fault, each with a word for its direction."""
        before = next((each for each in reversed(self.every[: self.shown - 1]) if each.mark), None)
        after = next((each for each in self.every[self.shown :] if each.mark), None)
        return [(words, game) for words, game in (("Previous", before), ("Next", after)) if game]

    def find(self, text: str) -> Sibling:
        """The game whose number somebody typed, or the nearest one; where it is no number, the one that is shown."""
        try:
            number = int(text)
        except ValueError:
            number = self.shown
        return self.every[min(max(number, 1), len(self.every)) - 1]


def siblings(games: Sequence[Sequence[Event]], href: Callable[[int], str], shown: int = 1) -> Siblings:
    """All games of a record; `href` gives the address of a game."""
    return Siblings([Sibling(number, href(number), events) for number, events in enumerate(games, 1)], shown)
