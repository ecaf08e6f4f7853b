"""The open decision as JSON, for a person at a browser, and their answer back as an action.

A decision is either for cards (one of them, or several at once) or for an answer without cards, such as accepting
something. No game is known here: what may be decided comes from the legal actions, written as events of the record.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from games.engine import Action, Card, Event, Game, State
from games.phrases import objection_to_you, sentence

Question = dict[str, Any]
"""
seat     who decides
kind     the event that a choice of cards becomes, such as "play"; without cards, that of the first answer
choose   how many cards are chosen at once; 0: none, an answer is due
cards    the cards that may be chosen, in the order of the rules
answers  [{"label": "Accept", "event": "accept"}, …], the decisions without cards; their index is the answer
"""

MOST = 1000  # actions that are looked at


class NotAllowed(Exception):
    """The answer cannot be accepted. The text is a sentence for the person who gave it."""


def question(state: State, game: Game) -> Question:
    """Return the open decision of the seat in turn."""
    events = [state.event(action) for action in islice(state.legal(), MOST)]
    with_cards = [event for event in events if _cards(event)]
    kind = with_cards[0]["event"] if with_cards else events[0]["event"]
    chosen = [card for event in with_cards if event["event"] == kind for card in _cards(event)]
    answers = [event for event in events if not _cards(event)]
    named = [" ".join([it["event"].replace("_", " ").capitalize(), *map(str, game.chosen(it))]) for it in answers]
    return {
        "seat": state.turn,
        "kind": kind,
        "choose": len(_cards(with_cards[0])) if with_cards else 0,
        "cards": list(dict.fromkeys(chosen)),
        "answers": [{"label": label, "event": it["event"]} for it, label in zip(answers, named, strict=True)],
    }


def read_answer(game: Game, state: State, data: Mapping[str, Any]) -> Action:
    """Return the legal action that somebody chose: `{"cards": […]}`, or `{"answer": index}` among the answers.

    Raises NotAllowed with the referee's objection, or with what cannot be read.
    """
    if "answer" in data:
        return _answer(state, data["answer"])
    cards = data.get("cards")
    if not isinstance(cards, list) or not cards or any(not isinstance(card, (str, int)) for card in cards):
        raise NotAllowed("No card was chosen.")
    return _chosen(game, state, [_as_written(game, card) for card in cards])


def _cards(event: Event) -> Sequence[Card]:
    """The cards that a decision chooses."""
    if "card" in event:
        return [event["card"]]
    cards: Sequence[Card] = event.get("cards", ())
    return cards


def _answer(state: State, index: object) -> Action:
    others = [action for action in islice(state.legal(), MOST) if not _cards(state.event(action))]
    if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(others):
        raise NotAllowed("This answer cannot be given now.")
    return others[index]


def _chosen(game: Game, state: State, cards: Sequence[Card]) -> Action:
    asked = question(state, game)
    if asked["choose"] and len(cards) != asked["choose"]:
        number = asked["choose"]
        raise NotAllowed("Choose one card." if number == 1 else f"Choose {number} cards.")
    kind = asked["kind"] if asked["choose"] else next(iter({"play"} & game.decisions), "play")
    held = {"cards": list(cards)} if asked["choose"] > 1 else {"card": cards[0]}
    try:
        action = game.action({"event": kind, "seat": state.turn, **held})
    except ValueError as error:
        raise NotAllowed(sentence(str(error))) from None
    if state.is_legal(action):
        return action
    if len(cards) > 1:  # in another order they may be legal
        wanted = sorted(map(str, cards))
        for each in islice(state.legal(), MOST):
            if sorted(map(str, _cards(state.event(each)))) == wanted:
                return each
    raise NotAllowed(objection_to_you(state.objection(action)))


def _as_written(game: Game, card: str | int) -> Card:
    """A card as the record of the game writes it. Forms can only send text."""
    numbers = all(name.isdigit() for name in game.pack)
    return int(card) if numbers and re.fullmatch("[0-9]{1,3}", str(card)) else card
