"""The rules of Even Steven (docs/rulings.md, Even Steven 1 … 3 and 6).

A card is an index 0 … 51: four times its rank (two … ace, from 0) plus its suit (clubs, diamonds, hearts, spades). That
is its place in the pack before the shuffle. An action is a card of the hand. `legal` lists the cards in the order in
which the bot was dealt them. Whether a card covers the one on the table is up to the bot.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from games.engine import CHANCE, OVER, Action, Event, FaultKind, Opening, Remedy, Seat

SEATS = ("player",)
VALUES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
PACK = tuple(value + suit for value in VALUES for suit in "cdhs")
INDEX = {name: card for card, name in enumerate(PACK)}
_name = list(PACK).__getitem__  # a list costs half of what a tuple does

MOST = 13
"""The most cards in a hand, and the default for a game whose opening does not say."""

MODULUS = 2147483647
"""Seeds are greater than 0 and less than this."""

WIN, NECESSARILY, UNNECESSARILY = "win", "lose necessarily", "lose unnecessarily"
INCORRECT, CRASHED = "incorrect output", "program crashed"

AFTER_FAULT = dict.fromkeys(FaultKind, CRASHED) | {
    FaultKind.ILLEGAL: INCORRECT,
    FaultKind.GARBLED: INCORRECT,
    FaultKind.OUTPUT: INCORRECT,
}
"""The verdict on a bot that made a fault: it wrote something wrong, or failed to write ("Scoring" in the problem)."""

_NOTHING: tuple[Event, ...] = ()


_ORDERED = list(range(len(PACK)))
_STEPS = tuple(tuple(zip(range(2 * cards), range(52, 0, -1), strict=False)) for cards in range(MOST + 1))
"""By the cards of a hand: for each place to be drawn, how many cards there are to choose from."""


def shuffled(seed: int, cards: int = MOST) -> list[int]:
    """Return the pack of a seed for a game of that many cards: a hand, and as many to cover (docs/rulings.md, Even
    Steven 2).

    Cards that are never dealt are in no particular order.
    """
    pack = _ORDERED.copy()
    word = seed
    for place, choices in _STEPS[cards]:
        word = 16807 * word % 2147483647
        other = place + word % choices
        pack[place], pack[other] = pack[other], pack[place]
    return pack


class Deal:
    """What a pack deals in a game of that many cards. Not to be changed: `deal_of` caches it."""

    __slots__ = ("hand", "hand_names", "pack", "stock", "stock_names")

    def __init__(self, pack: Sequence[int], cards: int) -> None:
        self.pack = pack
        self.hand, self.stock = pack[:cards], pack[cards : 2 * cards]
        self.hand_names, self.stock_names = list(map(_name, self.hand)), list(map(_name, self.stock))


@lru_cache(maxsize=1000)
def deal_of(seed: int, cards: int) -> Deal:
    """Return what a game's own seed deals. Cached, since every entry is judged on the same games."""
    return Deal(shuffled(seed, cards), cards)


def suit_major(card: int) -> int:
    """Return the card as games.cards numbers it: by suit, then by rank."""
    return 13 * (card % 4) + card // 4


def covers(card: int, dealt: int) -> bool:
    """Whether a card of the hand covers that dealt card: its value is not less. Suits do not count."""
    return card | 3 >= dealt


def winnable(hand: Sequence[int], dealt: Sequence[int]) -> bool:
    """Whether these cards can cover as many dealt ones, in whatever order those come.

    If they can at all, then the highest covers the highest, the second the second, and so on.
    """
    return all(map(covers, sorted(hand), sorted(dealt)))


_NO_DEAL = Deal((), 0)


class State:
    """One game. `stock` has N cards to cover, of which `deals` were dealt. The last of these is the open card.

    Raises ValueError for an opening that no dealer would accept.
    """

    __slots__ = ("_deal", "_seed", "_size", "deals", "hand", "stock", "turn", "verdict")

    def __init__(self, opening: Opening) -> None:
        size, seed = opening.get("cards", MOST), opening.get("seed")
        if type(size) is not int or not 0 < size <= MOST:
            raise ValueError(f"a hand has 1 to {MOST} cards, not {size}")
        if seed is not None and (type(seed) is not int or not 0 < seed < MODULUS):
            raise ValueError(f"a seed is greater than 0 and less than {MODULUS}, and {seed} is not")
        self.turn = CHANCE
        self.hand: list[int] = []
        self.stock: Sequence[int] = ()
        self.deals = 0
        self.verdict = ""  # of a game that was won or broken off
        self._deal = _NO_DEAL
        self._size: int = size
        self._seed: int | None = seed

    def deal(self, pack: Sequence[int]) -> Sequence[Event]:
        """Deal the next card. Raises ValueError when these are not the cards of the game's own seed."""
        size, seed = self._size, self._seed
        deal = Deal(pack, size) if seed is None else deal_of(seed, size)
        if pack is not deal.pack and list(pack[: 2 * size]) != deal.pack[: 2 * size]:
            raise ValueError(f"seed {seed} deals other cards")
        self._deal = deal
        self.hand = [*deal.hand]
        self.stock = deal.stock
        self.deals = 1
        self.turn = 0
        stock = deal.stock_names
        return (
            {"event": "hand", "number": 1, "hands": [[*deal.hand_names]], "stock": [*stock]},
            {"event": "deal", "card": stock[0]},
        )

    def legal(self) -> Sequence[Action]:
        return () if self.turn else tuple(self.hand)

    def is_legal(self, action: Action) -> bool:
        return type(action) is int and not self.turn and action in self.hand

    def objection(self, action: Action) -> str:
        name = PACK[action] if type(action) is int and 0 <= action < 52 else repr(action)
        if action in self._deal.hand:
            return f"played {name}, which it had played before"
        return f"played {name}, which was not in its hand"

    def event(self, action: Action) -> Event:
        card: int = action  # type: ignore[assignment]
        return {"event": "play", "seat": 0, "card": PACK[card]}

    def apply(self, action: Action) -> Sequence[Event]:
        card: int = action  # type: ignore[assignment]
        hand, deals, stock = self.hand, self.deals, self.stock
        hand.remove(card)
        if card | 3 < stock[deals - 1]:
            self.turn = OVER
            return _NOTHING
        if not hand:
            self.verdict = WIN
            self.turn = OVER
            return _NOTHING
        self.deals = deals + 1
        return ({"event": "deal", "card": PACK[stock[deals]]},)

    def fault(self, kind: FaultKind) -> Remedy:
        """The dealer stops: this game and all later ones are not played."""
        self.verdict = AFTER_FAULT[kind]
        self.turn = OVER
        return Remedy(settled=True)

    def disqualify(self, seat: Seat) -> None:
        """End the game as lost. No rule does this, but the organisers may."""
        self.turn = OVER

    def scores(self) -> list[int]:
        return [int(self.verdict == WIN)]

    def result(self) -> Event:
        """The score is 1 for a game that was won."""
        won = self.verdict == WIN
        verdict = self.verdict or (UNNECESSARILY if winnable(self._deal.hand, self.stock) else NECESSARILY)
        return {"event": "result", "scores": [int(won)], "winner": 0 if won else None, "verdict": verdict}


class View:
    """What the player, a spectator (without the hand) or the open table knows. Cards are numbers here."""

    def __init__(self, seat: Seat | None) -> None:
        self.number = 0  # of the game in its match; 0 where it is not known
        self.size = 0  # cards of the hand as it was dealt; 0 where that is hidden
        self.dealt_hand: list[int] | None = None
        self.hand: list[int] | None = None
        self.stock: list[int] | None = None  # all cards to cover, including those already dealt
        self.dealt: list[int] = []
        self.plays: list[int] = []
        self.fault: str | None = None
        self.verdict = ""

    @property
    def open(self) -> int | None:
        """The open card, which waits to be covered."""
        return self.dealt[-1] if len(self.dealt) > len(self.plays) and not self.verdict else None

    def tell(self, event: Event) -> None:
        getattr(self, f"_tell_{event['event']}")(event)

    def _tell_game(self, event: Event) -> None:
        self.number = event["number"]
        self.size = event.get("cards", 0)

    def _tell_hand(self, event: Event) -> None:
        hand = event["hands"][0]
        if hand is not None:
            self.dealt_hand = _cards(hand)
            self.hand = _cards(hand)
            self.size = len(hand)
        if "stock" in event:
            self.stock = _cards(event["stock"])

    def _tell_deal(self, event: Event) -> None:
        self.dealt.append(INDEX[event["card"]])

    def _tell_play(self, event: Event) -> None:
        card = INDEX[event["card"]]
        self.plays.append(card)
        if self.hand is not None:
            self.hand.remove(card)

    def _tell_fault(self, event: Event) -> None:
        self.fault = event["kind"]

    def _tell_result(self, event: Event) -> None:
        self.verdict = event.get("verdict", "lose")  # the player itself is not told whether it had to lose

    def mistake(self) -> int | None:
        """The index of the first play that lost a winnable game. None: there is none, or nobody can tell."""
        if self.dealt_hand is None or self.stock is None or not winnable(self.dealt_hand, self.stock):
            return None
        hand = list(self.dealt_hand)
        for number, (card, dealt) in enumerate(zip(self.plays, self.stock, strict=False)):
            hand.remove(card)
            if not covers(card, dealt) or not winnable(hand, self.stock[number + 1 :]):
                return number
        return None

    def position(self) -> dict[str, Any]:
        """The table as JSON. Cards are written as the bots see them (`"10c"`).

        phase    "deal" (before the hand), "play" or "over"
        turn     0 while a card must be covered, else null
        number   of the game in its match, 0 where this view has not been told
        size     how many cards were dealt, and must be covered
        hands    [the cards left in the order of the deal], or [null] where hidden from this view
        counts   [how many cards are left]
        coming   how many cards are still to be dealt
        dealt    the cards dealt so far: [{"card": "8c", "cover": "Jc", "covered": true}, …]; cover and covered are null
                 while the player is asked, and when it never answered
        open     the card that waits to be covered, or null
        stock    the cards still to be dealt; null where hidden
        legal    cards that may be played (all that are left), in the order of the deal; null: hidden, or nobody asked
        covering those of them that cover the open card; null likewise
        mistake  the index in `dealt` of the first play that lost a winnable game; null: none, or this view cannot know
        faults   [the kind of fault that ended the game, or null]
        verdict  of docs/record.md; to the player itself "win" or "lose"; "" while it is played
        winner   0 when the game is won, else null
        """
        hand, card = self.hand, self.open
        asked = hand is not None and card is not None
        covering = [each for each in hand or () if card is not None and covers(each, card)]
        plays = [*self.plays, *[None] * (len(self.dealt) - len(self.plays))]
        return {
            "phase": "over" if self.verdict else "play" if self.dealt else "deal",
            "turn": None if card is None else 0,
            "number": self.number,
            "size": self.size,
            "hands": [None if hand is None else _names(hand)],
            "counts": [max(0, self.size - len(self.plays))],
            "coming": max(0, self.size - len(self.dealt)),
            "dealt": [
                {
                    "card": PACK[dealt],
                    "cover": None if play is None else PACK[play],
                    "covered": None if play is None else covers(play, dealt),
                }
                for dealt, play in zip(self.dealt, plays, strict=True)
            ],
            "open": None if card is None else PACK[card],
            "stock": None if self.stock is None else _names(self.stock[len(self.dealt) :]),
            "legal": _names(hand or ()) if asked else None,
            "covering": _names(covering) if asked else None,
            "mistake": self.mistake(),
            "faults": [self.fault],
            "verdict": self.verdict,
            "winner": 0 if self.verdict == WIN else None,
        }


def _cards(names: Sequence[str]) -> list[int]:
    return [INDEX[name] for name in names]


def _names(cards: Sequence[int]) -> list[str]:
    return [PACK[card] for card in cards]
