"""The rules of Barracuda ("Rules and Specification" in the Barracuda rules; docs/rulings.md, Barracuda 1 … 5).

An action is a card to play, an integer 1 … 13, or one of the words CHALLENGE, ACCEPT and REJECT. `legal` lists cards
from high to low as the bot sees its hand, each rank once, and then the challenge if one may be offered.

A card of the pack is an index 0 … 103: two packs of 52, of which only the rank counts. A hand uses ten cards, the first
five for seat 0. The record lists them from high to low.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from games.engine import CHANCE, OVER, Action, Event, FaultKind, Options, Remedy, Seat

SEATS = ("left", "right")
RANKS = 13
COPIES = 8
"""Cards of each rank in the pack of 104."""

PACK = tuple(str(1 + card % RANKS) for card in range(RANKS * COPIES))
HAND = 5
DEALT = 2 * HAND
HANDS = len(PACK) // DEALT
"""Hands from one shuffle: ten. Four cards are left over."""

CHALLENGE, ACCEPT, REJECT = "challenge", "accept", "reject"
ANSWERS = (ACCEPT, REJECT)

_NOTHING: tuple[Event, ...] = ()

# Counts of cards are one number, with five bits for each rank.
_BITS = 5
_ONE = tuple(1 << _BITS * rank for rank in range(RANKS + 1))
"""By rank: one card of it."""
_one = list(_ONE).__getitem__  # lists cost half of what tuples do
_rank = [1 + card % RANKS for card in range(len(PACK))].__getitem__
"""By index in the pack."""

_FIELD = (1 << _BITS) - 1
_TOP = sum(_ONE) << _BITS - 1
"""The highest bit of every rank."""


def _carry(least: int) -> int:
    """Added to the counts, so `_TOP` shows which ranks have at least that many cards."""
    return sum(_ONE) * ((1 << _BITS - 1) - least)


_TO_HELD, _TO_TOO_MANY = _carry(1), _carry(COPIES + 1)


class _Choices(dict[int, tuple[Action, ...]]):
    """By `_TOP` of the ranks held: these ranks from high to low, and then what else may be done. Each entry is made
    when it is first asked for (at most 2,380)."""

    def __init__(self, *others: Action) -> None:
        super().__init__({0: others})

    def __missing__(self, held: int) -> tuple[Action, ...]:
        rank = held.bit_length() // _BITS - 1
        found = self[held] = (rank, *self[held ^ _ONE[rank] << _BITS - 1])
        return found


_PLAYS = _Choices()
_PLAYS_OR_CHALLENGE = _Choices(CHALLENGE)


class State:
    """The rules of one game."""

    __slots__ = (
        "_hands",
        "_target",
        "_used",
        "accepted",
        "challenger",
        "first",
        "lead",
        "number",
        "offered",
        "out",
        "points",
        "table",
        "tricks",
        "turn",
        "winner",
    )  # fmt: skip

    def __init__(self, options: Options, leader: Seat) -> None:
        self.turn = CHANCE
        self.number = 0  # of the hand
        self.first = leader  # who leads the hand, or the next one between hands
        self.lead = leader  # who leads the trick
        self._hands = [0, 0]
        self.table = 0  # the card led to the trick, or 0
        self.tricks = [0, 0]
        self.points = [0, 0]
        self.challenger: Seat | None = None  # who offered the only challenge of the hand
        self.offered = False  # whether the seat in turn must answer it
        self.accepted = False
        self.winner: Seat | None = None
        self.out: set[Seat] = set()
        self._target: int = options["target"]
        self._used = 0  # the cards dealt since the last shuffle

    def deal(self, pack: Sequence[int]) -> Sequence[Event]:
        cards = list(map(_rank, pack[:DEALT]))
        left, right = sorted(cards[:HAND], reverse=True), sorted(cards[HAND:], reverse=True)
        held = [sum(map(_one, left)), sum(map(_one, right))]
        used = held[0] + held[1]
        if self.number % HANDS:
            used += self._used
        if len(cards) < DEALT or used + _TO_TOO_MANY & _TOP:
            raise ValueError("these cards are not in the pack any more")
        self._used = used
        self.number += 1
        self.turn = self.lead = self.first
        self._hands = held
        self.tricks = [0, 0]
        self.challenger, self.accepted = None, False
        return ({"event": "hand", "number": self.number, "leader": self.first, "hands": [left, right]},)

    @property
    def hands(self) -> list[list[int]]:
        """Return the ranks from high to low."""
        ranks = range(RANKS, 0, -1)
        return [[rank for rank in ranks for _ in range(hand >> _BITS * rank & _FIELD)] for hand in self._hands]

    def legal(self) -> Sequence[Action]:
        if self.turn < 0:
            return ()
        if self.offered:
            return ANSWERS
        held = self._hands[self.turn] + _TO_HELD & _TOP
        return _PLAYS_OR_CHALLENGE[held] if self.challenger is None else _PLAYS[held]

    def is_legal(self, action: Action) -> bool:
        if self.turn < 0:
            return False
        if self.offered:
            return action in ANSWERS
        if type(action) is int:
            return 0 < action <= RANKS and self._hands[self.turn] & _ONE[action] * _FIELD != 0
        return action == CHALLENGE and self.challenger is None

    def objection(self, action: Action) -> str:
        if self.offered:
            doing = f"played {action}" if type(action) is int else "offered a challenge"
            return f"{doing}, but had to accept or reject the challenge"
        if action in ANSWERS:
            return f"wanted to {action} a challenge, but none was offered to it"
        if action == CHALLENGE:
            return "offered a challenge, but one had been offered in this hand"
        return f"wanted to play {action!r}, which it does not hold"

    def event(self, action: Action) -> Event:
        if type(action) is int:
            return {"event": "play", "seat": self.turn, "card": action}
        return {"event": action, "seat": self.turn}

    def apply(self, action: Action) -> Sequence[Event]:
        if type(action) is not int:
            return self._challenge(action)
        seat = self.turn
        self._hands[seat] -= _ONE[action]
        led = self.table
        if not led:
            self.table = action
            self.turn = 1 - seat
            return _NOTHING
        self.table = 0
        if action == led:
            return self._end_trick(None)
        return self._end_trick(seat if action > led else 1 - seat)

    def _challenge(self, action: Action) -> Sequence[Event]:
        if action == CHALLENGE:
            self.challenger = self.turn
            self.turn = 1 - self.turn
            self.offered = True
            return _NOTHING
        assert self.challenger is not None
        self.offered = False
        if action == ACCEPT:
            self.accepted = True
            self.turn = self.challenger
            return _NOTHING
        self.table = 0
        return (self._score(self.challenger),)

    def _end_trick(self, winner: Seat | None) -> Sequence[Event]:
        """A tied trick leaves the lead where it was."""
        if winner is not None:
            self.tricks[winner] += 1
            self.lead = winner
        self.turn = self.lead
        event: Event = {"event": "trick", "winner": winner, "points": 0 if winner is None else 1}
        return (event,) if self._hands[0] else (event, self._end_hand())

    def _end_hand(self) -> Event:
        mine, theirs = self.tricks
        best = None if mine == theirs else int(mine < theirs)
        return self._decide(best) if self.accepted else self._score(best)

    def _decide(self, winner: Seat | None) -> Event:
        """The winner of an accepted challenge wins the game. When it is tied, the hand counts for nothing."""
        if winner is not None:
            self.winner = winner
        self.turn = CHANCE if winner is None else OVER
        return {"event": "score", "hand": [0, 0], "total": list(self.points)}

    def _score(self, winner: Seat | None) -> Event:
        hand = [0, 0]
        if winner is not None:
            hand[winner] = 1
            self.points[winner] += 1
            self.first = winner
            if self.points[winner] >= self._target:
                self.winner = winner
        self.turn = CHANCE if self.winner is None else OVER
        return {"event": "score", "hand": hand, "total": list(self.points)}

    def fault(self, kind: FaultKind) -> Remedy:
        """A bot that does not answer a challenge rejects it. One that does not play a card loses the trick and its best
        card."""
        if self.offered:
            rejection: Event = {**self.event(REJECT), "by": "referee"}
            return Remedy(settled=True, events=(rejection, *self.apply(REJECT)))
        seat, other = self.turn, 1 - self.turn
        if self.table:  # the card on the table goes back first
            self._hands[other] += _ONE[self.table]
            self.table = 0
        hands = self.hands
        lost, others = hands[seat][0], hands[other][-1]
        self._hands[seat] -= _ONE[lost]
        self._hands[other] -= _ONE[others]
        forfeit: Event = {"event": "forfeit", "seat": seat, "lost": lost, "other": others}
        return Remedy(settled=True, events=(forfeit, *self._end_trick(other)))

    def disqualify(self, seat: Seat) -> None:
        """Mark a seat as disqualified, which no fault does here. With nobody left, the game ends within the hand
        (docs/rulings.md, All games)."""
        self.out.add(seat)
        if len(self.out) == len(SEATS):
            self.turn, self.winner = OVER, None

    def scores(self) -> list[int]:
        return list(self.points)

    def result(self) -> Event:
        winner = None if self.winner in self.out else self.winner
        return {"event": "result", "scores": list(self.points), "winner": winner}


def packed(event: Event) -> Sequence[int]:
    """Invert `State.deal`: the ten cards first, then the rest of the pack. Raises ValueError."""
    hands = event["hands"]
    if len(hands) != len(SEATS) or any(len(hand) != HAND for hand in hands):
        raise ValueError("there must be two hands of five cards")
    copies: Counter[int] = Counter()
    dealt = []
    for hand in hands:
        if hand != sorted(hand, reverse=True):
            raise ValueError("a hand stands from high to low")
        for card in hand:
            if type(card) is not int or not 1 <= card <= RANKS or copies[card] == COPIES:
                raise ValueError(f"{card!r} is not a card of the pack")
            dealt.append(card - 1 + RANKS * copies[card])
            copies[card] += 1
    taken = frozenset(dealt)
    return [*dealt, *(card for card in range(len(PACK)) if card not in taken)]


def action(event: Event) -> Action:
    """Invert `State.event`. Raises ValueError."""
    kind = event["event"]
    if kind in (CHALLENGE, *ANSWERS):
        return str(kind)
    card = event.get("card")
    if kind != "play" or type(card) is not int:
        raise ValueError(f"{card!r} is not a card")
    return card
