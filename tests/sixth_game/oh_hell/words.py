"""Captions and the log."""

from __future__ import annotations

from collections.abc import Sequence

from oh_hell.rules import INDEX, SEATS
from oh_hell.view import View

from games.cards import words
from games.engine import Event
from games.phrases import captions, counted, does, each, fault

NAMES = tuple(seat.capitalize() for seat in SEATS)


def _hand(event: Event, before: View) -> str:
    return f"Hand {event['number']}: {NAMES[event['dealer']]} deals five cards each."


def _bid(event: Event, before: View) -> str:
    return f"{does(NAMES[event['seat']], event, 'bids')} {counted(event['bid'], 'trick')}."


def _play(event: Event, before: View) -> str:
    verb = "leads" if before.led is None else "plays"
    return f"{does(NAMES[event['seat']], event, verb)} the {words(INDEX[event['card']])}."


def _trick(event: Event, before: View) -> str:
    return f"{NAMES[event['winner']]} takes the trick."


def _score(event: Event, before: View) -> str:
    return f"Hand {before.number} is over. The score is now {each(NAMES, event['total'])}."


def _fault(event: Event, before: View) -> str:
    return fault(NAMES[event["seat"]], event, "an answer is a number of tricks, or a card such as TS")


def _result(event: Event, before: View) -> str:
    winner = event["winner"]
    return "Nobody wins." if winner is None else f"{NAMES[winner]} wins the game."


caption = captions(_hand, _bid, _play, _trick, _score, _fault, _result)


def log(record: Event, events: Sequence[Event]) -> str:
    """One caption a line."""
    view, lines = View(None), [f"# Oh Hell, seed {record['seed']}"]
    for event in events:
        lines.append(caption(event, view))
        view.tell(event)
    return "\n".join(filter(None, lines)) + "\n"
