"""House players that do not count: the test bot, grabber, offhand, careful, and bold; and what a seat may know."""

from __future__ import annotations

from collections.abc import Sequence

from games.barracuda.rules import ACCEPT, CHALLENGE, COPIES, HANDS, RANKS, REJECT
from games.engine import Action, Event, Seat
from games.table_player import TablePlayer


class Table:
    """A fold over the events that a seat may see. Everything is for reading."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.points = [0, 0]
        self.offers = [0, 0]  # challenges that were answered, by who answered them
        self.accepts = [0, 0]  # and how many of them were accepted
        self._shuffle()
        self._new_hand([])

    def _shuffle(self) -> None:
        self.unseen = [0] + [COPIES] * RANKS  # by rank: cards not seen since the last shuffle

    def _new_hand(self, hand: list[int]) -> None:
        self.hand = hand
        self.dealt = list(hand)
        self.others = len(hand)  # cards in the opponent's hand
        self.led: int | None = None  # the card on the table
        self.leader: Seat = self.seat  # who played it
        self.tricks = [0, 0]
        self.challenger: Seat | None = None
        self.accepted = False

    @property
    def lead(self) -> int:
        """Our tricks minus theirs."""
        return self.tricks[self.seat] - self.tricks[1 - self.seat]

    @property
    def answering(self) -> int | None:
        """The card that the opponent has led and we must answer."""
        return self.led if self.leader != self.seat else None

    def tell(self, event: Event) -> None:
        tell = getattr(self, f"_tell_{event['event']}", None)
        if tell is not None:
            tell(event)

    def _tell_hand(self, event: Event) -> None:
        if event["number"] % HANDS == 1:
            self._shuffle()
        self._new_hand(list(event["hands"][self.seat]))
        for card in self.hand:
            self.unseen[card] -= 1

    def _tell_play(self, event: Event) -> None:
        seat, card = event["seat"], event["card"]
        if self.led is None:
            self.led, self.leader = card, seat
        else:
            self.led = None
        self._drop(seat, card)

    def _tell_forfeit(self, event: Event) -> None:
        if self.led is not None:
            self._take_back(self.leader, self.led)
            self.led = None
        self._drop(event["seat"], event["lost"])
        self._drop(1 - event["seat"], event["other"])

    def _take_back(self, seat: Seat, card: int) -> None:
        if seat == self.seat:
            self.hand = sorted([*self.hand, card], reverse=True)
        else:  # the opponent is known to hold it, but nobody would ask
            self.unseen[card] += 1
            self.others += 1

    def _drop(self, seat: Seat, card: int) -> None:
        if seat == self.seat:
            self.hand.remove(card)
        else:
            self.unseen[card] -= 1
            self.others -= 1

    def _tell_trick(self, event: Event) -> None:
        if event["winner"] is not None:
            self.tricks[event["winner"]] += 1

    def _tell_challenge(self, event: Event) -> None:
        self.challenger = event["seat"]

    def _tell_accept(self, event: Event) -> None:
        self.accepted = True
        self.offers[event["seat"]] += 1
        self.accepts[event["seat"]] += 1

    def _tell_reject(self, event: Event) -> None:
        self.offers[event["seat"]] += 1

    def _tell_score(self, event: Event) -> None:
        self.points = list(event["total"])


AVERAGE = 7
"""The mean of all cards."""

NOTICED = 2
"""How many cards that would win a trick the offhand one looks at."""


class Thinker(TablePlayer[Table]):
    """A player with a table. It answers a challenge, offers one, or plays a card."""

    new_table = staticmethod(Table)

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
