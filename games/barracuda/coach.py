"""Barracuda, taught at the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.barracuda import GAME
from games.barracuda.rules import CHALLENGE, HAND
from games.barracuda.view import View
from games.barracuda.words import a_card
from games.coach import Coach, Idea, Lesson, Words
from games.engine import Action, Event, Seat
from games.phrases import counted, listed

IDEAS = {
    "lead": Idea(
        "Leading", "The player who takes a trick leads the next one. You may lead any card: there are no suits."
    ),
    "answer": Idea("Answering", "The higher card takes the trick. You may play any card, high or low."),
    "hand": Idea(
        "A point a hand",
        "A hand is five tricks. The player who takes more of them gets one point, however many more. If both take as "
        "many, nobody does.",
    ),
    "tie": Idea("Equal cards", "Nobody takes a trick of two equal cards, and the same player leads again."),
    "challenge": Idea(
        "The challenge",
        "Instead of playing a card you may offer a challenge, once in a hand. The other player either rejects it and "
        "gives you a point at once, or accepts it. Then this hand decides the whole game.",
    ),
    "challenged": Idea(
        "Accept or reject",
        "Rejecting costs you one point and ends the hand. Accepting stakes the game: whoever takes more tricks in this "
        "hand wins it, and if both take as many, the hand counts for nothing.",
    ),
    "staked": Idea("The game at stake", "The challenge was accepted: more tricks in this hand win the game."),
    "used": Idea("Once in a hand", "A challenge was offered in this hand, so there can be no other."),
    "point": Idea("The next hand", "The player who gets the point of a hand leads the next one."),
}

LESSON = Lesson(
    title="Your first game of Barracuda",
    welcome=(
        "Two players, five cards each, and no suits: the higher card takes the trick, and more tricks win the hand. "
        "Then there is the challenge, which can decide the game at once. You play a short game, to three points. Take "
        "your time: nothing counts, so try things, challenges above all."
    ),
    closing=(
        "That was a short game. A real one goes to ten points, and a match to 21 games. When to challenge and when to "
        "believe one is what a good program calculates."
    ),
    seed=246,
    seat=0,
    house=("bold",),
    options={"target": 3, "games": 1},
    ideas=("lead", "answer", "hand", "challenge", "challenged", "point", "tie"),
    marks={
        "challenged": "Now you see why a challenge works even with an ordinary hand: saying no has its price.",
        "tie": "Now you see why the same card can be worth keeping: a tied trick costs nothing.",
    },
)


class BarracudaCoach(Coach[View]):
    game = GAME
    lesson = LESSON
    ideas = IDEAS

    def hand(self, view: View, seat: Seat) -> Sequence[Action]:
        return list(view.hands[seat] or ()) if view.phase == "play" else ()

    def name(self, card: Action) -> int:
        return card  # type: ignore[return-value]

    def spoken(self, cards: Sequence[Action], last: str = "and") -> str:
        return f"the {listed(list(map(str, cards)), last)}"

    def situation(self, view: View, seat: Seat) -> Iterator[str]:
        if view.phase == "challenge":
            yield "challenged"
            return
        if view.challenge == "accepted":
            yield "staked"
        yield "answer" if view.current else "lead"
        yield "hand"
        yield "used" if view.challenge else "challenge"

    def taught_by(self, event: Event, before: View, seat: Seat) -> Iterator[str]:
        if event["event"] == "trick" and event["winner"] is None:
            yield "tie"
        if event["event"] == "score" and any(event["hand"]):
            yield "point"

    def describe(self, view: View, seat: Seat, legal: Sequence[Action]) -> Words:
        if view.phase == "challenge":
            return self._answering(view, seat)
        others = self.named(1 - seat)
        stake = self._stake(view, seat)
        may = "You may play any card" if len(set(view.hands[seat] or ())) > 1 else "You may play your card"
        may = f"{may}, or offer a challenge." if CHALLENGE in legal else f"{may}."
        if not view.current:
            hint = "A card in the middle often draws out a higher one, and keeps your best for later."
            return Words(
                "You lead", f"You play the first card of trick {self._number(view)} of {HAND}.", stake, hint, may
            )
        led = view.current[0][1]
        return Words("Answer the card", f"{others} led {a_card(led)}.", stake, self._beating(view, seat, led), may)

    def _number(self, view: View) -> int:
        """Return the number of the trick that is played now or next: both hold as many cards before it."""
        return HAND + 1 - max(view.counts)

    def _stake(self, view: View, seat: Seat) -> str:
        mine, theirs = view.tricks[seat], view.tricks[1 - seat]
        tricks = f"You have {counted(mine, 'trick')}, the other player {theirs}."
        if view.challenge == "accepted":
            return f"{tricks} This hand decides the game."
        return f"{tricks} The hand is worth one point, and the score is {view.points[seat]} to {view.points[1 - seat]}."

    def _beating(self, view: View, seat: Seat, led: int) -> str:
        hand = sorted(view.hands[seat] or ())
        higher = [card for card in hand if card > led]
        if higher:
            return (
                f"{a_card(higher[0]).capitalize()} is enough to take the trick. Your lowest card costs you the least."
            )
        if led in hand:
            return f"You cannot take the trick, but {a_card(led)} ties it."
        return "Nothing in your hand takes the trick: part with your lowest card."

    def _answering(self, view: View, seat: Seat) -> Words:
        other = self.named(1 - seat)
        hand = [str(card) for card in view.hands[seat] or ()]
        held = f"You hold {listed(hand)}" if hand else "You have played all your cards"
        table = f" {a_card(view.current[0][1]).capitalize()} lies on the table." if view.current else ""
        mine, theirs = view.tricks[seat], view.tricks[1 - seat]
        return Words(
            "A challenge: accept or reject?",
            f"{other} offers a challenge. {held}, and tricks are {mine} to {theirs}.{table}",
            f"Reject, and {other} gets a point: {view.points[1 - seat] + 1} to {view.points[seat]}. "
            "Accept, and this hand decides the game.",
            "Ask yourself how likely you are to take more tricks than the other player with these cards.",
            "You may accept or reject.",
        )

    def news(self, event: Event, before: View, seat: Seat) -> str:
        kind, actor = event["event"], event.get("seat")
        match kind:
            case "trick" if before.forfeited is None:
                return self._trick(event, before, seat)
            case "forfeit":
                return f"{self.who(event['seat'], seat)} failed to play, and lost the trick."
            case "accept" | "reject" if actor != seat:
                return f"{self.who(event['seat'], seat)} {kind}ed the challenge."
            case "score":
                return self._scored(event, before, seat)
            case "result":
                return (
                    "The game ended." if event["winner"] is None else f"{self.who(event['winner'], seat)} won the game."
                )
        return ""

    def _trick(self, event: Event, before: View, seat: Seat) -> str:
        cards = dict(before.current)
        both = f"{cards.get(seat)} against {cards.get(1 - seat)}"
        if event["winner"] is None:
            return f"{both}: equal cards, so nobody took the trick."
        winner = "you" if event["winner"] == seat else self.named(1 - seat)
        return f"{both}: {winner} took the trick."

    def _scored(self, event: Event, before: View, seat: Seat) -> str:
        mine, theirs = event["total"][seat], event["total"][1 - seat]
        score = f"It is {mine} to {theirs}."
        if any(event["hand"]):
            return f"{self.who(event['hand'].index(1), seat)} got the point of the hand. {score}"
        if before.challenge != "accepted":
            return f"Both took as many tricks, so nobody got a point. {score}"
        if before.tricks[0] == before.tricks[1]:
            return f"Both took as many tricks, so the challenge counted for nothing. {score}"
        return f"{self.who(int(before.tricks[0] < before.tricks[1]), seat)} won the challenge, and with it the game."


COACH = BarracudaCoach()
