"""Tricky Eights, taught at the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.cards import EIGHT, rank_of, suit_of, words
from games.coach import Idea, Lesson, Words
from games.engine import Action, Event, Seat
from games.phrases import counted, listed
from games.trick_coach import TrickCoach
from games.tricky_eights import GAME
from games.tricky_eights.rules import TRICKS, WORTH, trick_worth
from games.tricky_eights.view import View, why

IDEAS = {
    "pool": Idea(
        "The pool",
        "Twelve cards lie face up. The dealer takes one, then the others in turn, three times around. Everybody sees "
        "who takes what, so remember it.",
    ),
    "pool_eight": Idea(
        "Eights",
        "An eight gives 2 more points to whoever takes its trick, whoever played it. It is not a high card, so it is "
        "taken more often than it takes.",
    ),
    "first": Idea("The first trick", "The first trick counts 3 points, as much as three others."),
    "last": Idea("The last trick", "The last trick counts 3 points, too. It pays to keep a card that can take it."),
    "lead": Idea("Leading", "The player who takes a trick leads the next one, and may lead any card."),
    "follow": Idea(
        "Following suit",
        "If you can, you must play a card of the suit that was led. The highest card of that suit takes the trick.",
    ),
    "void": Idea(
        "Out of a suit", "Without a card of the suit led you may play any card. It cannot take the trick, however "
        "high it is.",
    ),
    "eight": Idea("An eight in the trick", "The player who takes this trick gets 2 points more for each eight in it."),
    "took": Idea("Taking tricks", "Points are good here: each trick counts at least 1."),
    "shown": Idea(
        "What the others lack",
        "A player who does not follow suit has no card of it. From now on you know that, and so does everybody.",
    ),
    "score": Idea(
        "The score",
        "A round has 25 points. Rounds are played until somebody has reached the limit and is alone in front.",
    ),
}  # fmt: skip

LESSON = Lesson(
    title="Your first round of Tricky Eights",
    welcome=(
        "Four players, every one for themselves. First everybody takes three cards from an open pool, then thirteen "
        "tricks are played. Tricks are points, and so are the eights in them. You play one round against three simple "
        "players. Take your time: nothing counts, so try things."
    ),
    closing=(
        "That was a whole round. A real game goes on until somebody has 300 points. Programs that do well remember "
        "every card, which is easier for them than for us."
    ),
    seed=158,
    seat=0,
    house=("memoryless", "memoryless", "memoryless"),
    options={"target": 1},
    ideas=tuple(IDEAS),
    marks={
        "shown": "Now you see why everything on the table is worth remembering.",
        "void": "Now you see why few cards of a suit are not always bad: you choose what to throw.",
        "last": "Now you see why good players keep a high card for the end.",
    },
)


class TrickyEightsCoach(TrickCoach[View]):
    game = GAME
    lesson = LESSON
    ideas = IDEAS

    def situation(self, view: View, seat: Seat) -> Iterator[str]:
        if view.pool:
            yield "pool"
            if any(rank_of(card) == EIGHT for card in view.pool):
                yield "pool_eight"
            return
        number = _number(view)
        if number == 1:
            yield "first"
        if number >= TRICKS - 2:
            yield "last"
        if not view.trick:
            yield "lead"
            return
        yield "follow" if self.follows(view, seat) else "void"
        if any(WORTH[card] for _, card in view.trick):
            yield "eight"

    def taught_by(self, event: Event, before: View, seat: Seat) -> Iterator[str]:
        if event["event"] == "trick" and event["winner"] == seat:
            yield "took"
        if event["event"] == "play" and event["seat"] != seat and before.trick:
            lacks = suit_of(before.index[event["card"]]) != suit_of(before.trick[0][1])
            yield from ("shown",) * lacks
        if event["event"] == "score":
            yield "score"

    def describe(self, view: View, seat: Seat, legal: Sequence[Action]) -> Words:
        if view.pool:
            return self._taking(view, seat)
        number = _number(view)
        worth = trick_worth(number) + sum(WORTH[card] for _, card in view.trick)
        count = f"Trick {number} of {TRICKS}"
        if not view.trick:
            stake = f"It counts {counted(worth, 'point')}, and 2 more for each eight. {_score(view, seat)}"
            hint = "A high card may take the trick. A low one gives the lead away and keeps your high cards."
            return Words("You lead", f"{count}: you play the first card.", stake, hint)
        stake = f"{count} counts {counted(worth, 'point')} so far. {self.order(view)}"
        if not self.follows(view, seat):
            hint = (
                "Throw what you will not need: a low card of a suit in which you are weak. Keep your eights if you can."
            )
            return Words("You cannot follow suit", self.table(view, seat), stake, hint)
        return Words("Follow suit", self.table(view, seat), stake, self._following(view, seat))

    def _taking(self, view: View, seat: Seat) -> Words:
        mine = len(view.taken[seat])
        now = f"It is your {('first', 'second', 'third')[min(mine, 2)]} of three cards from the pool."
        stake = "What you leave, the others may take, and everybody sees it."
        hint = "Aces and kings take tricks. So does a long suit, once the others have run out of it."
        left = f"{counted(len(view.pool), 'card')} {'is' if len(view.pool) == 1 else 'are'} left."
        return Words("Take a card", f"{now} {left}", stake, hint, "You may take any card of the pool.")

    def _following(self, view: View, seat: Seat) -> str:
        _, best = self.winning(view)
        suit = [card for card in view.hands[seat] or () if suit_of(card) == suit_of(best)]
        higher = [card for card in suit if card > best]
        if not higher:
            return f"You have nothing above the {words(best)}, so play a card that you can spare."
        if len(view.trick) == 3:
            return f"You play last: {self.spoken(higher[:1])} is enough to take the trick."
        return f"{self.spoken(higher, 'or').capitalize()} would be ahead, but others still play."

    def news(self, event: Event, before: View, seat: Seat) -> str:
        match event["event"]:
            case "take" if event["seat"] != seat:
                return f"{self.named(event['seat'])} took the {words(before.index[event['card']])}."
            case "trick":
                return self._trick(event, before, seat)
            case "score":
                mine = event["hand"][seat]
                total = event["total"][seat]
                return f"The round is over. You made {counted(mine, 'point')}, and your score is now {total}."
            case "result":
                return self.ended(event, seat)
        return ""

    def _trick(self, event: Event, before: View, seat: Seat) -> str:
        parts = why(before.trick_number, [card for _, card in before.trick])
        worth = counted(event["points"], "point")
        if len(parts) > 1:
            worth += ", " + listed([f"{part['points']} for {part['for']}" for part in parts])
        elif event["points"] > 1:
            worth += f" for {parts[0]['for']}"
        winner = event["winner"]
        return f"{self.who(winner, seat)} took the trick{self.taking(before, winner)}: {worth}."


def _number(view: View) -> int:
    """Return the number of the trick that is played now or next."""
    return view.trick_number + (not view.trick)


def _score(view: View, seat: Seat) -> str:
    return f"You have {counted(view.points[seat], 'point')} in this round."


COACH = TrickyEightsCoach()
