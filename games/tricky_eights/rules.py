"""The rules of Tricky Eights ("The Game", "Restrictions" in the Utah problem; docs/rulings.md, Tricky Eights 1 … 3).

An action is a card, 0 … 51 (games.cards), both when taking from the pool and when playing. `legal` lists cards in the
order of the pack, clubs, diamonds, hearts, spades, each from two to ace, whatever the order of the deal: the choice of
a card by its place in the list then means the same for everybody. Lists in the record stand as the bot sees them:
ten cards and the pool in the order of the deal, then the cards taken in the order of the takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.cards import BIT, EIGHT, IN_SUIT, SUIT_MASK, SUITS, mask, suit_of
from games.cards import CARDS as ALL_CARDS
from games.engine import CHANCE, OVER, Action, Event, FaultKind, Options, Remedy, Seat
from games.tricks import LED, TOP, playable_cards

SEATS = ("north", "east", "south", "west")
LETTERS = "nesw"
PACK = tuple(suit + face for suit in "cdhs" for face in "23456789tjqka")
INDEX = {name: card for card, name in enumerate(PACK)}

HAND, POOL, TRICKS = 10, 12, 13
WORTH = tuple(2 if card % 13 == EIGHT else 0 for card in ALL_CARDS)
"""What a card adds to the trick in which it is taken."""

_CLUBS, _DIAMONDS, _HEARTS, _SPADES = SUIT_MASK
_NEXT = (1, 2, 3, 0)
_NOTHING: tuple[Event, ...] = ()


def trick_worth(number: int) -> int:
    """The points of a trick itself: three for the first and the last of the thirteen, one for the others."""
    return 3 if number in (1, TRICKS) else 1


class State:
    """The rules of one game. Sets of cards are bit masks, and no step looks at more than the trick on the table."""

    __slots__ = (
        "_best",
        "_disqualifies",
        "_led",
        "_target",
        "_top",
        "_waiting",
        "_winner",
        "_worth",
        "hands",
        "number",
        "out",
        "points",
        "pool",
        "totals",
        "trick",
        "turn",
    )  # fmt: skip

    def __init__(self, options: Options) -> None:
        self.turn = CHANCE
        self.number = 0  # of the round
        self.hands = [0, 0, 0, 0]
        self.pool = 0
        self.totals = [0, 0, 0, 0]
        self.points = [0, 0, 0, 0]  # of this round
        self.trick = 0  # its number; 0 during the takes
        self.out: set[Seat] = set()
        self._target: int = options["target"]
        self._disqualifies: bool = options["disqualify"]
        self._led = 0  # the suit led as a set of cards; 0 before a card is led
        self._top = self._best = self._winner = self._worth = self._waiting = 0

    def deal(self, pack: Sequence[int]) -> Sequence[Event]:
        """The first ten cards of the pack are north's, and so on; the last twelve are the pool."""
        self.number += 1
        self.turn = dealer = (self.number - 1) % 4
        self.hands = [mask(pack[first : first + HAND]) for first in (0, 10, 20, 30)]
        self.pool = mask(pack[40:])
        self.points = [0, 0, 0, 0]
        self.trick = 0
        names = [PACK[card] for card in pack]
        hands = [names[:10], names[10:20], names[20:30], names[30:40]]
        return ({"event": "hand", "number": self.number, "dealer": dealer, "hands": hands, "pool": names[40:]},)

    def legal(self) -> Sequence[Action]:
        if self.turn < 0:
            return ()
        cards = self.pool
        if not cards:
            cards = self.hands[self.turn]
            follow = cards & self._led
            if follow:
                return IN_SUIT[follow]
        return (
            IN_SUIT[cards & _CLUBS] + IN_SUIT[cards & _DIAMONDS] + IN_SUIT[cards & _HEARTS] + IN_SUIT[cards & _SPADES]
        )

    def is_legal(self, action: Action) -> bool:
        if type(action) is not int or not 0 <= action < 52 or self.turn < 0:
            return False
        cards = self.pool
        if not cards:
            cards = self.hands[self.turn]
            cards = cards & self._led or cards
        return cards >> action & 1 == 1

    def objection(self, action: Action) -> str:
        name = PACK[action] if type(action) is int and 0 <= action < 52 else repr(action)
        if self.pool:
            return f"wanted to take {name}, which is not in the pool"
        hand = self.hands[self.turn]
        if name not in INDEX or not hand & BIT[INDEX[name]]:
            return f"wanted to play {name}, which it does not hold"
        held = IN_SUIT[hand & self._led]
        return f"played {name}, but had to follow suit: {SUITS[suit_of(held[0])]} were led and it held " + ", ".join(
            PACK[card] for card in held
        )

    def event(self, action: Action) -> Event:
        card: int = action  # type: ignore[assignment]
        return {"event": "take" if self.pool else "play", "seat": self.turn, "card": PACK[card]}

    def apply(self, action: Action) -> Sequence[Event]:
        card: int = action  # type: ignore[assignment]
        seat = self.turn
        self.turn = _NEXT[seat]
        if self.pool:  # twelve takes, three rounds: the turn comes back to the dealer, who leads
            self.pool ^= BIT[card]
            self.hands[seat] |= BIT[card]
            return _NOTHING
        self.hands[seat] ^= BIT[card]
        if not self._led:
            self.trick += 1
            self._led = LED[card]
            self._top = TOP[card]
            self._best = card
            self._winner = seat
            self._worth = WORTH[card]
            self._waiting = 3
            return _NOTHING
        self._worth += WORTH[card]
        if self._best < card <= self._top:
            self._best = card
            self._winner = seat
        self._waiting -= 1
        if self._waiting:
            return _NOTHING
        return self._end_trick()

    def _end_trick(self) -> Sequence[Event]:
        winner = self.turn = self._winner
        worth = self._worth + trick_worth(self.trick)
        self.points[winner] += worth
        self._led = 0
        event = {"event": "trick", "winner": winner, "points": worth}
        if self.trick < TRICKS:
            return (event,)
        self.totals = [total + points for total, points in zip(self.totals, self.points, strict=True)]
        best = max(self.totals)
        self.turn = OVER if best >= self._target and self.totals.count(best) == 1 else CHANCE
        return (event, {"event": "score", "hand": self.points, "total": self.totals})

    def fault(self, kind: FaultKind) -> Remedy:
        return Remedy(disqualified=self._disqualifies)

    def disqualify(self, seat: Seat) -> None:
        """When nobody is left, the game ends with the hand in progress (docs/rulings.md, All games)."""
        self.out.add(seat)
        if len(self.out) == len(SEATS):
            self.turn = OVER

    def scores(self) -> list[int]:
        return list(self.totals)

    def result(self) -> Event:
        """The winner is the best seat that was not disqualified, nobody when two share that score."""
        fair = [seat for seat in range(4) if seat not in self.out]
        best = max((self.totals[seat] for seat in fair), default=0)
        winners = [seat for seat in fair if self.totals[seat] == best]
        return {
            "event": "result",
            "scores": list(self.totals),
            "winner": winners[0] if len(winners) == 1 else None,
        }


class View:
    """What one seat, a spectator or the open table knows: a fold over the events that it may see.

    Everything is public to read. Cards are numbers 0 … 51 here and names in `position`.
    """

    def __init__(self, seat: Seat | None) -> None:
        self.seat = seat
        self.totals = [0, 0, 0, 0]
        self.faults: list[str | None] = [None, None, None, None]
        self.result: Event | None = None
        self.number = 0  # of the round
        self.dealer = 0
        self._new_round([None, None, None, None], [])
        self.turn: Seat | None = None

    def _new_round(self, hands: list[list[int] | None], pool: list[int]) -> None:
        self.hands = hands  # in the order in which their owner saw them; None where hidden
        self.counts = [HAND if pool else 0] * 4
        self.pool = pool
        self.taken: list[list[int]] = [[], [], [], []]  # from the pool, face up
        self.played: list[list[int]] = [[], [], [], []]  # in order, this round
        self.voids: list[set[int]] = [set(), set(), set(), set()]  # suits (games.cards) not followed this round
        self.leader: Seat = self.dealer
        self.turn = self.dealer if pool else None
        self.trick: list[tuple[Seat, int]] = []  # on the table, in the order of play
        self.trick_number = 0  # of the trick on the table, or of the last when there is none; 0 during the takes
        self.last: dict[str, Any] | None = None
        self.tricks = [0, 0, 0, 0]  # taken, this round
        self.points = [0, 0, 0, 0]  # this round

    @property
    def phase(self) -> str:
        if self.result is not None:
            return "over"
        if self.pool:
            return "takes"
        return "play" if any(self.counts) or self.trick else "between"

    def tell(self, event: Event) -> None:
        tell = getattr(self, f"_tell_{event['event']}", None)
        if tell is not None:  # `game` changes nothing on the table
            tell(event)

    def _tell_hand(self, event: Event) -> None:
        self.number = event["number"]
        self.dealer = event["dealer"]
        hands = [None if hand is None else [INDEX[name] for name in hand] for hand in event["hands"]]
        self._new_round(hands, [INDEX[name] for name in event["pool"]])

    def _tell_take(self, event: Event) -> None:
        seat, card = event["seat"], INDEX[event["card"]]
        self.pool.remove(card)
        self.taken[seat].append(card)
        self.counts[seat] += 1
        hand = self.hands[seat]
        if hand is not None:
            hand.append(card)
        self.turn = _NEXT[seat]
        if seat == self.leader:
            self.last = None

    def _tell_play(self, event: Event) -> None:
        seat, card = event["seat"], INDEX[event["card"]]
        if not self.trick:
            self.leader = seat
            self.trick_number += 1
        elif suit_of(card) != suit_of(self.trick[0][1]):
            self.voids[seat].add(suit_of(self.trick[0][1]))
        self.trick.append((seat, card))
        self.played[seat].append(card)
        self.counts[seat] -= 1
        hand = self.hands[seat]
        if hand is not None:
            hand.remove(card)
        self.turn = _NEXT[seat] if len(self.trick) < 4 else None

    def _tell_trick(self, event: Event) -> None:
        winner = event["winner"]
        self.tricks[winner] += 1
        self.points[winner] += event["points"]
        self.last = {
            "number": self.trick_number,
            "cards": _named(self.trick),
            "winner": winner,
            "points": event["points"],
            "why": why(self.trick_number, [card for _, card in self.trick]),
        }
        self.trick = []
        self.leader = winner
        self.turn = winner if any(self.counts) else None

    def _tell_score(self, event: Event) -> None:
        self.points = list(event["hand"])
        self.totals = list(event["total"])
        self.turn = None

    def _tell_fault(self, event: Event) -> None:
        self.faults[event["seat"]] = event["kind"]

    def _tell_result(self, event: Event) -> None:
        self.result = event
        self.turn = None

    def legal(self) -> tuple[int, ...] | None:
        """The legal cards of the seat in turn, in the order of the pack; None when its hand is hidden from here."""
        if self.turn is None:
            return None
        if self.pool:
            return tuple(sorted(self.pool))
        hand = self.hands[self.turn]
        return None if hand is None else playable_cards(mask(hand), self.trick[0][1] if self.trick else None)

    def position(self) -> dict[str, Any]:
        """The table as JSON. Cards are written as the bots see them (`"d9"`), seats are 0 … 3; per seat: four entries.

        phase         "takes", "play", "between" (rounds) or "over"
        round, trick  numbers from 1; trick is 0 during the takes, and that of the last trick when none is on the table
        dealer leader turn    seats; leader: of the trick on the table or the next one; turn: null when nobody is asked
        hands, counts per seat: its cards in the order its bot sees them (null when hidden from this view), how many
        pool          cards left, in the order of the deal
        taken         per seat: the cards it took from the pool this round, in order (public)
        current       the trick on the table in the order of play: [{"seat": 0, "card": "d9"}, …], until `trick`
        last          the last trick of this round or null: {"number", "cards" (as current), "winner", "points",
                      "why": [{"points": 3, "for": "the first trick"}, {"points": 2, "for": "the eight of clubs"}]}
        tricks points totals  per seat: tricks and points taken this round, points of the game up to the last full round
        legal         cards that the seat in turn may choose, in the order of the pack; null when hidden, or nobody is
        voids         per seat: suits it has shown that it does not hold, as letters "c" "d" "h" "s"
        played        per seat: the cards it has played this round, in order
        faults        per seat: the kind of its last fault, or null
        winner        the winner's seat when phase is "over", else null (null, too, when nobody won)
        """
        legal = self.legal()
        return {
            "phase": self.phase,
            "round": self.number,
            "trick": self.trick_number,
            "dealer": self.dealer,
            "leader": self.leader,
            "turn": self.turn,
            "hands": [None if hand is None else _names(hand) for hand in self.hands],
            "counts": list(self.counts),
            "pool": _names(self.pool),
            "taken": [_names(cards) for cards in self.taken],
            "current": _named(self.trick),
            "last": self.last,
            "tricks": list(self.tricks),
            "points": list(self.points),
            "totals": list(self.totals),
            "legal": None if legal is None else _names(legal),
            "voids": [["cdhs"[suit] for suit in sorted(suits)] for suits in self.voids],
            "played": [_names(cards) for cards in self.played],
            "faults": list(self.faults),
            "winner": self.result["winner"] if self.result else None,
        }


def why(number: int, cards: Sequence[int]) -> list[dict[str, Any]]:
    """What the points of trick `number` (from 1) are for: the trick, then its eights in the order of play."""
    which = {1: "the first trick", TRICKS: "the last trick"}.get(number, "the trick")
    eights = [{"points": WORTH[card], "for": f"the eight of {SUITS[suit_of(card)]}"} for card in cards if WORTH[card]]
    return [{"points": trick_worth(number), "for": which}, *eights]


def _names(cards: Sequence[int]) -> list[str]:
    return [PACK[card] for card in cards]


def _named(trick: Sequence[tuple[Seat, int]]) -> list[dict[str, Any]]:
    return [{"seat": seat, "card": PACK[card]} for seat, card in trick]
