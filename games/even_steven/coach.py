"""Even Steven, taught at the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.coach import Coach, Idea, Lesson, Words
from games.engine import Action, Event, Seat
from games.even_steven import GAME
from games.even_steven.rules import INDEX, PACK, WIN, View, covers
from games.even_steven.words import in_words
from games.phrases import counted, listed

IDEAS = {
    "cover": Idea(
        "Covering",
        "Each card that the dealer lays must be covered with a card of your hand that is at least as high. The ace is "
        "the highest, the two the lowest.",
    ),
    "suits": Idea("No suits", "Suits have no effect: the king of clubs covers the king of spades."),
    "many": Idea(
        "As many as you hold",
        "The dealer lays as many cards as you were dealt. A card that you play is gone, so a high card spent on a low "
        "one may be missed later.",
    ),
    "equal": Idea("Even is enough", "A card of the same value covers, too. That is what the game is named for."),
    "high": Idea("High cards", "Only few of your cards cover this one. These are the cards that win or lose games."),
    "short": Idea(
        "When nothing covers",
        "Some games cannot be won, however they are played. Then lose them with any card. What counts for a program is "
        "never to lose a game that could have been won.",
    ),
    "last": Idea("The last card", "With one card left you have no choice: it covers, or it does not."),
}

LESSON = Lesson(
    title="Your first game of Even Steven",
    welcome=(
        "You alone against the dealer. You hold seven cards, and the dealer lays seven, one after the other. Cover "
        "each of them with one of yours that is at least as high, and you win. Take your time: nothing "
        "counts, so try things."
    ),
    closing=(
        "That was a whole game. The replay shows all cards, and whether a loss was necessary. Programs are judged on "
        "many games, and must never lose one that could be won. There is a way to play that never does: find it."
    ),
    seed=368,
    house=(),
    opening={"seed": 368, "cards": 7},
    ideas=("cover", "suits", "many", "equal", "high", "last"),
    marks={
        "last": "Now you see why all that matters is what you keep.",
    },
)


class EvenStevenCoach(Coach[View]):
    game = GAME
    lesson = LESSON
    ideas = IDEAS

    def hand(self, view: View, seat: Seat) -> Sequence[Action]:
        return list(view.hand or ()) if view.open is not None else ()

    def name(self, card: Action) -> str:
        return PACK[card]  # type: ignore[call-overload, no-any-return]

    def spoken(self, cards: Sequence[Action], last: str = "and") -> str:
        return listed([in_words(card) for card in sorted(cards)], last)  # type: ignore[type-var, arg-type]

    def situation(self, view: View, seat: Seat) -> Iterator[str]:
        open_, hand = view.open, view.hand or []
        if open_ is None:
            return
        cover = [card for card in hand if covers(card, open_)]
        yield "cover"
        if not cover:
            yield "short"
        if any(card // 4 == open_ // 4 for card in hand):
            yield "equal"
        if len(hand) == 1:
            yield "last"
        elif 2 * len(cover) < len(hand):
            yield "high"
        yield "suits"
        yield "many"

    def describe(self, view: View, seat: Seat, legal: Sequence[Action]) -> Words:
        open_, hand = view.open, view.hand or []
        if open_ is None:
            return Words("Your turn", "Play a card.")
        cover = [card for card in hand if covers(card, open_)]
        left = view.size - len(view.dealt)
        now = f"The dealer laid {in_words(open_)}. Cover it with a card of your hand."
        stake = (
            f"{counted(left, 'more card')} will be dealt after this one."
            if left
            else "It is the last card of the game."
        )
        if not cover:
            may = "Nothing in your hand covers it. You may play any card, and the game is lost."
            return Words("You cannot cover it", now, stake, "It makes no difference which card you play.", may)
        verb = "covers" if len(cover) == 1 else "cover"
        may = f"{self.spoken(cover).capitalize()} {verb} it. Any other card loses the game."
        if len(cover) == len(hand):
            may = "Any card of your hand covers it." if len(hand) > 1 else "It is your last card, and it covers."
        hint = "What is left in your hand must cover what is still to come." if left else ""
        return Words("Cover the card", now, stake, hint, may)

    def news(self, event: Event, before: View, seat: Seat) -> str:
        if event["event"] == "play" and before.dealt:
            card, dealt = INDEX[event["card"]], before.dealt[-1]
            if covers(card, dealt):
                return f"You covered {in_words(dealt)} with {in_words(card)}."
            return f"You played {in_words(card)}, which is lower than {in_words(dealt)}."
        if event["event"] == "result":
            return "You won: every card is covered." if event.get("verdict") == WIN else "You lost the game."
        return ""


COACH = EvenStevenCoach()
