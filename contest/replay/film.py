"""A *film*: all positions of a game in one view, as a first position and the changes from each to the next.

The templates draw every position once, on the server. The film has what they drew, so a browser shows any position at
once, and knows neither rules nor games nor templates (static/js/film.js). What only some may see is not in it: standard
error is never drawn (`texts`), and a seat's view knows no more than the seat.

A position is a tree with five parts, which have the names of their places on the page: where, caption, position,
decision and moves. A link carries no address, because the page knows where it leads. The numbers of plies in the list
of moves count from the first ply of their round, so that lists of several rounds are alike.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from contest.replay import Replay
from contest.replay.changes import Change, Changes
from contest.replay.dom import Element, Nodes
from contest.replay.parts import Round
from contest.replay.steps import Step

FORMAT = 2
LONGEST = 3000  # milliseconds: playing “as thought” waits no longer for a decision
SMALL = 60  # as in film.js
RECENT = "!"  # the same
SHORT = 8  # numbers, of which nothing is saved
PARTS = ("where", "caption", "position", "decision", "moves")


class Camera:
    """Draws the positions of a replay as trees, one after the other."""

    parts: tuple[str, ...] = PARTS

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.nodes = Nodes(self._keep)
        self._moves: tuple[int, tuple[int, ...]] = (0, ())  # of a round
        self._decisions: dict[Hashable, tuple[int, ...]] = {}

    def shoot(self, ply: int) -> tuple[int, ...]:
        """The parts of the position at a ply, in the order of `parts`."""
        replay, parse = self.replay, self.nodes.parse
        step = replay.step(ply, bare=True)
        if step.round.number != self._moves[0]:
            self._moves = (step.round.number, parse(replay.draw_moves(replay.moves(step.round))))
        parts = (
            (self.nodes.number(step.where),),
            (self.nodes.number(step.caption),),
            parse(replay.draw_position(step)),
            self.decision(step),
            self._moves[1],
        )
        return tuple(self.nodes.number(Element("div", (), part)) for part in parts)

    def decision(self, step: Step) -> tuple[int, ...]:
        """The decision beside the table. Many are drawn alike, because addresses are not kept."""
        key = step.decided
        found = self._decisions.get(key) if key else None
        if found is None:
            found = self.nodes.parse(self.replay.draw_decision(step, texts=False))
            if key:
                self._decisions[key] = found
        return found

    def _keep(self, tag: str, attributes: dict[str, str]) -> dict[str, str]:
        if "data-ply" in attributes:
            first = self.replay.round_at(int(attributes["data-ply"])).first
            for name in attributes.keys() & {"data-ply", "data-heard"}:
                attributes[name] = str(int(attributes[name]) - first)
        if attributes.keys() & {"data-ply", "data-nav"}:
            attributes.pop("href", None)
        return attributes


@dataclass(slots=True)
class Columns:
    """The operands of all changes with the same pattern, one list for each place in it."""

    places: list[list[int]] = field(default_factory=list)

    def add(self, operands: Sequence[int]) -> None:
        if not self.places:
            self.places = [[] for _ in operands]
        for place, operand in zip(self.places, operands, strict=True):
            place.append(operand)

    def packed(self) -> list[int | str]:
        return [_column(place) for place in self.places]


@dataclass(slots=True)
class Track:
    """The changes of one part."""

    patterns: dict[str, int] = field(default_factory=dict)
    columns: list[Columns] = field(default_factory=list)
    order: list[int] = field(default_factory=list)

    def add(self, change: Change) -> None:
        number = self.patterns.setdefault(change.pattern, len(self.patterns))
        if number == len(self.columns):
            self.columns.append(Columns())
        self.columns[number].add(change.operands)
        self.order.append(number)

    def packed(self) -> dict[str, Any]:
        operands = [each.packed() for each in self.columns]
        return {"patterns": list(self.patterns), "order": _column(self.order), "operands": operands}


def film_of(replay: Replay, this: Round | None = None) -> dict[str, Any]:
    """A film, as it is sent: of the whole game, or of one round (`from` is its first ply)."""
    plies = range(this.first, this.last + 1) if this else range(replay.last + 1)
    if len(plies) > replay.last:
        replay.fold()
    return film_of_plies(Camera(replay), plies) | ({"from": this.first} if this else {})


def film_of_plies(camera: Camera, plies: range) -> dict[str, Any]:
    """A film of these plies. Its stops and decisions are all that the replay has."""
    replay, changes = camera.replay, Changes(camera.nodes)
    tracks = {name: Track() for name in camera.parts}
    before = (camera.nodes.number(Element("div", (), ())),) * len(tracks)
    for ply in plies:
        after = camera.shoot(ply)
        for track, *pair in zip(tracks.values(), before, after, strict=True):
            track.add(changes.between(*pair))
        before = after
    times = [round(min(event.get("ms") or 0, LONGEST) / 10) for event in replay.events[plies.start : plies.stop]]
    return {
        "format": FORMAT,
        "words": changes.words.found,
        "pairs": changes.pairs.found,
        "shapes": changes.shapes.found,
        "leaves": changes.leaves.found,
        "tracks": {name: track.packed() for name, track in tracks.items()},
        "stops": {kind: _steps(plies) for kind, plies in replay.stops.items() if kind != "card"},
        "decisions": _steps(replay.plies(*replay.game.decisions)),
        "ms": _column(times),  # how long each decision took, in hundredths of a second
    }


def _column(numbers: Sequence[int]) -> int | str:
    """Numbers as text; one number where all are equal."""
    return numbers[0] if len(set(numbers)) == 1 else _smaller(_text(numbers), numbers)


def _smaller(plain: str, numbers: Sequence[int]) -> str:
    """The same numbers as places in the order in which they were last used, where that is smaller when compressed: what
    came lately comes again. The text begins with RECENT then."""
    if len(numbers) < SHORT:
        return plain
    order, places = list(range(max(numbers) + 1)), []
    for number in numbers:
        place = order.index(number)
        places.append(place)
        if place:
            del order[place]
            order.insert(0, number)
    recent = RECENT + _text(places)
    return min(plain, recent, key=lambda text: len(zlib.compress(text.encode(), 1)))


def _text(numbers: Sequence[int]) -> str:
    """A character for each number below `SMALL`, and two for others."""
    return "".join(map(_digits, numbers))


@cache
def _digits(number: int) -> str:
    high, low = divmod(number, SMALL)
    return f"{_digit(SMALL + high)}{_digit(low)}" if high else _digit(low)


def _digit(value: int) -> str:
    """One character for 0 … 91 that JSON writes as itself."""
    code = value + 35
    return chr(code + 1 if code >= ord("\\") else code)


def _steps(plies: Sequence[int]) -> str:
    """Ascending numbers by what each adds to the one before."""
    return _text([ply - before for before, ply in zip([0, *plies], plies, strict=False)])


def packed(film: dict[str, Any]) -> bytes:
    return json.dumps(film, ensure_ascii=False, separators=(",", ":")).encode()
