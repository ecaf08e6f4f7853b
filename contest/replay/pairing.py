"""Two games on the same deal beside each other: they step together to the first difference, and by trick after it.

Pure, like the rest of this package. A *step* is a pair of plies, one of each game, so a reader sees two positions at
once. Up to the first difference both plies are the same.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from contest.formatting import signed
from contest.replay import Replay
from contest.replay.parts import Link
from games.pairs import parting

MILESTONES = ("trick", "deal", "forfeit", "score", "result")
"""The events at which both games stop after they have parted."""
BUTTONS = ("first", "prev-round", "prev-trick", "prev-card", "next-card", "next-trick", "next-round", "last")


@dataclass(frozen=True, slots=True)
class Gain:
    """What one seat has in both games, after the round in which they part, or in the end."""

    seat: str
    names: tuple[str, str]
    points: tuple[float, float]

    @property
    def difference(self) -> str:
        return signed(self.points[0] - self.points[1])


@dataclass(frozen=True, slots=True)
class Cost:
    """What a difference came to: one line for each seat."""

    title: str
    gains: Sequence[Gain]


class Pairing:
    """Two replays in the same view. `base_url` has a query already, which names both."""

    def __init__(self, one: Replay, two: Replay, base_url: str) -> None:
        self.sides = (one, two)
        self.base_url = base_url
        self.view = one.view

    @cached_property
    def parting(self) -> int | None:
        """The step of the first difference; None where both games are the same."""
        one, two = self.sides
        found = parting(one.events, two.events)
        return None if found is None else min(found, one.last, two.last)

    @cached_property
    def steps(self) -> list[tuple[int, int]]:
        one, two = self.sides
        if self.parting is None:
            return [(ply, ply) for ply in range(one.last + 1)]
        together = [(ply, ply) for ply in range(self.parting + 1)]
        marks = [self._marks(side, self.parting) for side in self.sides]
        at = [self.parting, self.parting]
        for key in sorted({*marks[0], *marks[1]}):
            at = [found.get(key, before) for found, before in zip(marks, at, strict=True)]
            together.append((at[0], at[1]))
        if together[-1] != (one.last, two.last):
            together.append((one.last, two.last))
        return together

    @staticmethod
    def _marks(side: Replay, after: int) -> dict[tuple[int, int], int]:
        """By round and number in it: the plies of the milestones after a ply."""
        found: dict[tuple[int, int], int] = {}
        for this in side.rounds:
            stops = [ply for ply in side.plies(*MILESTONES) if this.first <= ply <= this.last]
            found |= {(this.number, number): ply for number, ply in enumerate(stops) if ply > after}
        return found

    @property
    def last(self) -> int:
        return len(self.steps) - 1

    def clamp(self, text: str | None) -> int:
        """The step that somebody asked for; the first difference for everything that is no number."""
        try:
            return min(max(int(text or ""), 0), self.last)
        except ValueError:
            return self.start

    @property
    def start(self) -> int:
        """Where a reader begins."""
        return self.sides[0].opening if self.parting is None else self.parting

    def href(self, step: int, view: str | None = None) -> str:
        view = view or self.view
        more = {"step": step} | ({"view": view} if view != "table" else {})
        return f"{self.base_url}&{urlencode(more)}"

    @cached_property
    def stops(self) -> dict[str, list[int]]:
        """Where each kind of step stops."""
        plies = [{kind: set(side.stops[kind]) for kind in ("trick", "round")} for side in self.sides]
        found: dict[str, list[int]] = {"card": list(range(self.last + 1))}
        for kind in ("trick", "round"):
            found[kind] = [
                step
                for step, both in enumerate(self.steps)
                if any(ply in its[kind] for ply, its in zip(both, plies, strict=True))
            ]
        if self.parting is not None:  # then there are no deals to stop at, only what came before them
            found["round"] = [*(it for it in found["round"] if it <= self.parting), *self._later_rounds()]
        return found

    def _later_rounds(self) -> list[int]:
        """The first steps of each round after the one in which the games part."""
        found, before = [], None
        for step in range(self.parting or 0, self.last + 1):
            number = max(side.round_at(ply).number for side, ply in zip(self.sides, self.steps[step], strict=True))
            if before is not None and number > before:
                found.append(step)
            before = number
        return found

    def links(self, step: int) -> Mapping[str, Link]:
        found = {
            "first": self._link("first", "Start", 0 if step else None),
            "last": self._link("last", "End", self.last if step < self.last else None),
        }
        game = self.sides[0].game
        words = {"card": "step", "trick": game.trick_word, "round": game.hand_word or "hand"}
        for kind, stops in self.stops.items():
            before, after = bisect_left(stops, step), bisect_right(stops, step)
            previous, following = f"prev-{kind}", f"next-{kind}"
            at = stops[after] if after < len(stops) else None
            found[previous] = self._link(previous, f"Previous {words[kind]}", stops[before - 1] if before else None)
            found[following] = self._link(following, f"Next {words[kind]}", at)
        return found

    def controls(self, step: int) -> list[Link]:
        links = self.links(step)
        useless = "" if self.sides[0].game.hand_word else "round"
        return [links[name] for name in BUTTONS if not useless or not name.endswith(useless)]

    def _link(self, key: str, label: str, step: int | None) -> Link:
        return Link(key, label, step, "" if step is None else self.href(step))

    def state(self, step: int) -> str:
        """Where a step stands to the first difference, in words."""
        if self.parting is None:
            return "Both games are the same, card for card."
        if step < self.parting:
            return "The same in both games so far."
        return "The first difference." if step == self.parting else "After the first difference, by trick."

    @cached_property
    def costs(self) -> list[Cost]:
        """What each seat got in the round of the first difference, and what it has in the end."""
        one = self.sides[0]
        found = []
        if self.parting is not None and one.game.hand_word:
            number = one.round_at(self.parting).number
            both = [side.rounds[number - 1].hand if number <= len(side.rounds) else None for side in self.sides]
            if both[0] is not None and both[1] is not None:
                found.append(self._cost(f"{one.game.hand_word.capitalize()} {number}", both[0], both[1]))
        ends = [side.events[-1] for side in self.sides]
        if all(end["event"] == "result" for end in ends):
            found.append(self._cost("The whole game", *(end["scores"] for end in ends)))
        return found

    def _cost(self, title: str, ours: Sequence[float], theirs: Sequence[float]) -> Cost:
        one, two = self.sides
        rows = zip(one.seats, two.seats, ours, theirs, strict=True)
        return Cost(title, [Gain(seat.label, (seat.name, it.name), (mine, its)) for seat, it, mine, its in rows])
