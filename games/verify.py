"""Check whether a record follows the rules: run them again, and find the first difference.

The record is believed about the options, how each game opens (who sits where, who leads), `hand` events, decisions and
who made them, and the seat, kind and place of faults. Everything else must be found again: whose turn it is, legality,
tricks, scores, ends, results, places.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from games import get
from games.engine import CHANCE, OVER, PLAIN, Event, FaultKind, Game, Opening, OptionError, State
from games.events import CLOCKS
from games.format import Record, dumps_event, outcome

_KINDS = frozenset(map(str, FaultKind))


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a record and the rules differ. `index` of the event, or the number of events when the result differs."""

    index: int
    text: str

    def __str__(self) -> str:
        return f"event {self.index}: {self.text}"


class _Wrong(Exception):
    """The current event is not what the rules allow. The text completes `event 17: …`."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A hand that is about to be dealt: the `hand` event, its index in the record, and the rules just before it.

    Whoever is told of it may look at `state`, but must not change it.
    """

    index: int
    event: Event
    state: State
    number: int  # of the game, from 1
    opening: Opening


def verify(record: Record, on_deal: Callable[[Deal], None] | None = None) -> Difference | None:
    """Return the first difference between a record (of `format.loads`) and the rules, or None. `on_deal` is told of
    every hand. Raises OptionError for an unknown game."""
    replay = _Replay(get(record["game"]), record, on_deal)
    for index, event in enumerate(record["events"]):
        replay.index = index
        try:
            replay.step(event)
        except _Wrong as wrong:
            return Difference(index, str(wrong))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            return Difference(index, f"cannot be read: {type(error).__name__} {error}")
    end = len(record["events"])
    try:
        replay.end()
    except _Wrong as wrong:
        return Difference(end, str(wrong))
    return None


class _Replay:
    """The rules as they follow a record. Between games, `state` is None."""

    def __init__(self, game: Game, record: Record, on_deal: Callable[[Deal], None] | None) -> None:
        self.game = game
        self.on_deal = on_deal
        self.index = 0  # of the event in the record
        self.players = len(record["seats"])
        self.record = record
        self.several = record["events"][:1] != [] and record["events"][0]["event"] == "game"
        self.number = 0
        self.opening: Opening = PLAIN
        self.state: State | None = None
        self.due: deque[Event] = deque()  # events that must come next
        self.seating: Sequence[int] = ()
        self.scores = [0] * self.players
        self.out: set[int] = set()
        self.over = self.unfinished = False  # the match, by its rules, after the last game
        self.lost: int | None = None  # the seat for which somebody else must decide now
        self.options: dict[str, Any] = {}

    def step(self, event: Event) -> None:
        if self.state is None:
            self.state = self._begin(event)
        if not self.due and self.state.turn == OVER:
            self.due.append(self.state.result())
        if self.due:
            self._expect(event, self.due.popleft())
        elif event["event"] == "fault":
            self._fault(self.state, event)
        elif event["event"] in self.game.decisions:
            self._decide(self.state, event)
        elif event["event"] == "hand":
            self._deal(self.state, event)
        else:
            raise _Wrong(f"{self._brief(event)} does not follow here: {self._wanted()}")
        if event["event"] == "result":
            self._end_game(event)

    def _begin(self, event: Event) -> State:
        if self.number and (not self.several or self.over):
            raise _Wrong("comes after the end of the match")
        if not self.number:
            self._check_head()
        self.number += 1
        opening = self.opening = self._opening(event) if self.several else PLAIN
        state = self.game.start(self.options, number=self.number, opening=opening)
        self.seating = opening.get("seating", range(self.players))
        for seat, player in enumerate(self.seating):
            if player in self.out:
                state.disqualify(seat)
        return state

    def _check_head(self) -> None:
        fewest, most = self.game.seats
        if not fewest <= self.players <= most:
            raise _Wrong(f"{self.players} players do not play {self.game.title}")
        if self.game.announces and not self.several:
            raise _Wrong(f"a match of {self.game.title} begins with a `game` event")
        try:
            self.options = self.game.options(self.record["options"], self.record["rules"])
        except OptionError as error:
            raise _Wrong(str(error)) from None

    def _opening(self, event: Event) -> Opening:
        """Return how a game opens, by its `game` event: any seating of the players, and what the game itself knows."""
        fields = {key: value for key, value in event.items() if key not in ("event", "number")}
        free = {"seating", "deal"}  # whoever arranged the match could choose these freely
        known = self.game.opening(self.record["seed"], self.number, self.players).keys() - free
        if event["event"] != "game" or event.get("number") != self.number or fields.keys() - free != known:
            raise _Wrong(f"{self._brief(event)} does not open game {self.number}")
        if "seating" in fields and sorted(fields["seating"]) != list(range(self.players)):
            raise _Wrong(f"{fields['seating']} does not seat {self.players} players")
        self.due.append(event)
        return fields

    def _expect(self, event: Event, due: Event) -> None:
        by_whom = "by" not in due or event.get("by") == due["by"]
        if _bare(event) != _bare(due) or not by_whom:
            raise _Wrong(f"{self._brief(event)} stands where the rules give {self._brief(due)}")

    def _deal(self, state: State, event: Event) -> None:
        if state.turn != CHANCE:
            raise _Wrong(f"a hand is dealt, but {self._wanted()}")
        if self.on_deal:
            self.on_deal(Deal(self.index, event, state, self.number, self.opening))
        try:
            pack = self.game.packed(event)
        except ValueError as error:
            raise _Wrong(f"this hand cannot be dealt: {error}") from None
        dealt, *more = state.deal(pack)
        self._expect(event, dealt)
        self.due.extend(more)

    def _decide(self, state: State, event: Event) -> None:
        seat = event["seat"]
        if seat != state.turn:
            raise _Wrong(f"{self._brief(event)} is not due: {self._wanted()}")
        elsewhere = self.lost == seat or self.seating[seat] in self.out
        if ("by" in event) != elsewhere:
            who = "the referee must" if elsewhere else "the player itself must"
            raise _Wrong(f"{self._brief(event)}: {who} make this decision")
        if event.get("by", "referee") != "referee":
            raise _Wrong(f"{self._brief(event)} was made by {event['by']!r}, who is nobody")
        try:
            action = self.game.action(event)
        except ValueError as error:
            raise _Wrong(str(error)) from None
        if not state.is_legal(action):
            raise _Wrong(f"{self._brief(event)} is not legal: it {state.objection(action)}")
        self._expect(event, state.event(action))
        self.lost = None
        self.due.extend(state.apply(action))

    def _fault(self, state: State, event: Event) -> None:
        seat = event["seat"]
        if seat != state.turn or self.lost is not None or self.seating[seat] in self.out:
            raise _Wrong(f"a fault of seat {seat} is not possible here: {self._wanted()}")
        if event.get("kind") not in _KINDS:
            raise _Wrong(f"there is no fault of the kind {event.get('kind')!r}")
        remedy = state.fault(FaultKind(event["kind"]))
        if event.get("points") != remedy.points:
            raise _Wrong(f"this fault costs {remedy.points} points, not {event.get('points')}")
        if remedy.disqualified:
            self.out.add(self.seating[seat])
            state.disqualify(seat)
        self.due.extend(remedy.events)
        if not remedy.settled and state.turn == seat:
            self.lost = seat

    def _end_game(self, event: Event) -> None:
        for seat, points in enumerate(self.game.points(event)):
            self.scores[self.seating[seat]] += points
        decided = self.game.decided(self.options, self.scores, self.number, event)
        self.over = bool(decided) or len(self.out) == self.players
        self.unfinished = decided is False and not self.over
        self.state = None
        self.lost = None

    def end(self) -> None:
        if self.state is not None or not self.number:
            raise _Wrong(f"the record ends, but {self._wanted()}")
        if self.unfinished:
            raise _Wrong(f"the record ends, but the match is not decided after {self.number} games")
        due = outcome(self.game, self.scores, self.out)
        for key, value in due.items():
            if self.record["result"].get(key) != value:
                raise _Wrong(f"the result's {key} are {self.record['result'].get(key)}, but the rules give {value}")

    def _brief(self, event: Event) -> str:
        return dumps_event(_bare(event), self.game.events)

    def _wanted(self) -> str:
        """Say what should come next."""
        if self.due:
            return f"{self._brief(self.due[0])} is due"
        if self.state is None:
            return "no game has begun"
        if self.state.turn == CHANCE:
            return "a hand must be dealt"
        if self.state.turn == OVER:
            return "the game is over and its result is due"
        who = "the referee decides for" if self.lost is not None else "it is the turn of"
        return f"{who} seat {self.state.turn} ({self.game.seat_names[self.state.turn]})"


def _bare(event: Event) -> Event:
    """Return an event without how it came about, and without what only the record knows."""
    return {key: value for key, value in event.items() if key not in CLOCKS}
