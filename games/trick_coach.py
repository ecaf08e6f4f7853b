"""What the coaches of trick games for four players share: the trick on the table, and the end of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from games import cards
from games.coach import Coach
from games.engine import Action, Event, Seat
from games.phrases import counted, listed
from games.trick_view import TrickView

T = TypeVar("T", bound=TrickView)


class TrickCoach(Coach[T]):  # type: ignore[type-var]  # every game adds `position`
    """Base of a coach. Cards are numbers, as in the view."""

    words_of: Callable[[int], str] = staticmethod(cards.words)
    """What a card is called: `king of clubs`."""

    def hand(self, view: T, seat: Seat) -> Sequence[Action]:
        held = view.hands[seat]
        return sorted(held) if held and view.phase == "play" else ()

    def spoken(self, cards: Sequence[Action], last: str = "and") -> str:
        return in_suits(cards, last)  # type: ignore[arg-type]

    def name(self, card: Action) -> str | int:
        return self.game.view(None).name(card)  # type: ignore[no-any-return, attr-defined]

    def said(self, card: str) -> str:
        return f"the {self.words_of(self.game.pack.index(card))}"

    def winning(self, view: T) -> tuple[Seat, int]:
        """Return who would take the trick on the table now, and with which card."""
        led = view.suit(view.trick[0][1])
        return max(((seat, card) for seat, card in view.trick if view.suit(card) == led), key=lambda play: play[1])

    def follows(self, view: T, seat: Seat) -> bool:
        """Whether the seat holds a card of the suit led."""
        led = view.led
        return led is not None and any(view.suit(card) == view.suit(led) for card in view.hands[seat] or ())

    def table(self, view: T, seat: Seat) -> str:
        """Describe the trick on the table, which somebody has led."""
        leader, led = view.trick[0]
        said = [f"{self.named(leader)} led the {self.words_of(led)}"]
        said += [f"{self.called(who)} played the {self.words_of(card)}" for who, card in view.trick[1:]]
        best, card = self.winning(view)
        ahead = "" if len(view.trick) == 1 else f" {self.named(best)} is winning with the {self.words_of(card)}."
        return f"{listed(said)}.{ahead}"

    def order(self, view: T) -> str:
        """Say how many play after the seat in turn."""
        after = 3 - len(view.trick)
        return ("You play last.", "One player comes after you.", "Two players come after you.", "")[after]

    def taking(self, view: T, winner: Seat) -> str:
        """Return the card with which the trick on the table is taken; blank where it was never seen."""
        return next((f" with the {self.words_of(card)}" for seat, card in view.trick if seat == winner), "")

    def ended(self, event: Event, seat: Seat) -> str:
        """Say who won the game, and how."""
        winner = event["winner"]
        if winner is None:
            return "The game ended without a winner: first place is shared."
        score = event["scores"][winner]
        how = f"the lowest score, {score}" if self.game.low_wins else counted(score, "point")
        return f"{self.who(winner, seat)} won the game with {how}."


def in_suits(held: Sequence[int], last: str = "and") -> str:
    """Name ordinary cards (games.cards), suit by suit: `the two and the king of clubs`."""
    parts = []
    for suit, name in enumerate(cards.SUITS):
        ranks = [f"the {cards.RANKS[cards.rank_of(card)]}" for card in sorted(held) if cards.suit_of(card) == suit]
        if ranks:
            parts.append(f"{listed(ranks, last)} of {name}")
    return listed(parts, last)
