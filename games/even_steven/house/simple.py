"""Each plays by a rule that somebody might think of, from the weakest to the strongest.

All of them play any card once nothing they hold covers the open one: the game is lost then.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.engine import Action, Event, Options, Seat
from games.even_steven.rules import INDEX, covers


class RandomPlayer:
    """Plays any card of its hand."""

    def __init__(self, seat: Seat, options: Options, random: Random) -> None:
        self.random = random
        self.open = 0  # the card to be covered

    def tell(self, event: Event) -> None:
        if event["event"] == "deal":
            self.open = INDEX[event["card"]]

    def choose(self, legal: Sequence[Action]) -> Action:
        hand: list[int] = list(legal)  # type: ignore[arg-type]
        return self.play(hand)

    def play(self, hand: list[int]) -> int:
        return self.random.choice(hand)


class Careless(RandomPlayer):
    """Any card that covers."""

    def play(self, hand: list[int]) -> int:
        return self.random.choice([card for card in hand if covers(card, self.open)] or hand)


class Wary(RandomPlayer):
    """The lowest card that is higher. It does not trust in equal ones while it has another."""

    def play(self, hand: list[int]) -> int:
        higher = [card for card in hand if card > self.open | 3]
        return min(higher or [card for card in hand if covers(card, self.open)] or hand)


class Thrifty(RandomPlayer):
    """The lowest card that covers. It wins every game that can be won.

    Proof: suppose the rest can still be covered, the open card d by h', and let h be the lowest card that covers d.
    Whatever h covers in that plan, h' is as high or higher and covers it, too; and h covers d. Exchange them: a plan
    is left after h is played on d.
    """

    def play(self, hand: list[int]) -> int:
        return min([card for card in hand if covers(card, self.open)] or hand)
