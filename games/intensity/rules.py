"""The rules of Intensity (the Intensity assignment; docs/rulings.md, Intensity 1, 3, 4 and 6).

A card is its number, 10 … 49, here and in the record. A set of cards is an integer with the bits of its cards, so the
tables of games.cards hold for them as well. An action is a card or, for the discards, a tuple of three cards in
increasing order. Cards in hands and lists are in increasing order, as the bots see them.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.cards import BIT, IN_SUIT, listed, mask
from games.engine import CHANCE, OVER, Action, Event, FaultKind, Options, Remedy, Seat
from games.passes import PASSED, Passes
from games.phrases import listed as in_words

SEATS = ("position 0", "position 1", "position 2", "position 3")
FIRST, LAST = 10, 49
PACK = tuple(str(card) for card in range(FIRST, LAST + 1))

HAND, DISCARDS, ROUNDS = 10, PASSED, 10
TENS = tuple(mask(range(10 * digit, 10 * digit + 10)) for digit in range(5))
"""By first digit: its cards."""

FOLLOWS = tuple(TENS[card // 10] for card in range(LAST + 1))
"""By the first card of the round: the cards with its first digit."""

TOP = tuple(card // 10 * 10 + 9 for card in range(LAST + 1))
"""By the first card of the round: a later one takes over when `best < card <= TOP[first]`."""

_, _TEENS, _TWENTIES, CALVES, _FORTIES = TENS
BUFFALO = 47
BUFFALO_WORTH = 7
WORTH = tuple(BUFFALO_WORTH if card == BUFFALO else int(card // 10 == 3) for card in range(LAST + 1))
"""Penalty points of a card, for the player who wins the round in which it is played."""

PENALTIES = sum(WORTH)
_NEXT = (1, 2, 3, 0)
_NOTHING: tuple[Event, ...] = ()


def playable(hand: int, led: int | None, broken: bool) -> int:
    """Return the part of a hand that may be played. `led`: the first card of the round, or None. `broken`: whether a
    calf was played in an earlier round."""
    if led is not None:
        return hand & FOLLOWS[led] or hand
    return hand if broken else hand & ~CALVES or hand


class State:
    """The rules of one game: one hand, with discards, played to its end."""

    __slots__ = (
        "_best",
        "_fine",
        "_follow",
        "_given",
        "_leader",
        "_led",
        "_top",
        "_winner",
        "_worth",
        "broken",
        "discarding",
        "fines",
        "hands",
        "out",
        "points",
        "rounds",
        "turn",
    )  # fmt: skip

    def __init__(self, options: Options) -> None:
        self.turn = CHANCE
        self.hands = [0, 0, 0, 0]
        self.discarding = True
        self.points = [0, 0, 0, 0]  # of the rounds won
        self.fines = [0, 0, 0, 0]
        self.rounds = 0  # that are over
        self.broken = False  # whether a calf was played in an earlier round
        self.out: set[Seat] = set()
        self._fine: int = options["fine"]
        self._given: list[int] = []  # the discards chosen so far, by seat
        self._led: int | None = None  # the first card of the round in progress
        self._follow = 0  # the cards that follow it
        self._top = self._best = self._winner = self._worth = self._leader = 0

    def deal(self, pack: Sequence[int]) -> Sequence[Event]:
        """Deal the first ten cards of the pack to position 0, and so on."""
        cards = [FIRST + index for index in pack]
        hands = [sorted(cards[first : first + HAND]) for first in (0, 10, 20, 30)]
        self.hands = [mask(hand) for hand in hands]
        self.turn = 0
        return ({"event": "hand", "number": 1, "hands": hands},)

    def legal(self) -> Sequence[Action]:
        cards = self.hands[self.turn]  # empty when it is nobody's turn: before the deal, and at the end
        follow = cards & self._follow
        if follow:
            return IN_SUIT[follow]
        if not (self._follow or self.broken or self.discarding):
            cards = cards & ~CALVES or cards
        choices = (
            IN_SUIT[cards & _TEENS] + IN_SUIT[cards & _TWENTIES] + IN_SUIT[cards & CALVES] + IN_SUIT[cards & _FORTIES]
        )
        return Passes(choices) if self.discarding else choices

    def is_legal(self, action: Action) -> bool:
        if self.turn < 0:
            return False
        hand = self.hands[self.turn]
        if self.discarding:
            return (
                type(action) is tuple
                and len(action) == DISCARDS
                and all(_holds(hand, card) for card in action)
                and action[0] < action[1] < action[2]
            )
        return _holds(hand, action) and playable(hand, self._led, self.broken) >> action & 1 == 1  # type: ignore[operator]

    def objection(self, action: Action) -> str:
        if self.discarding:
            return discards_objection(self.hands[self.turn], action)
        return card_objection(self.hands[self.turn], self._led, self.broken, action)

    def event(self, action: Action) -> Event:
        if self.discarding:
            cards: tuple[int, ...] = action  # type: ignore[assignment]
            return {"event": "pass", "seat": self.turn, "to": _NEXT[self.turn], "cards": list(cards)}
        return {"event": "play", "seat": self.turn, "card": action}

    def apply(self, action: Action) -> Sequence[Event]:
        card: int = action  # type: ignore[assignment]
        seat = self.turn
        if self._follow:
            self.hands[seat] ^= BIT[card]
            self._worth += WORTH[card]
            if self._best < card <= self._top:
                self._best = card
                self._winner = seat
            seat = _NEXT[seat]
            if seat == self._leader:
                return self._end_round()
            self.turn = seat
            return _NOTHING
        if self.discarding:
            return self._discard(action)  # type: ignore[arg-type]
        self.hands[seat] ^= BIT[card]
        self._follow = FOLLOWS[card]
        self._top = TOP[card]
        self._led = self._best = card
        self._leader = self._winner = seat
        self._worth = WORTH[card]
        self.turn = _NEXT[seat]
        return _NOTHING

    def _discard(self, cards: tuple[int, int, int]) -> Sequence[Event]:
        first, second, third = cards
        self._given.append(BIT[first] | BIT[second] | BIT[third])
        self.turn += 1
        if self.turn == 4:  # everybody has chosen
            given = self._given
            self.hands = [hand ^ given[seat] | given[seat - 1] for seat, hand in enumerate(self.hands)]
            self.discarding = False
            self.turn = 0
        return _NOTHING

    def _end_round(self) -> Sequence[Event]:
        winner = self.turn = self._winner
        worth = self._worth
        self.points[winner] += worth
        self.rounds += 1
        self._led, self._follow = None, 0
        if worth % BUFFALO_WORTH:  # it had a calf: there are at most four
            self.broken = True
        trick = {"event": "trick", "winner": winner, "points": worth}
        if self.rounds < ROUNDS:
            return (trick,)
        self.turn = OVER
        scores = self.scores()
        return (trick, {"event": "score", "hand": scores, "total": list(scores)})

    def fault(self, kind: FaultKind) -> Remedy:
        """Charge five points for every fault, and let the referee choose for the bot (docs/rulings.md, Intensity 4)."""
        self.fines[self.turn] += self._fine
        return Remedy(points=self._fine)

    def disqualify(self, seat: Seat) -> None:
        self.out.add(seat)

    def scores(self) -> list[int]:
        return [points + fine for points, fine in zip(self.points, self.fines, strict=True)]

    def result(self) -> Event:
        """The winner has the fewest points. Nobody wins when two share them."""
        scores = self.scores()
        fair = [scores[seat] for seat in range(4) if seat not in self.out]
        winners = [seat for seat in range(4) if seat not in self.out and scores[seat] == min(fair)]
        return {"event": "result", "scores": scores, "winner": winners[0] if len(winners) == 1 else None}


def _holds(hand: int, card: object) -> bool:
    return type(card) is int and FIRST <= card <= LAST and hand >> card & 1 == 1


def discards_objection(hand: int, action: Action) -> str:
    """Say why these cards of that hand cannot be discarded, in words that follow a name."""
    cards = action if isinstance(action, tuple) else (action,)
    chosen = f"discarded {in_words(list(map(str, cards)))}"
    for card in cards:
        if not _holds(hand, card):
            return (
                f"{chosen}, but {card} is not a card" if not _is_card(card) else f"{chosen}, but does not hold {card}"
            )
        if cards.count(card) > 1:
            return f"{chosen}, but each card can be discarded only once"
    return f"{chosen}, but three cards are due"


def card_objection(hand: int, led: int | None, broken: bool, card: Action) -> str:
    """Say why this card cannot be played from that hand (`led`, `broken` as in `playable`), in words that follow a
    name."""
    if not _is_card(card):
        return f"played {card}, which is not a card: they are numbered {FIRST} to {LAST}"
    if not _holds(hand, card):
        return f"played {card}, which it does not hold"
    held = in_words(list(map(str, listed(playable(hand, led, broken)))))
    if led is None:
        return f"led {card}, a calf, but no calf was played in an earlier round and it held {held}"
    return f"played {card}, but had to play a card with first digit {led // 10}: it held {held}"


def _is_card(card: object) -> bool:
    return type(card) is int and FIRST <= card <= LAST
