"""Sentences that the games share: captions of faults, and lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from games.engine import Event

FAULTS = {
    "illegal": "breaks the rules of the game",
    "garbled": "gives an answer that cannot be read",
    "timeout": "takes too long",
    "crash": "stops working",
    "memory": "uses too much memory",
    "output": "floods its output",
    "violation": "does something forbidden",
}
"""By the kind of fault: what the player does, in words that follow its name."""


V = TypeVar("V")


def captions(*makers: Callable[[Event, V], str]) -> Callable[[Event, V], str]:
    """Return a function that describes an event in one sentence, or gives blank for a kind that nobody describes.

    Each maker is named for the kind of event that it describes, such as `_hand`, and is given the event and the view
    that has not been told of it yet. Without a `_game`, that event says that a game begins.
    """
    by_kind = {make.__name__.removeprefix("_"): make for make in (_game, *makers)}

    def caption(event: Event, before: V) -> str:
        make = by_kind.get(event["event"])
        return make(event, before) if make else ""

    return caption


def _game(event: Event, before: object) -> str:
    return f"Game {event['number']} begins."


def fault(name: str, event: Event, due: str) -> str:
    """Describe a `fault` event of the player of that name. `due` says what an answer is, for one that cannot be
    read."""
    kind = event["kind"]
    detail = event.get("detail", "")
    if detail:
        detail = f" with {detail}" if kind == "violation" else f": it {detail}"
    if kind != "garbled":
        return f"{name} {FAULTS[kind]}{detail}."
    answer = f" It answered {event['answer']!r}." if event.get("answer") else ""
    return f"{name} {FAULTS[kind]}{detail} ({due}).{answer}"


def listed(parts: Sequence[str], last: str = "and") -> str:
    """`one, two and three`."""
    *first, ending = map(format, parts)
    return f"{', '.join(first)} {last} {ending}" if first else ending


def does(name: str, event: Event, action: str) -> str:
    """Return `North leads` or, if the referee made the decision, `North, played by the referee, leads`."""
    return f"{name}{', played by the referee,' if event.get('by') == 'referee' else ''} {action}"


def counted(number: int, one: str, many: str = "") -> str:
    """`1 point`, `2 points`, `2 matches`. `many`: what does not end like these, such as `teams have`."""
    return f"{number:,} {one if number == 1 else many or one + ('es' if one.endswith('ch') else 's')}"


def amount(number: int, what: str) -> str:
    """Return `1 game won` or `2 games won`, for units given in the plural (`Game.counts`)."""
    one = re.sub(r"s\b", "", what)
    return f"{number} {one if number == 1 else what}"


def each(names: Sequence[str], numbers: Sequence[int]) -> str:
    """`North 3, East 7, South 0 and West 1`."""
    return listed(list(map(beside, names, numbers)))


def beside(name: str, number: int) -> str:
    """Return `North 3`, or `Position 0: 3` if the name ends in a number."""
    return f"{name}{':' if name[-1:].isdigit() else ''} {number}"


def sentence(text: str) -> str:
    """`it is late` as `It is late.`"""
    return f"{text[:1].upper()}{text[1:]}."


def objection_to_you(objection: str) -> str:
    """Return the referee's objection (`State.objection`), which follows a player's name, as a sentence to the player:
    `You wanted to play KH, which you do not hold.`"""
    return f"You {_replaced(objection, _TO_YOU)}."


def reason_to_you(objection: str) -> str:
    """Return why the referee would object, in words to a player who has not decided yet: `you have to follow suit`.
    What the objection concerns is left out."""
    return _replaced(objection.partition(", but ")[2] or objection, _TO_YOU, _NOT_YET)


Replacements = Sequence[tuple[re.Pattern[str], str]]


def _replaced(text: str, *tables: Replacements) -> str:
    for words, others in (each for table in tables for each in table):
        text = words.sub(others, text)
    return text


_TO_YOU: Replacements = (
    (re.compile(r"\bit does not\b"), "you do not"),
    (re.compile(r"\bdoes not hold\b"), "do not hold"),
    (re.compile(r"\bits\b"), "your"),
    (re.compile(r"\bit\b"), "you"),
)

_NOT_YET: Replacements = (
    (re.compile(r"^had to\b"), "you have to"),
    (re.compile(r"^had\b"), "you had"),
    (re.compile(r"\byou (also )?held\b"), r"you \1hold"),
)
"""The referee tells what a player did wrong, so it speaks in the past."""


def bad_number(word: str) -> str:
    """What a word is where a plain number was due, in words that follow "answered with"."""
    if re.fullmatch(r"[+-][0-9]+", word):
        return "a number with a sign"
    if re.fullmatch(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][+-]?[0-9]+)?", word):
        return "a number that is not written as a whole number"
    if re.fullmatch(r"[0-9]+", word):
        return "a number that is too large"
    if re.fullmatch(r"[0-9]+[,;]", word):
        return f"a number with “{word[-1]}” after it"
    return "something that is not a number"
