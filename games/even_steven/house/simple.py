"""House players, from the weakest to the strongest. Each plays by a rule that somebody might think of.

When nothing in their hand covers the open card, the game is lost, and all of them play any card.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.engine import Action, Event, Options, Seat
from games.even_steven.rules import INDEX, covers

LOOKS = 2
"""How many cards the drowsy one looks at."""

ACES = INDEX["Ac"]
"""The lowest of the four."""

KIND = INDEX["6c"]
"""The cards of four values."""


class RandomPlayer:
    """Plays any card of its hand."""

    def __init__(self, seat: Seat, options: Options, random: Random) -> None:
        self.random = random
        self.open = 0  # the open card

    def tell(self, event: Event) -> None:
        if event["event"] == "deal":
            self.open = INDEX[event["card"]]

    def choose(self, legal: Sequence[Action]) -> Action:
        hand: list[int] = list(legal)  # type: ignore[arg-type]
        return self.play(hand)

    def play(self, hand: list[int]) -> int:
        return self.random.choice(hand)


class Drowsy(RandomPlayer):
    """Looks at two of its cards, and plays one that covers if it sees one."""

    def play(self, hand: list[int]) -> int:
        seen = self.random.sample(hand, min(LOOKS, len(hand)))
        return self.random.choice([card for card in seen if covers(card, self.open)] or seen)


class Careless(RandomPlayer):
    """Plays any card that covers."""

    def play(self, hand: list[int]) -> int:
        return self.random.choice([card for card in hand if covers(card, self.open)] or hand)


class Hoarder(RandomPlayer):
    """Plays any card that covers, but parts with an ace only when it must."""

    def play(self, hand: list[int]) -> int:
        covering = [card for card in hand if covers(card, self.open)]
        return self.random.choice([card for card in covering if card < ACES] or covering or hand)


class Wary(RandomPlayer):
    """Plays the lowest card that is higher. It does not trust equal ones while it has another."""

    def play(self, hand: list[int]) -> int:
        higher = [card for card in hand if card > self.open | 3]
        return min(higher or [card for card in hand if covers(card, self.open)] or hand)


class Sorter(RandomPlayer):
    """Plays any card of the lowest kind that covers: twos to fives, sixes to nines, tens to kings, or aces."""

    def play(self, hand: list[int]) -> int:
        covering = [card for card in hand if covers(card, self.open)] or hand
        kind = min(covering) // KIND
        return self.random.choice([card for card in covering if card // KIND == kind])


class Thrifty(RandomPlayer):
    """Plays the lowest card that covers, and so wins every game that can be won.

    Proof: suppose a plan covers the rest, and the open card d with h'. Let h be the lowest card that covers d. Whatever
    h covers in that plan, h' covers as well, because it is as high or higher; and h covers d. Exchange the two, and a
    plan remains after h is played on d.
    """

    def play(self, hand: list[int]) -> int:
        return min([card for card in hand if covers(card, self.open)] or hand)
