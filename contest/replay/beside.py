"""The games of a match from the page of one of them: a tab for each of a few, a way to each of hundreds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from games.record import Record
from games.record import games as split_games

FEW = 12  # games that all have a tab
NEAR = 2  # of more, how many on each side of the one that is shown


@dataclass(frozen=True, slots=True)
class Sibling:
    """A game of a match, for a list of all of them."""

    number: int
    href: str
    mark: str  # in a word what was wrong there; blank for most


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

    def __iter__(self) -> Iterator[Sibling]:
        return iter(self.every)

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
        both = (("Previous", self.fault_before), ("Next", self.fault_after))
        return [(words, game) for words, game in both if game]

    @property
    def fault_before(self) -> Sibling | None:
        """The nearest game before this one in which something was wrong."""
        return next((each for each in reversed(self.every[: self.shown - 1]) if each.mark), None)

    @property
    def fault_after(self) -> Sibling | None:
        return next((each for each in self.every[self.shown :] if each.mark), None)

    def find(self, text: str) -> Sibling:
        """The game whose number somebody typed; the nearest there is, and for what is no number the one that is shown.

        There must be a game.
        """
        try:
            number = int(text)
        except ValueError:
            number = self.shown
        return self.every[min(max(number, 1), len(self.every)) - 1]


def siblings(record: Record, href: Callable[[int], str], shown: int = 1) -> Siblings:
    """All games of a record; `href` gives the address of a game."""
    faulty = [any(event["event"] == "fault" for event in events) for events in split_games(record)]
    every = [Sibling(number, href(number), "fault" if bad else "") for number, bad in enumerate(faulty, 1)]
    return Siblings(every, shown)
