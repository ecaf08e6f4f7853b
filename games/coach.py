"""Teaching a game: what is decided now, what may be played and why not the rest, what is at stake, what just happened.

A game has its coach in `coach.py` of its folder, as `COACH`. It is one more fold over the events that a seat heard
(games.hearing), so it cannot tell what `Game.see` hides. The rules are asked two things about the open decision:
`State.legal`, and `State.objection` to a card of the seat's own hand. Nothing is kept from one decision to the next:
which ideas were taught before follows from the events so far.

A coach says what the rules mean here, and may give a gentle hint. It never searches for the best card.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import games
from games.engine import PLAIN, UNCHANGED, Action, Card, Event, Game, Opening, Options, Seat, State, View
from games.phrases import reason_to_you, sentence

AT_ONCE = 2
"""The most ideas taught with one decision. The others wait for the next."""

NEWS = 6
"""The most sentences about what just happened."""


@dataclass(frozen=True, slots=True)
class Idea:
    """Something about the game that is taught once, when it first matters."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Cards of the hand that may not be played now, and why, in the referee's words."""

    cards: tuple[Card, ...]
    words: str
    why: str


@dataclass(frozen=True, slots=True)
class Words:
    """What a coach says of a decision. `may` is blank where the game has nothing to add to the list of legal cards."""

    title: str
    now: str
    stake: str = ""
    hint: str = ""
    may: str = ""


@dataclass(frozen=True, slots=True)
class Advice:
    """What is shown to a learner at a decision, or after the game. Every text is a sentence or more, or blank."""

    title: str
    now: str
    welcome: str = ""  # before the first decision of a lesson
    happened: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    may: str = ""
    refusals: tuple[Refusal, ...] = ()
    stake: str = ""
    ideas: tuple[tuple[str, Idea], ...] = ()
    hint: str = ""

    @property
    def why_not(self) -> dict[Card, str]:
        """By card of the hand that may not be played now: why."""
        return {card: refusal.why for refusal in self.refusals for card in refusal.cards}

    def data(self) -> dict[str, Any]:
        """Return it as JSON for a page."""
        return {
            "title": self.title,
            "now": self.now,
            "welcome": self.welcome,
            "happened": list(self.happened),
            "marks": list(self.marks),
            "may": self.may,
            "may_not": [{"cards": list(each.cards), "words": each.words, "why": each.why} for each in self.refusals],
            "stake": self.stake,
            "ideas": [{"key": key, **asdict(idea)} for key, idea in self.ideas],
            "hint": self.hint,
        }


@dataclass(frozen=True, slots=True)
class Lesson:
    """A first game with a fixed deal, chosen so that its ideas come early."""

    title: str
    welcome: str
    closing: str
    seed: int
    house: tuple[str, ...]
    """The house players of the other seats, clockwise from the learner."""
    ideas: tuple[str, ...]
    """The ideas that come up when the lesson is played with plain choices."""
    seat: Seat = 0
    options: Options = field(default_factory=lambda: UNCHANGED)
    """Changes to the options of the first preset, for a short game."""
    opening: Opening = field(default_factory=lambda: PLAIN)
    marks: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """By idea: what is said in the lesson when it comes up, such as “Now you see why …”."""


V = TypeVar("V", bound=View)


@dataclass(slots=True)
class _Past(Generic[V]):
    """What a seat has heard so far, and what it was taught."""

    view: V
    taught: set[str] = field(default_factory=set)
    waiting: list[str] = field(default_factory=list)  # ideas of events since the last decision, or not taught yet
    news: list[str] = field(default_factory=list)  # since the last decision
    decided: bool = False  # whether the seat has made a decision before

    def due(self, ideas: Iterator[str], most: int) -> list[str]:
        """Return the ideas that are taught now: those of what happened first."""
        return [idea for idea in dict.fromkeys((*self.waiting, *ideas)) if idea not in self.taught][:most]

    def teach(self, ideas: Sequence[str]) -> None:
        self.taught.update(ideas)
        self.waiting = [idea for idea in self.waiting if idea not in self.taught]


class Coach(ABC, Generic[V]):
    """The coach of one game. It has no state of its own."""

    game: Game
    lesson: Lesson
    ideas: Mapping[str, Idea]

    def explain(self, state: State, seat: Seat, heard: Sequence[Event], *, lesson: bool = False) -> Advice:
        """Explain the open decision of a seat, which is in turn. `heard`: the events of the game so far, each as the
        seat heard it."""
        past = self._past(seat, heard)
        view, legal = past.view, state.legal()
        words = self.describe(view, seat, legal)
        due = past.due(self.situation(view, seat), AT_ONCE)
        return Advice(
            title=words.title,
            now=words.now,
            welcome=self.lesson.welcome if lesson and not past.decided else "",
            happened=tuple(past.news[-NEWS:]),
            marks=self._marks(due, lesson),
            may=words.may or self._may(view, seat, legal),
            refusals=self._refusals(state, view, seat),
            stake=words.stake,
            ideas=tuple((idea, self.ideas[idea]) for idea in due),
            hint=words.hint if len(legal) > 1 else "",
        )

    def farewell(self, seat: Seat, heard: Sequence[Event], *, lesson: bool = False) -> Advice:
        """Say how the game ended, after its `result`."""
        past = self._past(seat, heard)
        due = past.due(iter(()), len(self.ideas))
        return Advice(
            title="The game is over",
            now=self.lesson.closing if lesson else "",
            happened=tuple(past.news[-NEWS:]),
            marks=self._marks(due, lesson),
            ideas=tuple((idea, self.ideas[idea]) for idea in due),
        )

    def _past(self, seat: Seat, heard: Sequence[Event]) -> _Past[V]:
        past = _Past(self.view(seat))
        for event in heard:
            if event["event"] in self.game.decisions and event["seat"] == seat and "by" not in event:
                past.teach(past.due(self.situation(past.view, seat), AT_ONCE))
                past.news = []
                past.decided = True
            past.waiting += self.taught_by(event, past.view, seat)
            news = self.news(event, past.view, seat)
            past.view.tell(event)
            if news:
                past.news.append(news)
        return past

    def _marks(self, ideas: Sequence[str], lesson: bool) -> tuple[str, ...]:
        return tuple(self.lesson.marks[idea] for idea in ideas if lesson and idea in self.lesson.marks)

    def _may(self, view: V, seat: Seat, legal: Sequence[Action]) -> str:
        held = self.hand(view, seat)
        cards = [action for action in legal if action in held]
        if not cards:
            return ""
        if len(cards) == len(held):
            return "You may play any card." if len(cards) > 1 else "It is your last card."
        if len(cards) == 1:
            return f"You may play only {self.spoken(cards)}."
        return f"You may play {self.spoken(cards, 'or')}."

    def _refusals(self, state: State, view: V, seat: Seat) -> tuple[Refusal, ...]:
        """Ask the rules about every card of the hand. Cards that are refused for the same reason are one entry."""
        found: dict[str, list[Action]] = {}
        for card in dict.fromkeys(self.hand(view, seat)):
            if not state.is_legal(card):
                found.setdefault(self.reason(state.objection(card)), []).append(card)
        return tuple(Refusal(tuple(map(self.name, cards)), self.spoken(cards), why) for why, cards in found.items())

    def reason(self, objection: str) -> str:
        """Turn the referee's objection into words for the player itself: why, without what it concerns."""
        why = reason_to_you(objection)
        why = re.sub(r"\b\w+\b", lambda found: self.said(found[0]) if found[0] in self.game.pack else found[0], why)
        return sentence(why)

    def said(self, card: str) -> str:
        """Return the words for a card as the bots write it."""
        face = self.game.face(card)
        return card if face is None else f"the {face.words}"

    def who(self, seat: Seat, own: Seat) -> str:
        """Return `You`, or the name of another seat, for the beginning of a sentence in the past."""
        return "You" if seat == own else self.named(seat)

    def named(self, seat: Seat) -> str:
        """Return the name of a seat for the beginning of a sentence."""
        name = self.game.seat_names[seat]
        return f"{name[0].upper()}{name[1:]}"

    def called(self, seat: Seat) -> str:
        """Return the name of a seat within a sentence: `seat 2`, but `North`."""
        name = self.game.seat_names[seat]
        return name if name[-1].isdigit() else self.named(seat)

    # What each game says

    def view(self, seat: Seat) -> V:
        return self.game.view(seat)  # type: ignore[return-value]  # a game's own view

    @abstractmethod
    def describe(self, view: V, seat: Seat, legal: Sequence[Action]) -> Words:
        """Say what the seat decides, what is at stake, and a hint."""

    @abstractmethod
    def situation(self, view: V, seat: Seat) -> Iterator[str]:
        """Yield the ideas that matter for a decision of the seat, by what it sees."""

    def taught_by(self, event: Event, before: V, seat: Seat) -> Iterator[str]:
        """Yield the ideas that an event shows. `before` has not been told of it."""
        return iter(())

    @abstractmethod
    def news(self, event: Event, before: V, seat: Seat) -> str:
        """Tell what happened, in one sentence; blank for events that need no word. `before` has not been told of it."""

    @abstractmethod
    def hand(self, view: V, seat: Seat) -> Sequence[Action]:
        """Return the cards from which one is to be played; none where the decision is another one."""

    @abstractmethod
    def name(self, card: Action) -> Card:
        """Return a card as the record writes it."""

    @abstractmethod
    def spoken(self, cards: Sequence[Action], last: str = "and") -> str:
        """Return `the two and the king of clubs`."""


def coach_of(game: Game) -> Coach[Any] | None:
    """Return the coach of a game, if its folder has one."""
    package = games.PACKAGE_OF[game.slug]
    if find_spec(f"{package}.coach") is None:
        return None
    found: Coach[Any] = import_module(f"{package}.coach").COACH
    return found
