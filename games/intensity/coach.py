"""Intensity, taught at the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.coach import Idea, Lesson, Words
from games.engine import Action, Event, Seat
from games.intensity import GAME
from games.intensity.rules import BUFFALO, BUFFALO_WORTH, ROUNDS, WORTH
from games.intensity.view import PASSED_TO, View, why
from games.intensity.words import PENALTY
from games.passes import Passes
from games.phrases import counted, listed
from games.trick_coach import TrickCoach

CALF = 3
"""The first digit of the calves."""

IDEAS = {
    "pass": Idea(
        "Discarding",
        "Everybody gives three cards to the player on the left. All choose before they see what they get.",
    ),
    "lead": Idea("Leading", "The winner of a round plays the first card of the next one. Position 0 plays the first."),
    "follow": Idea(
        "The first digit",
        "The first digit of a card is its suit. If you can, you must play a card with the same first digit as the "
        "first card of the round. The largest of these wins it.",
    ),
    "void": Idea(
        "Out of a digit",
        "Without a card of that first digit you may play any card. It cannot win the round, so calves and the buffalo "
        "go to somebody else.",
    ),
    "closed": Idea(
        "Leading a calf",
        "A calf may not be the first card of a round until a calf was played in an earlier one, unless you hold "
        "nothing else.",
    ),
    "open": Idea("Calves may be led", "A calf was played, so from now on calves may be the first card of a round."),
    "calf": Idea("Calves", "Each calf, 30 to 39, costs whoever wins its round 1 penalty point."),
    "buffalo": Idea(
        "The buffalo",
        f"47 is the buffalo. It costs {BUFFALO_WORTH} points, nearly as much as all calves, and 48 and 49 are the only "
        "cards that take it away from whoever leads it.",
    ),
    "won": Idea("Winning is bad", "Points are penalties: whoever has the fewest after ten rounds wins the game."),
    "score": Idea("The end", "A game is these ten rounds. In a tournament, the places count: 3, 2, 1 and 0 points."),
}

LESSON = Lesson(
    title="Your first game of Intensity",
    welcome=(
        "Forty cards, 10 to 49, and ten rounds. The first digit is the suit. You do not want to win a round with a "
        "calf (30 to 39) in it, and least of all the one with the buffalo, 47. You play one game against three simple "
        "players. Take your time: nothing counts, so try things."
    ),
    closing=(
        "That was a whole game. In a tournament there are many, and the places in them count. A program is asked the "
        "same questions as you, one at a time, and is told everything that happened before."
    ),
    seed=116,
    seat=0,
    house=("avoider", "avoider", "avoider"),
    ideas=tuple(IDEAS),
    marks={
        "void": "Now you see why it is good to get rid of a whole first digit early.",
        "won": "Now you see why high cards are a burden: they win rounds that you do not want.",
        "open": "Now you see why the first calf often comes from somebody who cannot follow.",
    },
)


class IntensityCoach(TrickCoach[View]):
    game = GAME
    lesson = LESSON
    ideas = IDEAS
    words_of = staticmethod(str)

    def spoken(self, cards: Sequence[Action], last: str = "and") -> str:
        return f"the {listed(list(map(str, sorted(cards))), last)}"  # type: ignore[type-var]

    def said(self, card: str) -> str:
        return f"the {card}"

    def situation(self, view: View, seat: Seat) -> Iterator[str]:
        if view.phase == "discards":
            yield "pass"
            return
        hand = view.hands[seat] or ()
        if not view.trick:
            yield "lead"
            if not view.broken and any(card // 10 == CALF for card in hand):
                yield "closed"
        else:
            yield "follow" if self.follows(view, seat) else "void"
            if any(card // 10 == CALF for _, card in view.trick):
                yield "calf"
        if BUFFALO in hand or any(card == BUFFALO for _, card in view.trick):
            yield "buffalo"

    def taught_by(self, event: Event, before: View, seat: Seat) -> Iterator[str]:
        if event["event"] == "trick" and event["points"]:
            cards = [card for _, card in before.trick]
            if event["winner"] == seat:
                yield "won"
            if BUFFALO in cards:
                yield "buffalo"
            if any(card // 10 == CALF for card in cards):
                yield "calf"
                if not before.broken:
                    yield "open"
        if event["event"] == "score":
            yield "score"

    def describe(self, view: View, seat: Seat, legal: Sequence[Action]) -> Words:
        if isinstance(legal, Passes):
            return self._discarding(view, seat)
        number = view.trick_number + (not view.trick)
        count = f"Round {number} of {ROUNDS}"
        if not view.trick:
            stake = f"The others must play the same first digit if they can. {_score(view, seat)}"
            hint = "A small card of its ten leaves the round to somebody else."
            return Words("You play the first card", f"{count}: any of your cards that the rules allow.", stake, hint)
        worth = sum(WORTH[card] for _, card in view.trick)
        stake = f"{count} costs {counted(worth, PENALTY) if worth else 'nothing'} so far. {self.order(view)}"
        if not self.follows(view, seat):
            hint = "Get rid of what could cost you points: the buffalo, calves, or the largest cards of a ten."
            return Words("You have none of that digit", self.table(view, seat), stake, hint)
        digit = view.trick[0][1] // 10
        return Words(
            f"Play a card that begins with {digit}", self.table(view, seat), stake, self._following(view, seat)
        )

    def _discarding(self, view: View, seat: Seat) -> Words:
        forties = [card for card in view.hands[seat] or () if card >= BUFFALO]
        hint = (
            f"You hold {self.spoken(forties)}: the largest of the forties are dangerous while the buffalo is about."
            if forties
            else "The largest cards of a ten win rounds. Giving away all cards of a first digit sets you free later."
        )
        return Words(
            "Choose three cards to pass",
            f"They go to {GAME.seat_names[PASSED_TO[seat]]}, on your left.",
            "You play the ten rounds with what is left and with the three cards that you get.",
            hint,
            "You may pass any three of your cards.",
        )

    def _following(self, view: View, seat: Seat) -> str:
        _, best = self.winning(view)
        same = [card for card in view.hands[seat] or () if card // 10 == best // 10]
        if not [card for card in same if card < best]:
            which = "Your only card of that digit is" if len(same) == 1 else "All your cards of that digit are"
            return f"{which} larger than the {best}."
        return f"A card below the {best} cannot win the round."

    def news(self, event: Event, before: View, seat: Seat) -> str:
        match event["event"]:
            case "pass" if event["to"] == seat and "cards" in event:
                return f"{self.named(event['seat'])} passed you {self.spoken(event['cards'])}."
            case "trick":
                winner, points = event["winner"], event["points"]
                worth = f"{counted(points, PENALTY)} for {why([card for _, card in before.trick])}"
                cost = worth if points else "no penalty"
                return f"{self.who(winner, seat)} won the round{self.taking(before, winner)}: {cost}."
            case "score":
                return f"The ten rounds are over. You have {counted(event['hand'][seat], PENALTY)}."
            case "result":
                return self.ended(event, seat)
        return ""


def _score(view: View, seat: Seat) -> str:
    points = view.points[seat] + view.fines[seat]
    return f"You have {counted(points, PENALTY)} so far." if points else "You have no penalty points so far."


COACH = IntensityCoach()
