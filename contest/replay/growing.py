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

import games as games_there
from contest.drawing import draw
from contest.replay import Replay
from contest.replay.dom import Element
from contest.replay.film import PARTS, Camera
from contest.replay.keys import Key
from contest.replay.moves import Lines, MoveLine, MoveList, Stop, outline
from contest.replay.parts import Link, Round
from contest.replay.places import places
from contest.replay.scores import score_table
from contest.replay.seats import seats_of
from contest.replay.steps import Step
from games.engine import Event, Game
from games.hearing import Hearing, heard
from games.record import Position, Record

OPEN, HIDDEN = "table", "hidden"
LIVE_PARTS = (*PARTS, "scores", "clocks")


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
        self._told = self.events
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

    @property
    def asked(self) -> dict[int, Any]:
        return {}

    @property
    def thinking(self) -> list[Any]:
        return []

    def clocks(self, ply: int) -> list[SeatClock]:
        spent = [0.0] * len(self.seats)
        for event in self.events[: ply + 1]:
            if "ms" in event:
                spent[event["seat"]] += event["ms"] or 0
        return self._clocks(spent, ply)

    def _clocks(self, spent: Sequence[float], ply: int) -> list[SeatClock]:
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
    """The game from one view. `grow` takes its events."""

    def __init__(self, head: Record, first: Event, number: int, view: str, base_url: str = "", games: int = 1) -> None:
        """`head`: a record without events. `first`: the first event of the game, which `grow` takes as well."""
        # Not Replay's own start, which splits and folds a record that is whole.
        self.allowed = (view,)
        self.game: Game = games_there.get(head["game"])
        self.events: list[Event] = []
        self.record = {**head, "events": self.events}
        self.number, self.count, self.offset = number, max(number, games), 0
        self.numbers, self.rules, self.base_url, self.stderr = None, "", base_url, {}
        self.view = view
        self.seats = seats_of(self.game, {**head, "events": [first]}, 1)
        self.last = -1
        self._positions: dict[int, Position] = {}
        self._fold = self.game.view(self.own)
        self._now: list[Event] = []  # what the view hears with the event that is being told
        self._hearing = Hearing(self.game, [] if view == OPEN else [(self.own, self._now.append)])
        self._latest: dict[tuple[str, int | None], int] = {}
        self._by_ply: list[int] = []
        self._rounds: list[Round] = []
        self._words: list[str] = []
        self._spent = [0.0] * len(self.seats)
        self._seen: list[Event] = self.events if view == OPEN else []
        self._stops: dict[str, list[int]] = {"trick": [], "round": [], "fault": [], "swing": []}
        self._stops |= {f"seat{seat.index}": [] for seat in self.seats}
        self._chosen: list[int] = []

    def grow(self, events: Iterable[Event]) -> None:
        first = self.last + 1
        for event in events:
            self.events += as_seen(self.game, [event], self.view)
            self.last += 1
            self._place(self.events[-1], self.last)
            self._hear(event, self.last)
        if self.last >= first:
            self._word(first)

    @property
    def is_over(self) -> bool:
        return bool(self.events) and self.events[-1]["event"] == "result"

    def forget(self, before: int) -> None:
        """Nobody asks for positions before this ply any more."""
        for ply in [ply for ply in self._positions if ply < before]:
            del self._positions[ply]

    # What Replay computes for a whole game at once --------------------------------------------------------------------

    def position(self, ply: int) -> Position:
        return self._positions[ply]

    def fold(self) -> None:
        """Done already."""

    @property
    def seen(self) -> list[Event]:
        return self._seen

    @property
    def heard(self) -> Sequence[int]:
        return range(self.last + 1) if self.view == OPEN else self._by_ply

    @property
    def rounds(self) -> list[Round]:
        return self._rounds

    @property
    def stops(self) -> dict[str, list[int]]:
        return self._stops

    @property
    def _decisions(self) -> list[int]:
        return self._chosen

    @property
    def decisions(self) -> list[int]:
        return self._chosen

    @property
    def places(self) -> list[str]:
        return self._words

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

    # Growing ----------------------------------------------------------------------------------------------------------

    def _place(self, event: Event, ply: int) -> None:
        kind = event["event"]
        if not self._rounds:
            self._rounds.append(Round(1, 0, 0, 0, None, None, self.href(0), 0))
        this = self._rounds[-1]
        if kind == "hand":
            if self._stops["round"]:
                this = Round(this.number + 1, ply, ply, ply, None, None, self.href(ply), 0)
                self._rounds.append(this)
            else:
                this = replace(this, deal=ply, href=self.href(ply))
            self._stops["round"].append(ply)
        elif kind == "score" and this.total is None:
            this = replace(this, hand=event.get("hand"), total=event.get("total"))
        elif kind == "fault":
            this = replace(this, faults=this.faults + 1)
            self._stops["fault"].append(ply)
        self._rounds[-1] = replace(this, last=ply)
        if kind in ("hand", "trick", "deal"):
            self._stops["trick"].append(ply)
        if kind in self.game.decisions:
            self._chosen.append(ply)
            self._stops[f"seat{event['seat']}"].append(ply)
        if "ms" in event:
            self._spent[event["seat"]] += event["ms"] or 0

    def _hear(self, event: Event, ply: int) -> None:
        self._now.clear()
        self._hearing.tell(event)
        parts = [event] if self.view == OPEN else self._now
        captions = []
        for part in parts:
            captions.append(self.game.caption(part, self._fold))
            self._fold.tell(part)
        if self.view != OPEN:
            self._keep_heard(event, ply)
        shown = event if self.view == OPEN else self._part_of(event)
        self._positions[ply] = Position(ply, shown, self._fold.position(), " ".join(filter(None, captions)))

    def _keep_heard(self, event: Event, ply: int) -> None:
        self._latest[event["event"], event.get("seat")] = ply
        self._by_ply.append(ply)
        self._seen.append({key: event[key] for key in ("event", "seat") if key in event})
        for part in self._now:
            told = self._latest[part["event"], part.get("seat")]
            self._by_ply[told], self._seen[told] = ply, part

    def _part_of(self, event: Event) -> Event:
        same = (each for each in self._now if each["event"] == event["event"] and each.get("seat") == event.get("seat"))
        return next(same, self._now[-1] if self._now else {"event": event["event"]})

    def _word(self, first: int) -> None:
        """Where the events stand, from the round of the first new one on."""
        start = self.round_at(first).first
        del self._words[start:]
        for each in self._rounds:
            if each.first >= start:
                self._words += places(self.game, self.events[each.first : each.last + 1])


class LiveCamera(Camera):
    """Draws the positions of a game in progress. Its moves are those known when it is drawn."""

    replay: Growing

    def __init__(self, replay: Growing) -> None:
        super().__init__(replay)
        self._lines: list[tuple[MoveLine, tuple[int, ...]]] = []
        self._outline: tuple[MoveList | None, tuple[int, ...]] = (None, ())
        self._shown: tuple[tuple[int, int], tuple[int, ...]] = ((0, -1), ())
        self._found: Lines
        self._fed = 0  # plies of the round that it knows
        self._scores: tuple[object, tuple[int, ...]] = (None, ())
        self._spent = [0.0] * len(replay.seats)

    def shoot(self, ply: int) -> tuple[int, ...]:
        replay, parse = self.replay, self.nodes.parse
        event = replay.events[ply]
        if "ms" in event:
            self._spent[event["seat"]] += event["ms"] or 0
        step = replay.step(ply, bare=True)
        parts = (
            (self.nodes.number(step.where),),
            (self.nodes.number(step.caption),),
            parse(replay.draw_position(step)),
            self.decision(step),
            self._moves_of(step.round),
            self._scores_now(),
            parse(replay.draw_clocks(replay._clocks(self._spent, ply))),
        )
        return tuple(self.nodes.number(Element("div", (), part)) for part in parts)

    def _moves_of(self, this: Round) -> tuple[int, ...]:
        """The list of moves of a round, of which only the lines are drawn that may have changed."""
        known = (this.number, this.last)
        if known == self._shown[0]:
            return self._shown[1]
        replay = self.replay
        if self._shown[0][0] != this.number:
            self._found = Lines(replay.game, replay.seen, replay.seats, self._stop)
            self._fed, self._lines = this.first, []
        for ply in range(self._fed, this.last + 1):
            self._found.add(ply)
        self._fed = this.last + 1
        start = max(0, len(self._lines) - 2)  # what waited was in the last one, or in that of the card before it
        before, self._lines = self._lines[start:], self._lines[:start]
        for index, line in enumerate(self._found.so_far(replay.heard, start)):
            same = index < len(before) and before[index][0] == line
            self._lines.append(before[index] if same else (line, self.nodes.parse(replay.draw_line(line))))
        outlined = outline(replay.game, replay.events, this, self._stop)
        if outlined != self._outline[0]:
            self._outline = (outlined, self.nodes.parse(replay.draw_moves(outlined)))
        self._shown = (known, self._with_lines(self._outline[1]))
        return self._shown[1]

    def _stop(self, ply: int, label: str = "") -> Stop:
        return Stop(ply, "", label)

    def _with_lines(self, drawn: tuple[int, ...]) -> tuple[int, ...]:
        """The frame of a list with the lines after its head and its deal."""
        lines = [number for _, numbers in self._lines for number in numbers]
        at = next(index for index, number in enumerate(drawn) if not isinstance(self.nodes[number], str))
        frame = self.nodes[drawn[at]]
        assert isinstance(frame, Element)
        items = [index for index, each in enumerate(frame.children) if not isinstance(self.nodes[each], str)]
        behind = items[1] + 1
        children = (*frame.children[:behind], *lines, *frame.children[behind:])
        return (*drawn[:at], self.nodes.number(frame._replace(children=children)), *drawn[at + 1 :])

    def _scores_now(self) -> tuple[int, ...]:
        last = self.replay.rounds[-1]
        known = (last.number, last.total, sum(each.faults for each in self.replay.rounds), self.replay.is_over)
        if known != self._scores[0]:
            self._scores = (known, self.nodes.parse(self.replay.draw_scores()))
        return self._scores[1]
