"""A game in progress: the replay of what was played so far, which grows event by event.

It looks like the replay of the finished game, without what nobody can know yet or may know before the end: what comes
next, what bots were sent, and what decided the game. A reader who may not see hidden cards gets events without them
(`as_seen`), so no drawing can reveal them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from markupsafe import Markup

from contest.drawing import draw
from contest.replay import Replay
from contest.replay.dom import Element
from contest.replay.film import PARTS, Camera, film_of_plies
from contest.replay.parts import Key, Link
from contest.replay.scores import score_table
from contest.replay.steps import Step
from games.engine import Event, Game
from games.hearing import heard
from games.record import Record

OPEN, HIDDEN = "table", "hidden"


def as_seen(game: Game, events: Iterable[Event], view: str) -> list[Event]:
    """The events with as much of each as a view may know at once; all of it on the open table."""
    if view == OPEN:
        return list(events)
    own = int(view) if view.isdigit() else None
    return [game.see(event, own) or {key: event[key] for key in ("event", "seat") if key in event} for event in events]


@dataclass(frozen=True, slots=True)
class SeatClock:
    """How long a seat has thought in this game, and whether it is thinking now."""

    index: int
    label: str
    name: str
    ms: int
    runs: bool


class Unfinished(Replay):
    """The game so far, for a page."""

    def __init__(
        self, record: Record, number: int, view: str, base_url: str, views: Sequence[str] = (HIDDEN,), games: int = 1
    ) -> None:
        """`record`: without a result. `views`: those that its readers may choose from. `games`: how many were asked
        for. Raises LookupError while the game has not begun."""
        self.allowed = tuple(views)
        super().__init__(record, number, view, base_url)
        self.events = as_seen(self.game, self._told, self.view)
        self.count = max(number, games)

    def step(self, ply: int, *, bare: bool = False) -> Step:
        found = super().step(ply, bare=bare)
        return replace(found, goes_on=found.event["event"] != "result")

    @property
    def views(self) -> dict[str, str]:
        return {key: label for key, label in super().views.items() if key in self.allowed}

    @cached_property
    def _heard(self) -> list[tuple[int, Event | None]]:
        return heard(self.game, self._told, self.own)

    def sent(self, ply: int) -> None:
        return None

    @property
    def thinking(self) -> list[Any]:
        return []

    def clocks(self, ply: int) -> list[SeatClock]:
        spent = [0.0] * len(self.seats)
        for event in self.events[: ply + 1]:
            if "ms" in event:
                spent[event["seat"]] += event["ms"] or 0
        turn = self.position(ply).table.get("turn")
        return [
            SeatClock(seat.index, seat.label, seat.name, round(spent[seat.index]), turn == seat.index)
            for seat in self.seats
        ]

    def draw_clocks(self, clocks: Sequence[SeatClock]) -> Markup:
        return draw(self.game, "replay/drawn/clocks.html", clocks=clocks)

    def draw_scores(self) -> Markup:
        if not any(each.total is not None for each in self.rounds):
            return Markup('<p class="muted">Nothing is scored yet.</p>')
        table = score_table(self.game, self.seats, self.rounds, self.events[-1])
        return draw(self.game, "replay/drawn/scores.html", scores=table, seats=self.seats)

    @property
    def keys(self) -> list[Key]:
        found = super().keys
        return [*found[:-1], Key(("V",), "live: the newest move, and stay there"), found[-1]]

    def page(self, ply: int, files: Mapping[str, str] | None = None) -> dict[str, Any]:
        found = super().page(ply, files)
        found["drawn"] |= {"scores": self.draw_scores(), "clocks": self.draw_clocks(self.clocks(self.last))}
        return found


class Growing(Unfinished):
    """The same for a browser that is told more and more of it (contest/broadcast/following.py)."""

    @cached_property
    def stops(self) -> dict[str, Sequence[int]]:
        """Without those that are only known at the end."""
        return super().stops | {"trick": self.plies("hand", "trick", "deal"), "swing": []}

    def _both(self, kind: str, ply: int) -> dict[str, Link]:
        """The next step of a kind may be one that nobody knows yet; the script finds out when it is wanted."""
        found = super()._both(kind, ply)
        following = found[f"next-{kind}"]
        return found | {f"next-{kind}": replace(following, ply=following.ply or ply + 1)}

    def step(self, ply: int, *, bare: bool = False) -> Step:
        found = super().step(ply, bare=bare)
        turn = found.table.get("turn")
        if found.next_seat is None and turn is not None and found.seat is None:
            found = replace(found, next_seat=self.seats[turn])
        return found


class LiveCamera(Camera):
    """Draws the positions of a game in progress, each with the scores and clocks of now."""

    parts = (*PARTS, "scores", "clocks")

    def __init__(self, replay: Growing) -> None:
        super().__init__(replay)
        drawn = (replay.draw_scores(), replay.draw_clocks(replay.clocks(replay.last)))
        self._now = tuple(self.nodes.number(Element("div", (), self.nodes.parse(each))) for each in drawn)

    def shoot(self, ply: int) -> tuple[int, ...]:
        return (*super().shoot(ply), *self._now)


def film_from(replay: Growing, first: int, most: int) -> dict[str, Any]:
    """A film of the next positions, at most so many (`length`), beginning with the first ply that a browser does not
    have. Stops, decisions and rounds are those of the whole game until there."""
    plies = range(first, min(replay.last + 1, first + most))
    found = film_of_plies(LiveCamera(replay), plies)
    rounds = [each.first for each in replay.rounds if each.first < plies.stop]
    return found | {"from": first, "length": len(plies), "rounds": rounds}
