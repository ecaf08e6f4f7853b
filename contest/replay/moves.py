"""The list of moves of a round: a line for each trick, each card of the dealer, each turn before the play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from contest.formatting import signed
from contest.replay.parts import ReplaySeat, Round
from games.engine import Card, Event, Game, Seat

Href = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Stop:
    """A link of the list to a position, as it looks to a reader who is at another (`at`; None: nowhere yet)."""

    ply: int
    href: str
    label: str = ""
    at: int | None = None

    @property
    def is_current(self) -> bool:
        return self.ply == self.at

    @property
    def later(self) -> str:
        """The class of what is still to come for the reader."""
        return "later" if self.at is not None and self.ply > self.at else ""


@dataclass(slots=True)
class Move:
    """A decision or a fault in the list."""

    event: Event
    stop: Stop
    seat: ReplaySeat
    leads: bool = False
    wins: bool = False
    where: str = ""  # in words, where a list goes beyond one round
    row: int = 1  # of several by one seat in one line, the one that stands below the others
    choice: str = ""  # what was decided, where it is no card: "3" of a bid
    heard: int = 0  # the ply with which the view hears what was decided: later than `ply` where all decide at once

    @property
    def ply(self) -> int:
        return self.stop.ply

    @property
    def is_fault(self) -> bool:
        return bool(self.event["event"] == "fault")

    @property
    def is_heard_later(self) -> bool:
        return self.heard > self.ply

    @property
    def classes(self) -> str:
        at = self.stop.at
        marks = {
            "leads": self.leads,
            "wins": self.wins,
            "bad": self.is_fault,
            "later": self.stop.later,
            "unheard": self.is_heard_later and at is not None and self.heard > at,
        }
        given = (name for name, holds in marks.items() if holds)
        return " ".join(["move", f"col-{self.seat.index}", f"row-{self.row}", *given])

    @property
    def cards(self) -> Sequence[Card]:
        """The cards that were played or passed, where the view may see them."""
        if self.is_fault:
            return ()
        return self.event.get("cards") or ((self.event["card"],) if self.event.get("card") is not None else ())

    @property
    def words(self) -> str:
        """What stands in place of cards: `garbled` of a fault, `bid 3`, or a pass that the view may not see."""
        return str(self.event["kind"]) if self.is_fault else f"{self.event['event']} {self.choice}".strip()

    @property
    def is_by_referee(self) -> bool:
        return bool(self.event.get("by"))

    @property
    def ms(self) -> float | None:
        return None if self.is_by_referee else self.event.get("ms")


@dataclass(slots=True)
class Outcome:
    """What came of a line: whose it is (`letter` is blank for nobody's), and for how many points."""

    winner: Seat | None
    points: float | None
    letter: str

    @property
    def gain(self) -> str:
        return "" if self.winner is None or self.points is None else signed(self.points)


@dataclass(slots=True)
class MoveLine:
    """A line of the list of moves: a trick, or what stands between tricks."""

    label: str
    moves: list[Move] = field(default_factory=list)
    dealt: Card | None = None  # the card of the dealer that the line answers
    outcome: Outcome | None = None
    stop: Stop | None = None  # at what was dealt, or at the outcome


@dataclass(frozen=True, slots=True)
class MoveList:
    """The moves of one round between its deal and what closes it, for a reader at one position or nowhere yet."""

    deal: Stop
    lines: list[MoveLine]
    endings: list[Stop]


class Lines:
    """Puts the events of a round into lines, one after the other."""

    def __init__(self, game: Game, events: Sequence[Event], seats: Sequence[ReplaySeat], stop: Callable[[int], Stop]):
        self.game = game
        self.events = events
        self.seats = seats
        self.stop = stop
        self.found: list[MoveLine] = []
        self._waiting: list[int] = []
        self._numbers: Counter[str] = Counter()

    def add(self, ply: int) -> None:
        kind = self.events[ply]["event"]
        if kind in self.game.decisions or kind == "fault":
            self._waiting.append(ply)
        trick = f"{self.game.trick_word.capitalize()} {self._numbers[kind] + 1}"
        if kind == "trick":
            self._trick(trick, ply)
        elif kind == "deal":  # what was still waiting belongs to the card before
            self.close()
            self.found.append(MoveLine(trick, dealt=self.events[ply]["card"], stop=self.stop(ply)))
        elif (turn := self.game.turns.get(kind)) and self._is_turn():
            self.close(f"{turn.title} {self._numbers[kind] + 1}" if turn.several else turn.title)
        elif kind == "score" and any(self.events[each]["event"] == "reject" for each in self._waiting):
            self._rejected(ply)
        else:
            return
        self._numbers[kind] += 1
        self._waiting = []

    def so_far(self, heard: Sequence[int], start: int = 0) -> list[MoveLine]:
        """The lines from number `start` on. What waits stands in the last one."""
        found = self.found[start:]
        if self._waiting:
            moves = below_each_other([self._move(each) for each in self._waiting])
            if found and found[-1].dealt is not None and not found[-1].moves:
                found[-1] = replace(found[-1], moves=moves)
            else:
                found.append(MoveLine("", moves))
        for each in chain.from_iterable(line.moves for line in found):
            each.heard = heard[each.ply]
        return found

    def close(self, label: str = "") -> None:
        """Put what waits into a line of its own, or into that of the dealer's card that it answers."""
        if not self._waiting:
            return
        moves = below_each_other([self._move(each) for each in self._waiting])
        if not label and self.found and self.found[-1].dealt is not None and not self.found[-1].moves:
            self.found[-1].moves = moves
        else:
            self.found.append(MoveLine(label, moves))

    def _is_turn(self) -> bool:
        decisions = [event for each in self._waiting if (event := self.events[each])["event"] in self.game.decisions]
        return len(decisions) == len(self.seats) and all(event["event"] in self.game.turns for event in decisions)

    def _trick(self, label: str, ply: int) -> None:
        outcome = self.events[ply]
        plays = [each for each in self._waiting if self.events[each]["event"] == "play"]
        winning = [each for each in plays if self.events[each]["seat"] == outcome["winner"]]
        moves = [self._move(each, leads=plays[:1] == [each], wins=each in winning) for each in self._waiting]
        self._close_with(label, moves, outcome["winner"], outcome.get("points"), ply)

    def _rejected(self, ply: int) -> None:
        """A challenge that ended the hand, with the point that it was worth as what came of it."""
        points = self.events[ply]["hand"]
        moves = [self._move(each) for each in self._waiting]
        if any(points):
            self._close_with("Challenge", moves, points.index(max(points)), max(points), ply)
        else:
            self.found.append(MoveLine("Challenge", below_each_other(moves), stop=self.stop(ply)))

    def _close_with(self, label: str, moves: list[Move], winner: Seat | None, points: float | None, ply: int) -> None:
        outcome = Outcome(winner, points, "" if winner is None else self.seats[winner].letter)
        self.found.append(MoveLine(label, below_each_other(moves), outcome=outcome, stop=self.stop(ply)))

    def _move(self, ply: int, *, leads: bool = False, wins: bool = False) -> Move:
        return move(self.game, self.events, self.seats, self.stop(ply), leads=leads, wins=wins)


def moves(
    game: Game,
    events: Sequence[Event],
    heard: Sequence[int],
    this: Round,
    seats: Sequence[ReplaySeat],
    href: Href,
    at: int | None = None,
) -> MoveList:
    """The moves of one round of a game, as a view hears of them, for a reader at the ply `at`.

    `href` gives the address of a ply.
    """

    def stop(ply: int, label: str = "") -> Stop:
        return Stop(ply, href(ply), label, at)

    lines = Lines(game, events, seats, stop)
    for ply in range(this.first, this.last + 1):
        lines.add(ply)
    found = outline(game, events, this, stop)
    found.lines.extend(lines.so_far(heard))  # the game was broken off, or the hand ended by a challenge
    return found


def outline(game: Game, events: Sequence[Event], this: Round, stop: Callable[..., Stop]) -> MoveList:
    """The list of moves of a round without its lines."""
    dealt = f"{game.hand_word.capitalize()} {this.number} is dealt" if game.hand_word else "The deal"
    of = f" of {game.hand_word} {this.number}" if game.hand_word else ""
    closing = {"score": f"Score{of}", "result": "The game is over"}
    kinds = ((ply, events[ply]["event"]) for ply in range(this.first, this.last + 1))
    endings = [stop(ply, closing[kind]) for ply, kind in kinds if kind in closing]
    return MoveList(stop(this.deal, dealt), [], endings)


def move(
    game: Game,
    events: Sequence[Event],
    seats: Sequence[ReplaySeat],
    stop: Stop,
    *,
    leads: bool = False,
    wins: bool = False,
) -> Move:
    event = events[stop.ply]
    bare = event["event"] in game.decisions and not {"card", "cards"} & event.keys()
    return Move(
        event, stop, seats[event["seat"]], leads, wins, choice=" ".join(map(str, game.chosen(event))) if bare else ""
    )


def below_each_other(moves: list[Move]) -> list[Move]:
    """The moves of one line; a seat's decisions stand in its column one below the other, its faults under them."""
    rows: Counter[Seat] = Counter()
    for each in sorted(moves, key=lambda each: (each.is_fault, each.ply)):
        rows[each.seat.index] += 1
        each.row = rows[each.seat.index]
    return moves
