"""Play a match whose past is given: one that was interrupted, or one that leaves another at some position.

A *past* is what every player decided so far, as a record has it: its decisions and its faults, in order. `Forced`
answers from it, while the player behind it is told everything. Chance comes from the seed, and so do the referee's
choices. So the events of the past come out again, to the letter.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from games import get
from games.deals import openings, packs_before
from games.debug import DebugLog
from games.engine import Action, Event, Fault, FaultKind, Game, Opening, OptionError, Options, Seat, Setting, State
from games.format import Record, out_before, outcome
from games.participants import Decided, Decision, Participant, PassiveParticipant, Seated
from games.programs import GRACE
from games.record import games, seating_of
from games.referee import play

Past = Sequence[Sequence[Event]]
"""By player: its decisions and faults in order, as events of the record."""


@dataclass(frozen=True, slots=True)
class Start:
    """A position of a record from which others go on: the game it is in, and what was decided in it before."""

    opening: Opening | None  # None: a record without `game` events
    packs: int
    decided: int  # decisions in the games before
    past: list[list[Event]]  # by player
    turn: Seat  # who decides next
    seating: list[int]  # the player in each seat
    out: frozenset[int]  # players who were disqualified in this game, for whom the referee plays on

    def arguments(self) -> dict[str, Any]:
        """What `referee.play` is told, so that exactly this game is played."""
        several = {} if self.opening is None else {"openings": [self.opening]}
        return {"games": 1, "packs": [self.packs], "decided": self.decided, **several}


def start_at(record: Record, number: int, ply: int) -> Start:
    """Return the position after event `ply` (from 0) of game `number` (from 1) of a record that was verified.

    Somebody who was disqualified in an earlier game plays on in this one, as the referee did for them. Raises
    OptionError where nobody decides anything after that position, or the cards are not those of the seed.
    """
    game, split = get(record["game"]), games(record)
    if not 1 <= number <= len(split) or not 0 <= ply < len(split[number - 1]):
        raise OptionError("there is no such position in this record")
    events = split[number - 1]
    open_after = game.decisions | {"fault"}
    coming = next((event for event in events[ply + 1 :] if event["event"] in open_after), None)
    if coming is None:
        raise OptionError("nobody decides anything after this position")
    several, seating = events[0]["event"] == "game", seating_of(record, events)
    happened = events[: ply + 1]
    earlier = [event for each in split[: number - 1] for event in each]
    return Start(
        opening=openings(record)[number - 1] if several else None,
        packs=packs_before(game, record)[number - 1],
        decided=decisions_in(game, earlier),
        past=past_of(game, happened, len(record["seats"]), seating),
        turn=coming["seat"],
        seating=seating,
        out=frozenset(seating[seat] for seat in _out_at(game, events, ply)),
    )


def past_of(game: Game, events: Sequence[Event], players: int, seating: Sequence[int]) -> list[list[Event]]:
    """Return what every player decided in the events of one game, from its first one.

    A referee's choice after a fault is left out: it follows from the fault. One for a player who was disqualified
    before counts as that player's own.
    """
    found: list[list[Event]] = [[] for _ in range(players)]
    gone = out_before(events)
    for event in events:
        if event["event"] == "fault" or (
            event["event"] in game.decisions and ("by" not in event or event["seat"] in gone)
        ):
            found[seating[event["seat"]]].append({key: value for key, value in event.items() if key != "by"})
    return found


def decisions_in(game: Game, events: Sequence[Event]) -> int:
    """Count decisions as the referee does: a fault and the choice that follows it are one."""
    found, settled = 0, False
    for event in events:
        fault = event["event"] == "fault"
        found += fault or (event["event"] in game.decisions and not (settled and "by" in event))
        settled = fault
    return found


def _out_at(game: Game, events: Sequence[Event], ply: int) -> set[Seat]:
    """Return the seats that were disqualified in this game up to a ply: they made a fault, and the next decision of
    theirs, after the one that the fault led to, is the referee's."""
    faulty = {event["seat"] for event in events[: ply + 1] if event["event"] == "fault"}
    gone: set[Seat] = set()
    for before, event in pairwise(events[ply:]):
        seat: Seat = event.get("seat", -1)
        decided = event["event"] in game.decisions and before["event"] != "fault"
        if seat in faulty and (decided or event["event"] == "fault"):
            faulty.discard(seat)
            if "by" in event:
                gone.add(seat)
    return gone


@dataclass(frozen=True, slots=True)
class Differs:
    """The first decision of the past that a player would have made otherwise."""

    place: int  # index of that decision in the events of the match
    answer: Event | None  # what it would have done; None: a fault
    text: str  # the same in words that follow its name


class Forced:
    """A player whose first decisions are given.

    It is told everything. With `ask`, as programs need it to keep in step with their protocol, it is also asked, and
    `differs` says where its answer was first another one. From then on `instead` plays, if it is given: a program that
    believes it has played another card is of no use at this table.
    """

    def __init__(
        self, player: Participant, past: Iterable[Event], *, ask: bool = False, instead: Participant | None = None
    ) -> None:
        self.debug: DebugLog = player.debug
        self.differs: Differs | None = None
        self.state: State | None = None  # of the game in progress: `follow`
        self._player = player
        self._instead = instead
        self._past = deque(past)
        self._ask = ask

    def introduce(self, game: Game) -> str:
        return self._player.introduce(game)

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        self._game = game
        for player in self._all():
            player.begin(game, seat, options, random, setting)

    def tell(self, event: Event) -> None:
        for player in self._all():
            player.tell(event)

    def flush(self) -> None:
        for player in self._all():
            player.flush()

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decided:
        if not self._past:
            return self._player.decide(legal, place)
        event = self._past.popleft()
        if self._ask:
            self._compare(event, legal, place)
        if event["event"] == "fault":
            raise Fault(FaultKind(event["kind"]), event["detail"], event.get("answer"))
        ms, late_ms = event.get("ms", 0.0), event.get("late_ms", 0.0)
        return Decision(self._game.action(event), ms, event.get("cpu_ms"), late_ms=late_ms)

    def _compare(self, event: Event, legal: Callable[[], Sequence[Action]], place: int) -> None:
        """Ask the player, and note the first answer that is not the one of the past."""
        answer = fault = None
        try:
            action, *_ = self._player.decide(legal, place)
            if self.state is None or self.state.is_legal(action):
                same = event["event"] != "fault" and action == self._game.action(event)
                answer = None if self.state is None else self.state.event(action)
            else:
                same, fault = event.get("kind") == FaultKind.ILLEGAL, FaultKind.ILLEGAL
        except Fault as raised:
            same, fault = event.get("kind") == raised.kind, raised.kind
        if same or self.differs is not None:
            return
        text = f"made a fault ({fault})" if fault else f"would have chosen {self._in_words(answer)}"
        self.differs = Differs(place, answer, text)
        if self._instead is not None:
            self._player.close(place, 0.0)
            self._player, self._instead, self._ask = self._instead, None, False

    def _in_words(self, answer: Event | None) -> str:
        if answer is None:
            return "otherwise"
        faces = [(self._game.face(card), card) for card in self._game.chosen(answer)]
        return ", ".join(face.words if face else str(card) for face, card in faces) or str(answer["event"])

    def _all(self) -> list[Participant]:
        return [self._player] if self._instead is None else [self._player, self._instead]

    def listen(self, place: int) -> None:
        self._player.listen(place)

    def settle(self, place: int) -> float:
        return self._player.settle(place)

    def finish(self) -> None:
        for player in self._all():
            player.finish()

    def close(self, place: int, grace: float = GRACE) -> None:
        for player in self._all():
            player.close(place, grace)


def follow(players: Iterable[Participant]) -> Callable[[State], None]:
    """Return `on_start` for a match with these players: those who are forced know the rules' state."""

    def start(state: State) -> None:
        for player in players:
            if isinstance(player, Forced):
                player.state = state

    return start


# Where a match stands -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Now:
    """Where a match stands after its past."""

    game: Game
    state: State  # of the last game
    events: list[Event]
    seating: list[int]  # the player in each seat of the last game
    record: Record  # so far: its result is that of finished games
    over: bool

    @property
    def player(self) -> int | None:
        """Whose decision is open, by the number of the player."""
        return None if self.over else self.seating[self.state.turn]


class _Due(Exception):
    """Somebody must decide."""


class _Nobody(PassiveParticipant):
    """A player who stops the match when it is asked."""

    def __init__(self) -> None:
        self.debug = DebugLog(0)

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        """Nothing is needed."""

    def tell(self, event: Event) -> None:
        """Nobody listens."""

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decided:
        raise _Due


def now(
    game: Game,
    names: Sequence[tuple[str, str]],
    past: Past,
    *,
    seed: int,
    options: Options,
    preset: str,
    **how: Any,  # as for `referee.play`: games, openings, packs, decided
) -> Now:
    """Return where a match stands whose players (name and `bot` of each) have decided this much."""
    events: list[Event] = []
    states: list[State] = []
    seats = [Seated(name, bot, Forced(_Nobody(), each)) for (name, bot), each in zip(names, past, strict=True)]
    how |= {"seed": seed, "options": options, "preset": preset}
    over = True
    try:
        play(game, seats, on_start=states.append, on_event=events.append, **how)
    except _Due:
        over = False
    if how.get("games") is not None:
        options = game.with_games(options, how["games"])
    record = {
        "format": 1,
        "game": game.slug,
        "rules": preset,
        "seed": seed,
        "options": dict(options),
        "seats": [{"name": name, "bot": bot} for name, bot in names],
        "events": events,
    }
    split = games(record)
    seating = seating_of(record, split[-1] if split else [{"event": ""}])
    return Now(game, states[-1], events, seating, record | {"result": _so_far(game, record, split)}, over)


def _so_far(game: Game, record: Record, split: Sequence[Sequence[Event]]) -> dict[str, Any]:
    scores = [0] * len(record["seats"])
    for events in split:
        if events[-1]["event"] == "result":
            seating = seating_of(record, events)
            for seat, points in enumerate(game.points(events[-1])):
                scores[seating[seat]] += points
    return outcome(game, scores, ())
