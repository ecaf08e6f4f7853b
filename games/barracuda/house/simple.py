"""House players that do not count: the test bot, grabber, offhand, careful, and bold."""

from __future__ import annotations

from collections.abc import Sequence

from games.barracuda.house.table import Table
from games.barracuda.rules import ACCEPT, CHALLENGE, REJECT
from games.engine import Action, Seat
from games.table_player import TablePlayer

AVERAGE = 7
"""The mean of all cards."""

NOTICED = 2
"""How many cards that would win a trick the offhand one looks at."""


class Thinker(TablePlayer[Table]):
    """A player with a table. It answers a challenge, offers one, or plays a card."""

    def new_table(self, seat: Seat) -> Table:
        return Table(seat)

    def choose(self, legal: Sequence[Action]) -> Action:
        if ACCEPT in legal:
            return ACCEPT if self.accepts() else REJECT
        if CHALLENGE in legal and self.challenges():
            return CHALLENGE
        return self.play(self.table.hand)

    def accepts(self) -> bool:
        """Accept when the hand that it was dealt is better than most."""
        return sum(self.table.dealt) > AVERAGE * len(self.table.dealt)

    def challenges(self) -> bool:
        return False

    def play(self, hand: Sequence[int]) -> int:
        """Return a card of the hand, which goes from high to low."""
        raise NotImplementedError


class TestBot(Thinker):
    """The opponent at the test port ("Test Bot" in the Barracuda rules): very stupid, and it never challenges."""

    __test__ = False  # not a test of ours

    def play(self, hand: Sequence[int]) -> int:
        return self.random.choice(hand)


class Grabber(Thinker):
    """Wins every trick that it can, with any card that does, and leads any card."""

    def play(self, hand: Sequence[int]) -> int:
        led = self.table.answering
        return self.win([card for card in hand if led is not None and card > led]) or self.random.choice(hand)

    def win(self, cards: Sequence[int]) -> int:
        """Return one of the cards that win, or 0 when there are none."""
        return self.random.choice(cards) if cards else 0


class Offhand(Grabber):
    """Wins tricks with the cheaper of two cards that it notices."""

    def win(self, cards: Sequence[int]) -> int:
        return min(self.random.sample(cards, min(NOTICED, len(cards))), default=0)


class Careful(Thinker):
    """Plays its cards sensibly, and leaves challenges to others."""

    def play(self, hand: Sequence[int]) -> int:
        """Answer with the cheapest card that wins, otherwise with the lowest. Lead from the middle."""
        led = self.table.answering
        if led is None:
            return hand[len(hand) // 2]
        return min((card for card in hand if card > led), default=hand[-1])


class Bold(Careful):
    """Challenges with good hands, and accepts with hands that are not bad."""

    OFFER, ACCEPT = 2.5, 1.5
    """How far the mean of its cards must be above the average, to offer a challenge and to accept one."""
    TRICK = 1.5
    """What each trick that it is ahead adds to that mean."""

    def strength(self) -> float:
        table = self.table
        cards = [*table.hand, *([table.led] if table.led is not None and table.leader == table.seat else [])]
        return sum(cards) / len(cards) - AVERAGE + self.TRICK * table.lead if cards else 0.0

    def challenges(self) -> bool:
        return self.strength() >= self.OFFER

    def accepts(self) -> bool:
        return self.strength() >= self.ACCEPT
