"""The card counter: it knows which cards are still out, and estimates what playing each of its own may cost."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from games.cards import BIT, listed, mask
from games.intensity.house.simple import Thinker
from games.intensity.rules import BUFFALO, CALVES, FOLLOWS, TENS, WORTH

FUTURE = 0.3
"""The weight of the danger of the remaining cards, compared with the points of this round."""

BUFFALO_HELD, GUARD = 3.0, 0.75
"""The danger of holding the buffalo, and the factor for each lower card with its first digit."""

HUNTED = 1.0
"""The danger of a card that would catch the buffalo, on top of that of every card …"""

COVER = 0.85
"""… and the factor for each of our lower cards with its first digit."""

ALONE = 0.4
"""The danger of a card when nobody else has any with its first digit: when led, it wins whatever is thrown on it."""

OFF_SUIT = 0.8
"""The probability that a player who cannot follow throws a card that costs points."""


class CardCounter(Thinker):
    """Every card that was played, and who could not follow."""

    def play(self, cards: Sequence[int]) -> int:
        return min(cards, key=lambda card: (self.cost(card), -card))

    def discards(self) -> tuple[int, ...]:
        """Choose the best of all ways to give three cards away, judged by what is left."""
        hand, others = self.table.hand, self.table.others
        return min(combinations(listed(hand), 3), key=lambda way: hand_danger(hand & ~mask(way), others))

    def cost(self, card: int) -> float:
        """Return the points that playing this card is expected to cost: now, and by what is left afterwards."""
        table = self.table
        chance = self.chance_to_win(card)
        others, hand = table.others, table.hand
        follow = FOLLOWS[card] if not table.played else table.led
        points = float(table.worth + WORTH[card])
        for seat in table.after():
            points += self.expected_from(seat, follow)
        before = hand_danger(hand, others)
        after = hand_danger(hand & ~BIT[card], others)
        return chance * (points + 0.1) + FUTURE * (after - before)

    def expected_from(self, seat: int, follow: int) -> float:
        """Return the points that a later seat is expected to add to the round."""
        table = self.table
        others = table.others
        threats = others & (CALVES | BIT[BUFFALO])
        if not threats:
            return 0.0
        following = 0.0 if table.out[seat] & follow else self.chance_to_follow(follow)
        inside, suit = threats & follow, (others & follow).bit_count()
        worth = sum(WORTH[card] for card in listed(inside)) / suit if suit else 0.0
        thrown = 2.5 if others & BIT[BUFFALO] & ~follow else 1.0 if threats & ~follow else 0.0
        return following * worth * 0.8 + (1 - following) * OFF_SUIT * thrown

    def chance_to_follow(self, follow: int) -> float:
        """Return the probability that a player of whom nothing is known holds one of these cards."""
        suit, hidden = (self.table.others & follow).bit_count(), self.table.others.bit_count()
        size = max(1, hidden // 3)
        chance = 1.0
        for taken in range(suit):
            chance *= max(0.0, (hidden - size - taken) / (hidden - taken))
        return 1 - chance

    def chance_to_win(self, card: int) -> float:
        """Return the probability that we win the round, if everybody after us stays below where they can."""
        table = self.table
        if table.played and (not table.led & BIT[card] or card < table.best):
            return 0.0
        suit = table.others & FOLLOWS[card]
        above, below = (suit & -(BIT[card] << 1)).bit_count(), (suit & (BIT[card] - 1)).bit_count()
        chance = 1.0
        for seat in table.after():
            if table.out[seat] & suit or not above:
                continue
            held = max(1.0, (above + below) / 3)
            forced = self.chance_to_follow(FOLLOWS[card]) * (above / (above + below)) ** held
            chance *= 1 - forced
        return chance


def hand_danger(hand: int, others: int) -> float:
    """Estimate how many points a hand will have to take."""
    total = 0.0
    hunted = others & BIT[BUFFALO]
    for digit in (1, 2, 3, 4):
        theirs = others & TENS[digit]
        weight = 1.3 if digit == 3 else 1.0
        for place, card in enumerate(listed(hand & TENS[digit])):
            if card == BUFFALO:
                total += BUFFALO_HELD * GUARD**place
            elif theirs:
                exposed = (theirs & (BIT[card] - 1)).bit_count() / theirs.bit_count()
                total += (weight * exposed + (HUNTED if hunted and card > BUFFALO else 0.0)) * COVER**place
            else:
                total += weight * ALONE
    return total
