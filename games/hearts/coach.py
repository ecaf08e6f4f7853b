"""Hearts, taught at the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.cards import HEARTS, suit_of, words
from games.coach import Idea, Lesson, Words
from games.engine import Action, Event, Seat
from games.hearts import GAME
from games.hearts.rules import ALL_POINTS, QUEEN, WORTH
from games.hearts.view import View, why
from games.passes import Passes
from games.phrases import counted, listed
from games.trick_coach import TrickCoach, in_suits

IDEAS = {
    "pass": Idea(
        "Passing",
        "Before the play everybody gives three cards away. All choose at the same time: you see the cards you get only "
        "when everybody has chosen.",
    ),
    "direction": Idea(
        "Where cards go", "The first hand passes to the left, the second to the right, the third across, and the "
        "fourth passes nothing. Then it begins again.",
    ),
    "open": Idea("The first lead", "The player with the two of clubs after the pass leads it to the first trick."),
    "follow": Idea(
        "Following suit",
        "If you can, you must play a card of the suit that was led. The highest card of that suit takes the trick.",
    ),
    "void": Idea(
        "Out of a suit",
        "Without a card of the suit led you may play any card, even a heart or the queen of spades. It cannot take the "
        "trick, so its points go to somebody else.",
    ),
    "lead": Idea("Leading", "The player who takes a trick leads the next one, and the others must follow that suit."),
    "closed": Idea(
        "Leading hearts",
        "Hearts may not be led until a heart or the queen of spades was played on an earlier trick. If you hold "
        "nothing else, you may lead one all the same.",
    ),
    "broken": Idea("Hearts are open", "A point card was played, so from now on hearts may be led, too."),
    "heart": Idea("Hearts count", "Each heart costs one point. The points go to whoever takes the trick."),
    "queen": Idea(
        "The queen of spades",
        "She alone costs thirteen points, as much as all hearts together. The ace and the king of spades are dangerous "
        "as long as she has not been played: they take the trick she falls on.",
    ),
    "taken": Idea("Points taken", "Points are bad here: the lowest score wins the game."),
    "moon": Idea(
        "Shooting the moon",
        "One player has all points so far. A player who takes all 26 gets 26 points less instead, and the others "
        "get none. One heart in another hand is enough to stop it.",
    ),
    "score": Idea(
        "The score", "Hands are played until somebody reaches the limit. The lowest score then wins. For programs, "
        "thinking costs points, too.",
    ),
}  # fmt: skip

LESSON = Lesson(
    title="Your first hand of Hearts",
    welcome=(
        "Four players, thirteen cards each, every one for themselves. Each heart you take costs a point, the queen of "
        "spades thirteen, and the fewest points win. You play one hand against three simple players. Take your "
        "time: nothing counts, so try things."
    ),
    closing=(
        "That was a whole hand. A real game goes on until somebody has 100 points, and a program of yours would have "
        "played it in a few milliseconds."
    ),
    seed=267,
    seat=0,
    house=("avoider", "avoider", "avoider"),
    options={"target": 1},
    ideas=("pass", "lead", "closed", "follow", "void", "heart", "queen", "broken", "taken", "score"),
    marks={
        "void": "Now you see why players empty a suit early: it lets them throw what they do not want.",
        "queen": "Now you see why nobody likes to hold high spades.",
        "taken": "Now you see why a high card late in the hand is a danger: others throw their points on it.",
    },
)


class HeartsCoach(TrickCoach[View]):
    game = GAME
    lesson = LESSON
    ideas = IDEAS

    def situation(self, view: View, seat: Seat) -> Iterator[str]:
        if view.phase == "pass":
            yield "pass"
            if view.number > 1:
                yield "direction"
            return
        hand = view.hands[seat] or ()
        if not view.trick:
            yield "lead" if view.trick_number else "open"
            if view.trick_number and not view.broken and any(suit_of(card) == HEARTS for card in hand):
                yield "closed"
        else:
            yield "follow" if self.follows(view, seat) else "void"
            if any(suit_of(card) == HEARTS for _, card in view.trick):
                yield "heart"
        if QUEEN in hand or any(card == QUEEN for _, card in view.trick):
            yield "queen"
        if _alone(view) is not None:
            yield "moon"

    def taught_by(self, event: Event, before: View, seat: Seat) -> Iterator[str]:
        if event["event"] == "trick" and event["points"]:
            if any(card == QUEEN for _, card in before.trick):
                yield "queen"
            if event["winner"] == seat:
                yield "taken"
            yield "heart" if any(suit_of(card) == HEARTS for _, card in before.trick) else "queen"
            if not before.broken:
                yield "broken"
        if event["event"] == "score":
            yield "score"

    def describe(self, view: View, seat: Seat, legal: Sequence[Action]) -> Words:
        if isinstance(legal, Passes):
            return self._passing(view, seat)
        if not view.trick:
            return self._leading(view, seat)
        worth = sum(WORTH[card] for _, card in view.trick)
        stake = (
            f"So far {counted(worth, 'point')} {'is' if worth == 1 else 'are'} in this trick."
            if worth
            else "So far there are no points in this trick."
        )
        stake = f"{stake} {self.order(view)}"
        if self.follows(view, seat):
            return Words("Follow suit", self.table(view, seat), stake, self._following(view, seat, worth))
        hint = "Get rid of what could cost you points later: the queen of spades, high spades, high hearts."
        return Words("You cannot follow suit", self.table(view, seat), stake, hint)

    def _passing(self, view: View, seat: Seat) -> Words:
        to = GAME.seat_names[(seat + {"left": 1, "right": 3, "across": 2}[view.direction]) % 4]
        where = "across" if view.direction == "across" else f"to the {view.direction}"
        risky = [card for card in view.hands[seat] or () if suit_of(card) == 3 and card >= QUEEN]
        hint = (
            f"You hold {in_suits(risky)}. High spades are easier to keep if you have many low ones beside them."
            if risky
            else "High cards take tricks, and tricks may bring points. Few cards of a suit are soon gone."
        )
        return Words(
            "Choose three cards to pass",
            f"Three of your cards go {where}, to {to}.",
            "You play the rest of the hand with what is left and with the three cards that you get.",
            hint,
            "You may pass any three of your cards.",
        )

    def _leading(self, view: View, seat: Seat) -> Words:
        if not view.trick_number:
            now = "You hold the two of clubs, so you lead it."
            return Words("Open the play", now, "It cannot take the trick if anybody else has a club.")
        stake = f"The others must follow your suit if they can. {_score(view, seat)}"
        hint = (
            "A low card leaves the trick to somebody else. A high one brings the lead back, with whatever they throw."
        )
        return Words("You lead", f"Trick {view.trick_number + 1} of 13: you play the first card.", stake, hint)

    def _following(self, view: View, seat: Seat, worth: int) -> str:
        _, best = self.winning(view)
        suit = [card for card in view.hands[seat] or () if suit_of(card) == suit_of(view.trick[0][1])]
        lower = [card for card in suit if card < best]
        if not lower:
            which = "Your only card of the suit is" if len(suit) == 1 else "All your cards of the suit are"
            return f"{which} higher than the {words(best)}."
        if worth or len(view.trick) < 3:
            return f"A card below the {words(best)} cannot take the trick."
        return "You play last and there are no points: this is a safe trick to get rid of a high card."

    def news(self, event: Event, before: View, seat: Seat) -> str:
        match event["event"]:
            case "pass" if event["to"] == seat and "cards" in event:
                return f"{self.named(event['seat'])} passed you {_cards(event['cards'])}."
            case "trick":
                return self._trick(event, before, seat)
            case "score":
                return self._scored(event, seat)
            case "result":
                return self.ended(event, seat)
        return ""

    def _trick(self, event: Event, before: View, seat: Seat) -> str:
        winner, points = event["winner"], event["points"]
        parts = [part["for"] for part in why([card for _, card in before.trick])]
        worth = f"{counted(points, 'point')} for {listed(parts)}" if points else "no points"
        return f"{self.who(winner, seat)} took the trick{self.taking(before, winner)}: {worth}."

    def _scored(self, event: Event, seat: Seat) -> str:
        shooter = next((who for who, points in enumerate(event["hand"]) if points < 0), None)
        if shooter is not None:
            return f"{self.who(shooter, seat)} shot the moon: {ALL_POINTS} points less, and nothing for the others."
        mine = event["hand"][seat]
        return f"The hand is over. You took {counted(mine, 'point')}, and your score is now {event['total'][seat]}."


def _alone(view: View) -> Seat | None:
    """Return who has taken all points of this hand so far, if they are many enough to think of the moon."""
    took = [seat for seat, points in enumerate(view.points) if points]
    return took[0] if len(took) == 1 and view.points[took[0]] >= ALL_POINTS // 2 and view.phase == "play" else None


def _score(view: View, seat: Seat) -> str:
    points = view.points[seat]
    return f"You have taken {counted(points, 'point')} in this hand." if points else "You have no points in this hand."


def _cards(names: Sequence[str]) -> str:
    return in_suits([View.index[name] for name in names])


COACH = HeartsCoach()
